// What the measurements share: sizes, the load generator, a site with many stored tasks, a chain with many real ones.
// Each part is created when a measurement first uses it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPosterTransactions, buildPostTransaction, type Chain, postGas, startChain } from './chain.ts';
import type { Rounds } from './compare.ts';
import { createLoad, type Load } from './processes.ts';
import { type Site, startSite } from './site.ts';
import { fillStore } from './storedTasks.ts';

export type Setup = {
  readonly sizes: Sizes;
  readonly load: Load;
  /** Creates an empty folder. */
  readonly folder: (name: string) => string;
  /** Starts a chain with empty markets. */
  readonly chain: () => Promise<Chain>;
  /** Serves `sizes.stored` stored tasks. */
  readonly filledSite: () => Promise<Site>;
  /** Has `sizes.chainTasks` real tasks, and a poster who can pay for as many more. */
  readonly busyChain: () => Promise<Chain>;
  readonly site: (chain: Chain, dataDir: string, env?: Readonly<Record<string, string>>) => Promise<Site>;
  readonly say: (text: string) => void;
  readonly close: () => Promise<void>;
};

export function createSetup(sizes: Sizes, say: (text: string) => void): Setup {
  const root = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  // Also runs when the benchmark is interrupted.
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  const load = createLoad();
  const opened: { readonly close: () => Promise<void> }[] = [load];

  async function keep<Part extends { readonly close: () => Promise<void> }>(part: Promise<Part>) {
    const ready = await part;
    opened.push(ready);
    return ready;
  }
  const folder = (name: string) => mkdtempSync(join(root, `${name}-`));
  const chain = () => keep(startChain());
  const site: Setup['site'] = (of, dataDir, env) => keep(startSite(of, dataDir, env));

  async function fillSite(): Promise<Site> {
    say(`storing ${sizes.stored.toLocaleString('en')} tasks`);
    const still = await chain();
    await still.setPace('still');
    const dataDir = folder('stored');
    await fillStore(still, dataDir, { from: 1, to: sizes.stored });
    const ready = await site(still, dataDir);
    await still.setPace('live');
    return ready;
  }

  async function fillChain(): Promise<Chain> {
    say(`posting ${sizes.chainTasks.toLocaleString('en')} tasks on the embedded chain`);
    const busy = await chain();
    await busy.setPace('still');
    await busy.send(buildPosterTransactions(busy.deployment, 2 * sizes.chainTasks));
    await postMany(busy, sizes.chainTasks);
    return busy;
  }

  return {
    sizes,
    load,
    folder,
    chain,
    filledSite: once(fillSite),
    busyChain: once(fillChain),
    site,
    say,
    close: async () => {
      for (const part of opened.reverse()) await part.close();
    },
  };
}

export async function postMany(chain: Chain, count: number): Promise<void> {
  const { time } = await chain.readHead();
  const transactions = Array.from({ length: count }, (_, at) =>
    buildPostTransaction(chain.deployment, at, time),
  );
  await chain.sendTogether(transactions, postGas);
}

function once<Part>(create: () => Promise<Part>): () => Promise<Part> {
  let made: Promise<Part> | undefined;
  return () => {
    made ??= create();
    return made;
  };
}

export type Sizes = {
  /** Stored tasks behind the reads. */
  readonly stored: number;
  readonly rounds: Rounds;
  /** Real tasks on the embedded chain, and the number posted while the site is down. */
  readonly chainTasks: number;
  readonly laterTasks: number;
  /** Number of measured blocks. */
  readonly visible: number;
  /** Numbers of stored tasks for `bench:scale`. */
  readonly scale: readonly number[];
  /** Numbers of profiles and listings, and searches of each round. */
  readonly search: readonly number[];
  readonly searchRequests: number;
  readonly latencyRounds: number;
  readonly latencyRequests: number;
  readonly steadySeconds: number;
  readonly restarts: number;
  /** Files that are uploaded and downloaded. */
  readonly files: number;
  /** Of each round: conversations that are written, and mailboxes that are read. */
  readonly talks: number;
  readonly pages: number;
  /** Open at once. */
  readonly streams: number;
};

export const fullSizes: Sizes = {
  stored: 100_000,
  rounds: { rounds: 7, roundMs: 1_500, warmUpRequests: 20_000 },
  chainTasks: 5_000,
  laterTasks: 1_000,
  visible: 200,
  scale: [1_000, 100_000, 1_000_000],
  search: [1_000, 100_000],
  searchRequests: 100,
  latencyRounds: 9,
  latencyRequests: 3_000,
  steadySeconds: 20,
  restarts: 5,
  files: 200,
  talks: 20,
  pages: 250,
  streams: 1_000,
};

export const quickSizes: Sizes = {
  stored: 300,
  rounds: { rounds: 1, roundMs: 100, warmUpRequests: 50 },
  chainTasks: 40,
  laterTasks: 10,
  visible: 3,
  scale: [100, 200, 300],
  search: [100, 200],
  searchRequests: 5,
  latencyRounds: 1,
  latencyRequests: 20,
  steadySeconds: 0.2,
  restarts: 1,
  files: 8,
  talks: 2,
  pages: 20,
  streams: 20,
};
