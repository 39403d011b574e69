// Measures reads: the open list and task details against bare node:http.
import { buildRatioFigures, compare, startBare, takeAnswers } from './compare.ts';
import { type Figure, quantile } from './figure.ts';
import type { Setup } from './setup.ts';

const openPath = '/api/market/open?limit=100';

export async function measureOpenList(setup: Setup): Promise<Figure[]> {
  const site = await setup.filledSite();
  const plain = await measureAgainstBare(setup, 'open list', {});
  const zipped = await measureAgainstBare(setup, 'open list, gzip', { 'Accept-Encoding': 'gzip' });
  const etag = (await fetch(site.url + openPath)).headers.get('etag') ?? '';
  const target = { port: site.port, path: openPath };
  const known = await compare(
    setup.load,
    { pid: site.pid, target: { ...target, headers: { 'If-None-Match': etag }, status: 304 } },
    { pid: site.pid, target: { ...target, status: 200 } },
    setup.sizes.rounds,
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
  { filledSite, load, sizes }: Setup,
  name: string,
  headers: Readonly<Record<string, string>>,
): Promise<Figure[]> {
  const site = await filledSite();
  const answer = await takeAnswers([site.url + openPath], headers);
  const bare = await startBare(answer);
  const seen = await compare(
    load,
    { pid: site.pid, target: { port: site.port, path: openPath, headers, status: 200 } },
    { pid: bare.pid, target: { port: bare.port, path: openPath, headers, status: 200 } },
    sizes.rounds,
  );
  await bare.close();
  const bytes = Buffer.byteLength(answer.bodies[0] as string, 'base64');
  return [
    { name: `${name}: body`, value: bytes / 1_000, unit: 'kilobytes' },
    ...buildRatioFigures(name, seen, 0.75),
  ];
}

export const taskPath = '/api/market/task?id=v2:standard:';

const pacePerSecond = 2_000;

/** Number of bodies that the baseline sends in rotation. */
const samples = 200;

export async function measureTaskDetail(setup: Setup): Promise<Figure[]> {
  const { stored, rounds } = setup.sizes;
  const site = await setup.filledSite();
  const urls = Array.from({ length: samples }, (_, at) => {
    const number = 1 + Math.floor((at * stored) / samples);
    return `${site.url}${taskPath}${number}`;
  });
  const answer = await takeAnswers(urls);
  const bare = await startBare(answer);
  const target = { path: taskPath, below: stored, status: 200 };
  const seen = await compare(
    setup.load,
    { pid: site.pid, target: { ...target, port: site.port } },
    { pid: bare.pid, target: { ...target, port: bare.port } },
    rounds,
  );
  await bare.close();
  const bytes = answer.bodies.map((body) => Buffer.byteLength(body, 'base64'));
  const name = `task detail, random of ${stored.toLocaleString('en')}`;
  return [
    {
      name: `${name}: body`,
      value: bytes.reduce((sum, one) => sum + one, 0) / samples / 1_000,
      unit: 'kilobytes',
    },
    ...buildRatioFigures(name, seen, 0.4),
  ];
}

/** How long readers wait where as many come in each second, whether the earlier ones have their reply or not. */
export async function measurePace({ filledSite, load, sizes }: Setup): Promise<Figure[]> {
  const { port } = await filledSite();
  const targets = {
    'open list': { path: openPath },
    'task detail, random': { path: taskPath, below: sizes.stored },
  };
  const figures: Figure[] = [];
  for (const [name, target] of Object.entries(targets)) {
    const order = { ...target, port, status: 200, connections: 16 };
    await load.run({ ...order, requests: sizes.rounds.warmUpRequests });
    const requests = Math.ceil(sizes.steadySeconds * pacePerSecond);
    const { microseconds } = await load.run({ ...order, requests, perSecond: pacePerSecond });
    figures.push({
      name: `${name} at ${pacePerSecond.toLocaleString('en')} a second: 99 of 100 within`,
      value: quantile(microseconds, 0.99) / 1_000,
      unit: 'milliseconds',
      atMost: 5,
    });
  }
  return figures;
}
