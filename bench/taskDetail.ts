// Item 2: task details over random ids, against bare node:http with bodies of the same sizes.
import { startBare, takeAnswers } from './bare.ts';
import { buildRatioFigures, compare } from './compare.ts';
import type { Figure } from './figure.ts';
import type { Stage } from './stage.ts';

export const taskPath = '/api/market/task?id=v2:standard:';

/** Bodies that the baseline sends in turn. */
const samples = 200;

export async function measureTaskDetail(stage: Stage): Promise<Figure[]> {
  const { crowd, rounds } = stage.sizes;
  const site = await stage.crowdedSite();
  const urls = Array.from({ length: samples }, (_, at) => {
    const number = 1 + Math.floor((at * crowd) / samples);
    return `${site.url}${taskPath}${number}`;
  });
  const answer = await takeAnswers(urls);
  const bare = await startBare(answer);
  const target = { path: taskPath, below: crowd, status: 200 };
  const seen = await compare(
    stage.load,
    { pid: site.pid, target: { ...target, port: site.port } },
    { pid: bare.pid, target: { ...target, port: bare.port } },
    rounds,
  );
  await bare.close();
  const bytes = answer.bodies.map((body) => Buffer.byteLength(body, 'base64'));
  const name = `task detail, random of ${crowd.toLocaleString('en')}`;
  return [
    {
      name: `${name}: body`,
      value: bytes.reduce((sum, one) => sum + one, 0) / samples / 1_000,
      unit: 'kilobytes',
    },
    ...buildRatioFigures(name, seen, 0.6),
  ];
}
