// Every check of a run, on what it has left behind.

import { readPlans } from '#sdk/chain/readMarket.ts';
import { createPostingReads } from '#sdk/chain/readPosting.ts';
import { readTaskCounts, readTasks } from '#sdk/chain/readTasks.ts';
import { createRpc } from '#sdk/chain/rpc.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import type { Task } from '#sdk/domain/task.ts';
import { createChainSource } from '#service/indexer/source.ts';
import { ask } from '../../test/support/devnet.ts';
import { createAsk } from '../asking.ts';
import { waitUntilWell } from '../faults/inflict.ts';
import { isWatched } from '../faults/processes.ts';
import type { World } from '../moves/actor.ts';
import { settleTalks } from '../moves/talking.ts';
import type { Sample } from '../server.ts';
import { checkAnswers, checkMoves, checkRecovery, checkWords } from './answers.ts';
import type { Check } from './check.ts';
import { checkEnvelopes, checkRequests } from './kept.ts';
import { checkSums, gatherSums } from './ledgers.ts';
import { checkMemory } from './memory.ts';
import { checkRecords, checkUses } from './once.ts';
import { checkQuotas, gatherQuotas } from './quotas.ts';
import { checkRows } from './rows.ts';

const pageSize = 150;

export async function checkAll(world: World, runMs: number): Promise<Check[]> {
  const { stage, journal } = world;
  const { client, deployment, sites, gateways, small } = stage;
  // From here on nothing happens any more, so that two readings of one thing may be compared.
  await stage.keeper.end();
  await ask(client, 'evm_setIntervalMining', 0);
  const others = stage.servers.filter((server) => server !== stage.keeper);
  await waitUntilWell(world, journal.now(), others);
  const { chainId, genesisHash } = deployment;
  const rpc = createRpc({ urls: [stage.rpcUrl], chainId, genesisHash });
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
    readPurchases: createPostingReads(rpc, deployment).readPurchases,
    head,
  };
  try {
    const watched = stage.servers.filter((server) => isWatched(stage, server));
    return [
      await checkRows(createChainSource(rpc, deployment), [...sites, ...gateways, small]),
      checkSums(await gatherSums(client, deployment, tasksOf, sites[0] as never, asking)),
      checkQuotas(await gatherQuotas(sources)),
      checkUses(journal),
      checkRecords(journal),
      await checkRequests(stage, asking, journal),
      await checkEnvelopes(journal.envelopes, await settleTalks(stage.mailFolder)),
      checkAnswers(journal),
      checkWords(
        journal,
        stage.servers.flatMap(({ failures }) => failures()),
      ),
      checkMoves(journal),
      checkRecovery(journal),
      checkMemory(
        watched.map(({ name, lives }) => ({ name, samples: secondHalf(lives.at(-1) ?? [], runMs) })),
      ),
    ];
  } finally {
    rpc.close();
  }
}

/** As a service manager ends them, at the very end. */
export async function checkEnds({ stage }: World): Promise<Check> {
  const ends = await Promise.all(
    stage.servers.map(async ({ name, end }) => ({ name, exitCode: await end() })),
  );
  return {
    name: 'Every process ends when it is told to',
    violations: ends
      .filter(({ exitCode }) => exitCode !== 0)
      .map(({ name, exitCode }) => `${name}: ${exitCode === null ? 'had to be killed' : `exit ${exitCode}`}`),
    basis: `${ends.length} processes`,
  };
}

/** Without the time in which a process is still starting. */
const startingMs = 30_000;

function secondHalf(samples: readonly Sample[], runMs: number): Sample[] {
  const from = Math.max(runMs / 2, (samples[0]?.at ?? 0) + startingMs);
  return samples.filter(({ at }) => at >= from && at <= runMs);
}
