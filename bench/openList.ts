// Item 1: the open list, plain and compressed, against bare node:http with the same bytes; and not modified.
import { startBare, takeAnswers } from './bare.ts';
import { buildRatioFigures, compare } from './compare.ts';
import type { Figure } from './figure.ts';
import type { Stage } from './stage.ts';

const path = '/api/market/open?limit=100';

export async function measureOpenList(stage: Stage): Promise<Figure[]> {
  const site = await stage.crowdedSite();
  const plain = await measureAgainstBare(stage, 'open list', {});
  const zipped = await measureAgainstBare(stage, 'open list, gzip', { 'Accept-Encoding': 'gzip' });
  const etag = (await fetch(site.url + path)).headers.get('etag') ?? '';
  const target = { port: site.port, path };
  const known = await compare(
    stage.load,
    { pid: site.pid, target: { ...target, headers: { 'If-None-Match': etag }, status: 304 } },
    { pid: site.pid, target: { ...target, status: 200 } },
    stage.sizes.rounds,
  );
  return [
    ...plain,
    ...zipped,
    { name: 'open list, not modified (304)', value: known.subjectPerSecond, unit: 'perSecond' },
    {
      name: 'open list, not modified, in requests with a body',
      value: known.ratio,
      unit: 'ratio',
      atLeast: 1,
    },
  ];
}

async function measureAgainstBare(
  { crowdedSite, load, sizes }: Stage,
  name: string,
  headers: Readonly<Record<string, string>>,
): Promise<Figure[]> {
  const site = await crowdedSite();
  const answer = await takeAnswers([site.url + path], headers);
  const bare = await startBare(answer);
  const seen = await compare(
    load,
    { pid: site.pid, target: { port: site.port, path, headers, status: 200 } },
    { pid: bare.pid, target: { port: bare.port, path, headers, status: 200 } },
    sizes.rounds,
  );
  await bare.close();
  const bytes = Buffer.byteLength(answer.bodies[0] as string, 'base64');
  return [
    { name: `${name}: body`, value: bytes / 1_000, unit: 'kilobytes' },
    ...buildRatioFigures(name, seen, 0.9),
  ];
}
