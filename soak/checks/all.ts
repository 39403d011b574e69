// Every check of a run, on what it has left behind.

import { readPlans } from '#sdk/chain/readMarket.ts';
import { readTaskCounts, readTasks } from '#sdk/chain/readTasks.ts';
import { createRpc } from '#sdk/chain/rpc.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import { readPurchases } from '#sdk/domain/posting.ts';
import type { Task } from '#sdk/domain/task.ts';
import { createChainSource } from '#service/chain/source.ts';
import { ask } from '../../test/support/devnet.ts';
import { createAsk } from '../asking.ts';
import { waitUntilHealthy } from '../faults/healthy.ts';
import { startMissing } from '../faults/inflict.ts';
import { isWatched } from '../faults/outages.ts';
import { openWindow } from '../journal.ts';
import { settleTalks } from '../moves/talking.ts';
import type { Sample } from '../server.ts';
import type { World } from '../world.ts';
import { checkFiles, checkMail, collectMail } from './carried.ts';
import { checkQuotas, checkSums, collectQuotas, collectSums } from './figures.ts';
import { checkEnvelopes, checkRequests, checkRows } from './kept.ts';
import { checkAudits } from './minutely.ts';
import { checkHealth, checkPayments, collectPayments } from './promised.ts';
import type { Check } from './recorded.ts';
import {
  checkAnswers,
  checkMeasured,
  checkMemory,
  checkMoves,
  checkRecords,
  checkRecovery,
  checkUses,
  checkWords,
} from './recorded.ts';

const pageSize = 150;

export async function checkAll(world: World, runMs: number): Promise<Check[]> {
  const { setup, journal } = world;
  const { client, deployment, sites, gateways, small } = setup;
  // Stops all changes, so that two reads can be compared.
  await setup.keeper.end();
  await ask(client, 'evm_setIntervalMining', 0);
  const others = setup.servers.filter((server) => server !== setup.keeper);
  await startMissing({ servers: others });
  const end = openWindow(journal, 'end of the run', { detail: 'all servers', servers: [] });
  end.repairedAt = journal.now();
  end.trouble = await waitUntilHealthy(world, end.repairedAt, others);
  end.to = journal.now();
  const { chainId, genesisHash } = deployment;
  const rpc = createRpc({ urls: [setup.rpcUrl], chainId, genesisHash });
  const { number, hash, timestamp } = await client.getBlock();
  const head = { number, time: Number(timestamp) };
  const tasks = new Map<Market, readonly Task[]>();
  const counts = await readTaskCounts(rpc, deployment, hash);
  for (const market of markets) {
    const numbers = Array.from({ length: Number(counts[market]) }, (_, at) => BigInt(at + 1));
    const pages = Array.from({ length: Math.ceil(numbers.length / pageSize) }, (_, at) =>
      readTasks(rpc, deployment, market, numbers.slice(at * pageSize, (at + 1) * pageSize), hash),
    );
    tasks.set(market, (await Promise.all(pages)).flat());
  }
  const tasksOf = async (market: Market) => tasks.get(market) ?? [];
  const asking = createAsk(journal);
  const sources = {
    ask: asking,
    sites: [...sites, ...gateways],
    tasksOf,
    plansOf: (market: Market) => readPlans(rpc, deployment, market),
    readPurchases: async (upTo: bigint) =>
      readPurchases(await createChainSource(rpc, deployment).readRange(0n, upTo)),
    head,
  };
  try {
    const watched = setup.servers.filter((server) => isWatched(setup, server));
    return await runChecks([
      () =>
        checkRows({ source: createChainSource(rpc, deployment), rpc, deployment }, [
          ...sites,
          ...gateways,
          small,
        ]),
      async () => checkSums(await collectSums(client, deployment, tasksOf, sites[0] as never, asking)),
      async () => checkQuotas(await collectQuotas(sources)),
      () => checkAudits(journal),
      () => checkMeasured(journal),
      () => checkUses(journal),
      async () => checkPayments(await collectPayments(setup, journal), journal),
      () => checkHealth(journal),
      () => checkRecords(journal),
      () => checkRequests(setup, asking, journal),
      async () => checkMail(journal, await collectMail(world)),
      () => checkFiles(setup, asking, journal),
      async () => checkEnvelopes(journal.envelopes, await settleTalks(setup.mailFolder)),
      () => checkAnswers(journal),
      () =>
        checkWords(
          journal,
          setup.servers.flatMap(({ failures }) => failures()),
        ),
      () => checkMoves(journal),
      () => checkRecovery(journal),
      () =>
        checkMemory(
          watched.map(({ name, lives }) => ({ name, samples: secondHalf(lives.at(-1) ?? [], runMs) })),
        ),
    ]);
  } finally {
    rpc.close();
  }
}

/** One after the other. A check that cannot be made, for example because a server has ended, is a violation of its own. */
export async function runChecks(checks: readonly (() => Check | Promise<Check>)[]): Promise<Check[]> {
  const made: Check[] = [];
  const violations: string[] = [];
  for (const check of checks) {
    try {
      made.push(await check());
    } catch (error) {
      violations.push((error as Error).message);
    }
  }
  return [...made, { name: 'Every check could be made', violations, basis: `${checks.length} checks` }];
}

/** Stops all processes as a service manager does. */
export async function checkEnds({ setup }: World): Promise<Check> {
  const ends = await Promise.all(
    setup.servers.map(async ({ name, end }) => ({ name, exitCode: await end() })),
  );
  return {
    name: 'Every process ends on SIGTERM',
    violations: ends
      .filter(({ exitCode }) => exitCode !== 0)
      .map(({ name, exitCode }) => `${name}: ${exitCode === null ? 'had to be killed' : `exit ${exitCode}`}`),
    basis: `${ends.length} processes`,
  };
}

/** Excludes the start of a process. */
const startingMs = 30_000;

function secondHalf(samples: readonly Sample[], runMs: number): Sample[] {
  const from = Math.max(runMs / 2, (samples[0]?.at ?? 0) + startingMs);
  return samples.filter(({ at }) => at >= from && at <= runMs);
}
