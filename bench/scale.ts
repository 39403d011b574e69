// Measures reads with few and with very many stored tasks: latency, memory, restart, and what concerns a wallet.
import { cpSync } from 'node:fs';
import type { Chain } from './chain.ts';
import type { Figure } from './figure.ts';
import { median, medianRatio } from './figure.ts';
import type { Target } from './processes.ts';
import { readCpuSeconds, readResidentMegabytes } from './processes.ts';
import { taskPath } from './reads.ts';
import type { Setup } from './setup.ts';
import type { Site } from './site.ts';
import { fillStore, wallets } from './storedTasks.ts';

/** A site with a number of tasks, and its figures. */
type Level = {
  readonly tasks: number;
  readonly dataDir: string;
  readonly site: Site;
  readonly targets: Readonly<Record<ReadName, Target>>;
  /** The median latency of each round. */
  readonly microseconds: Record<ReadName, number[]>;
};
type ReadName = (typeof readNames)[number];
const readNames = ['open list', 'task detail', 'concerns of one task', 'concerns of a tenth of all'] as const;

export async function measureScale(setup: Setup): Promise<Figure[]> {
  const chain = await setup.chain();
  await chain.setPace('still');
  const levels = await raiseLevels(setup, chain);
  await chain.setPace('live');
  await measureLatencies(setup, levels);
  const [smallest, largest] = [levels[0] as Level, levels.at(-1) as Level];
  const figures = readNames.flatMap((name) => [
    ...levels.map(({ tasks, microseconds }): Figure => {
      const value = median(microseconds[name]);
      return { name: `${name}, ${count(tasks)} stored: median latency`, value, unit: 'microseconds' };
    }),
    {
      name: `${name}: latency at ${count(largest.tasks)} in that at ${count(smallest.tasks)}`,
      value: medianRatio(largest.microseconds[name], smallest.microseconds[name]),
      unit: 'ratio',
      atMost: 1.3,
    } as const,
  ]);
  return [
    ...figures,
    {
      name: `${count(largest.tasks / 10)} tasks of one wallet: CPU of its first page`,
      value: await measureConcernsCpu(setup, largest),
      unit: 'milliseconds',
      atMost: 10,
    },
    {
      name: `${count(largest.tasks)} stored: most resident memory under load`,
      value: await measureResident(setup, largest),
      unit: 'megabytes',
      atMost: 400,
    },
    {
      name: `${count(largest.tasks)} stored: restart to first answer`,
      value: await measureRestart(setup, chain, largest),
      unit: 'seconds',
      atMost: 2,
    },
  ];
}

const concernsPath = (address: string) => `/api/market/concerns?address=${address}`;

/** Of one first page, for the wallet with the most tasks. */
async function measureConcernsCpu({ load, sizes }: Setup, { site, targets }: Level): Promise<number> {
  const requests = sizes.latencyRequests;
  const before = readCpuSeconds(site.pid);
  await load.run({ ...targets['concerns of a tenth of all'], connections: 1, requests });
  return ((readCpuSeconds(site.pid) - before) / requests) * 1_000;
}

/** Each level starts from a copy of the previous one. */
async function raiseLevels(setup: Setup, chain: Chain): Promise<Level[]> {
  const levels: Level[] = [];
  const folders = setup.sizes.scale.map((tasks) => ({ tasks, dataDir: setup.folder('scale') }));
  for (const [at, { tasks, dataDir }] of folders.entries()) {
    setup.say(`storing ${count(tasks)} tasks`);
    const before = folders[at - 1];
    if (before !== undefined) cpSync(before.dataDir, dataDir, { recursive: true });
    await fillStore(chain, dataDir, { from: 1 + (before?.tasks ?? 0), to: tasks });
  }
  // Not earlier: a site would write into the rows that the next level copies.
  for (const { tasks, dataDir } of folders) {
    const site = await setup.site(chain, dataDir);
    const { port } = site;
    const targets = {
      'open list': { port, path: '/api/market/open?limit=100', status: 200 },
      'task detail': { port, path: taskPath, below: tasks, status: 200 },
      'concerns of one task': { port, path: concernsPath(wallets.one), status: 200 },
      'concerns of a tenth of all': { port, path: concernsPath(wallets.many), status: 200 },
    };
    const microseconds = Object.fromEntries(readNames.map((name) => [name, [] as number[]]));
    levels.push({ tasks, dataDir, site, targets, microseconds: microseconds as Level['microseconds'] });
  }
  return levels;
}

/** One request at a time, alternating between the levels, so that a slow phase affects all of them. */
async function measureLatencies({ load, sizes, say }: Setup, levels: readonly Level[]): Promise<void> {
  say('measuring latencies');
  for (let round = 0; round <= sizes.latencyRounds; round++) {
    for (const name of readNames) {
      for (const { targets, microseconds } of levels) {
        const order = { ...targets[name], connections: 1, requests: sizes.latencyRequests };
        const seen = await load.run(order);
        // The first round is a warm-up.
        if (round > 0) microseconds[name].push(median(seen.microseconds));
      }
    }
  }
}

async function measureResident({ load, sizes }: Setup, { site, targets }: Level): Promise<number> {
  const seen: number[] = [];
  const sampling = setInterval(() => seen.push(readResidentMegabytes(site.pid)), 50);
  for (const name of readNames) {
    const milliseconds = (sizes.steadySeconds * 1_000) / readNames.length;
    await load.run({ ...targets[name], connections: 16, milliseconds });
  }
  clearInterval(sampling);
  seen.push(readResidentMegabytes(site.pid));
  return Math.max(...seen);
}

async function measureRestart(setup: Setup, chain: Chain, { site, dataDir }: Level): Promise<number> {
  let running = site;
  const seconds: number[] = [];
  for (let restart = 0; restart < setup.sizes.restarts; restart++) {
    await running.close();
    running = await setup.site(chain, dataDir);
    seconds.push(running.secondsToAnswer);
  }
  return median(seconds);
}

function count(tasks: number): string {
  return tasks.toLocaleString('en');
}
