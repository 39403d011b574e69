// What measurements share: the load generator, a site over a crowd of stored tasks, and a chain with many real ones.
// Each is made when the first measurement asks for it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Chain, startChain } from './chain.ts';
import { fillStore } from './fill.ts';
import { createLoad, type Load } from './load.ts';
import { buildPosterTransactions, buildPostTransaction, postGas } from './posts.ts';
import { type Site, startSite } from './site.ts';
import type { Sizes } from './sizes.ts';

export type Stage = {
  readonly sizes: Sizes;
  readonly load: Load;
  /** A folder of its own for each name. */
  readonly folder: (name: string) => string;
  /** A chain of its own with empty markets. */
  readonly chain: () => Promise<Chain>;
  /** Serves `sizes.crowd` stored tasks. */
  readonly crowdedSite: () => Promise<Site>;
  /** Has `sizes.chainTasks` real tasks, and a poster who can pay for as many more. */
  readonly busyChain: () => Promise<Chain>;
  readonly site: (chain: Chain, dataDir: string) => Promise<Site>;
  readonly say: (text: string) => void;
  readonly close: () => Promise<void>;
};

export function createStage(sizes: Sizes, say: (text: string) => void): Stage {
  const root = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  // Also when the run breaks off.
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
  const site: Stage['site'] = (of, dataDir) => keep(startSite(of, dataDir));

  async function crowd(): Promise<Site> {
    say(`storing ${sizes.crowd.toLocaleString('en')} tasks`);
    const still = await chain();
    await still.setPace('still');
    const dataDir = folder('crowd');
    await fillStore(still, dataDir, { from: 1, to: sizes.crowd });
    const ready = await site(still, dataDir);
    await still.setPace('live');
    return ready;
  }

  async function crowdChain(): Promise<Chain> {
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
    crowdedSite: once(crowd),
    busyChain: once(crowdChain),
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
