// Measures how fast a site catches up with a chain, and how soon a new block shows in the API.

import { buildPostTransaction } from './chain.ts';
import type { Figure } from './figure.ts';
import { median, quantile } from './figure.ts';
import { readCpuSeconds, readResidentMegabytes } from './processes.ts';
import { taskPath } from './reads.ts';
import { postMany, type Setup } from './setup.ts';
import { waitFor } from './site.ts';

export async function measureSync(setup: Setup): Promise<Figure[]> {
  const { chainTasks, laterTasks } = setup.sizes;
  const chain = await setup.busyChain();
  const dataDir = setup.folder('sync');
  const first = await setup.site(chain, dataDir);
  const historySeconds = (performance.now() - first.startedAt) / 1_000;
  const historyCpu = readCpuSeconds(first.pid);
  const resident = readResidentMegabytes(first.pid);
  await first.close();

  const before = await chain.readHead();
  await postMany(chain, laterTasks);
  const { number: head } = await chain.readHead();
  const second = await setup.site(chain, dataDir);
  await waitFor(async () => (await readHealth(second.url)).block >= head);
  const catchUpSeconds = (performance.now() - second.startedAt) / 1_000;
  const catchUpCpu = readCpuSeconds(second.pid);
  await second.close();
  const name = `${chainTasks.toLocaleString('en')} tasks from nothing`;
  const later = `${laterTasks.toLocaleString('en')} tasks in ${head - before.number} blocks after an absence`;
  return [
    { name: `${name}: process start to first answer`, value: first.secondsToAnswer, unit: 'seconds' },
    { name: `${name}: all of it shown`, value: historySeconds, unit: 'seconds', atMost: 3.5 },
    { name: `${name}: CPU time, all threads`, value: historyCpu, unit: 'seconds' },
    { name: `${name}: in the time of Ponder`, value: historySeconds / ponder.seconds, unit: 'ratio' },
    { name: `${name}: resident`, value: resident, unit: 'megabytes', atMost: 250 },
    { name: `${name}: resident, in that of Ponder`, value: resident / ponder.megabytes, unit: 'ratio' },
    { name: `${later}: process start to caught up`, value: catchUpSeconds, unit: 'seconds', atMost: 1.5 },
    { name: `${later}: CPU time, all threads`, value: catchUpCpu, unit: 'seconds' },
  ];
}

/** Ponder 1.0.0 with PostgreSQL, empty to 5,000 tasks visible, once on two arm64 cores; its memory without PostgreSQL. */
const ponder = { seconds: 8.7, megabytes: 424 };

type Health = { readonly block: number };

async function readHealth(url: string): Promise<Health> {
  return (await (await fetch(`${url}/health`)).json()) as Health;
}

export async function measureVisible(setup: Setup): Promise<Figure[]> {
  const chain = await setup.busyChain();
  const site = await setup.site(chain, setup.folder('visible'));
  const { time } = await chain.readHead();
  const milliseconds: number[] = [];
  await chain.holdBlocks(true);
  for (let round = 0; round < setup.sizes.visible; round++) {
    const number = (await chain.readTaskCount()) + 1n;
    await chain.submit(buildPostTransaction(chain.deployment, round, time));
    // Starts before the block is mined, so the figure includes mining and is never too low.
    const startedAt = performance.now();
    await chain.mine();
    await waitFor(async () => (await fetch(`${site.url}${taskPath}${number}`)).status === 200, 1);
    milliseconds.push(performance.now() - startedAt);
  }
  await chain.holdBlocks(false);
  await site.close();
  return [
    { name: 'block mined to answered: median', value: median(milliseconds), unit: 'milliseconds' },
    {
      name: 'block mined to answered: 99 of 100',
      value: quantile(milliseconds, 0.99),
      unit: 'milliseconds',
      atMost: 300,
    },
  ];
}
