// What the measurements share: sizes, the load generator, a site with many stored tasks, a chain with many real ones.
// Each part is created when a measurement first uses it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPosterTransactions, buildPostTransaction, type Chain, postGas, startChain } from './chain.ts';
import { createLoad } from './processes.ts';
import { type Site, startSite } from './site.ts';
import { fillStore } from './storedTasks.ts';

export type Setup = ReturnType<typeof createSetup>;

export function createSetup(sizes: Sizes, say: (text: string) => void) {
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
  const site = (of: Chain, dataDir: string, env?: Readonly<Record<string, string>>) =>
    keep(startSite(of, dataDir, env));

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
    /** Creates an empty folder. */
    folder,
    /** Starts a chain with empty markets. */
    chain,
    /** Serves `sizes.stored` stored tasks. */
    filledSite: once(fillSite),
    /** Has `sizes.chainTasks` real tasks, and a poster who can pay for as many more. */
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

export type Sizes = typeof fullSizes;

export const fullSizes = {
  /** Stored tasks behind the reads. */
  stored: 100_000,
  rounds: { rounds: 7, roundMs: 1_500, warmUpRequests: 20_000 },
  /** Real tasks on the embedded chain, and the number posted while the site is down. */
  chainTasks: 5_000,
  laterTasks: 1_000,
  /** Number of measured blocks. */
  visible: 200,
  /** Numbers of stored tasks for `bench:scale`. */
  scale: [1_000, 100_000, 1_000_000],
  /** Numbers of profiles and listings, and searches of each round. */
  search: [1_000, 100_000],
  searchRequests: 100,
  latencyRounds: 9,
  latencyRequests: 3_000,
  steadySeconds: 20,
  restarts: 5,
  /** Of each round: conversations that are written, and mailboxes that are read. */
  talks: 20,
  pages: 250,
  /** Open at once. */
  streams: 1_000,
  /** Rows of deposits and of tasks of one wallet, and how long wallets sign in. */
  bounded: { deposits: 50_000, tasks: 50_000, seconds: 60 },
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
  talks: 2,
  pages: 20,
  streams: 20,
  bounded: { deposits: 200, tasks: 200, seconds: 2 },
};
