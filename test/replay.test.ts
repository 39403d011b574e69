// Proves that logs alone rebuild everything the contracts store: invariant 16, on the seeded chain and after a long game.
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import type { Abi } from 'viem';
import { parseUsdc } from '#sdk/domain/amount.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import { accountOf, accounts } from '#service/devnet/accounts.ts';
import { buildAccountStep } from '#service/devnet/seed/accountSteps.ts';
import { buildTransaction } from '#service/devnet/transactions.ts';
import { ask, type RunningChain, startChain } from './support/devnet.ts';
import { contractsOf } from './support/marketReader.ts';
import { compareMarket } from './support/replay/compare.ts';
import { createRandom } from './support/replay/random.ts';
import { playRandomly, send } from './support/replay/randomRun.ts';
import { type Replay, replayMarket } from './support/replay/replay.ts';

const moves = 150;
const agents = accounts.map(({ address }) => address);
const operator = accountOf('operator').address;

let chain: RunningChain;
before(async () => {
  chain = await startChain();
});
after(() => chain.stop());

/** Brings the market's staking up to date and answers the block in which that happened. */
async function accrue(market: Market): Promise<bigint> {
  const { publicClient, deployment } = chain;
  const { gateway, tok } = contractsOf(deployment, market);
  // Something to split: a flush of nothing touches nothing.
  assert.ok(
    await send(publicClient, buildTransaction(operator, tok, 'transfer', [gateway.address, 10_000n])),
  );
  assert.ok(await send(publicClient, buildTransaction(operator, gateway, 'flush', [])));
  const logs = await publicClient.getContractEvents({ ...gateway, eventName: 'FeesFlushed', fromBlock: 0n });
  return logs.at(-1)?.blockNumber as bigint;
}

async function assertReplay(context: TestContext, market: Market): Promise<Replay> {
  const { publicClient, deployment } = chain;
  const contracts = contractsOf(deployment, market);
  const block = await accrue(market);
  const replay = await replayMarket(publicClient, contracts, block);
  const result = await compareMarket(publicClient, contracts, replay.model, agents, block);
  assert.deepEqual(result.differences, []);
  assert.ok(result.compared > 4 * (replay.model.tasks.size + agents.length));
  context.diagnostic(`${replay.model.tasks.size} tasks, ${result.compared} values compared`);
  return replay;
}

for (const market of markets) {
  test(`the logs of the seeded ${market} market rebuild what it stores`, (context) =>
    assertReplay(context, market).then(() => {}));
}

test('a difference of one anywhere would be noticed', async () => {
  const { publicClient, deployment } = chain;
  const contracts = contractsOf(deployment, 'standard');
  const block = await accrue('standard');
  const { model } = await replayMarket(publicClient, contracts, block);
  const [task, account, dispute, arbitrator, staker, record] = [
    [...model.tasks.values()][0],
    model.accounts.get(accountOf('coder').address),
    [...model.disputes.values()][0],
    model.arbitrators.get(accountOf('umpire').address),
    model.stakers.get(accountOf('press').address),
    model.reputations.get(accountOf('linguist').address),
  ];
  assert.ok(task && account && dispute && arbitrator && staker && record);
  task.deadline += 1n;
  account.locked += 1n;
  dispute.phaseEnds += 1n;
  arbitrator.resolved += 1;
  staker.credits += 1n;
  record.completed += 1;
  model.vault.rewardReserve += 1n;
  const { differences } = await compareMarket(publicClient, contracts, model, agents, block);
  assert.equal(differences.length, 7, differences.map(({ what }) => what).join());
});

test('after a long random game the logs still rebuild what both markets store', async (context) => {
  const { publicClient: client, deployment } = chain;
  const standard = contractsOf(deployment, 'standard');
  const micro = contractsOf(deployment, 'micro');
  const { address: shop } = accountOf('shop');
  const { address: drifter } = accountOf('drifter');
  assert.ok(
    await send(
      client,
      buildTransaction(shop, standard.deposits, 'emergencyTopUp', [drifter, parseUsdc('10')]),
    ),
  );

  // Another game each time; the one that failed is repeated by its seed.
  const seed = Number(process.env.SVC_REPLAY_SEED ?? Date.now() >>> 0);
  context.diagnostic(`SVC_REPLAY_SEED=${seed}`);
  const accepted = await playRandomly({ client, deployment, random: createRandom(seed) }, moves);
  context.diagnostic(`${accepted} of ${moves} moves were accepted`);
  assert.ok(accepted > moves / 3);

  // Not covered by random steps: an arbitrator withdraws its bond, and the owner acts.
  assert.ok(await send(client, buildAccountStep(deployment, 'standard', 'referee', ['requestUnbond'])));
  await ask(client, 'evm_increaseTime', 30 * 86_400);
  assert.ok(
    await send(client, buildTransaction(accountOf('referee').address, micro.court, 'withdrawBond', [])),
  );
  assert.ok(await send(client, buildTransaction(operator, micro.staking, 'closeCreditIssuance', [])));
  assert.ok(await send(client, buildTransaction(operator, micro.registry, 'setEntriesPaused', [true])));
  const { address: next } = accountOf('visitor');
  assert.ok(await send(client, buildTransaction(operator, micro.court, 'scheduleFallback', [next])));
  assert.ok(await send(client, buildTransaction(next, micro.court, 'acceptFallback', [])));

  const seen = new Set<string>();
  for (const market of markets) for (const name of (await assertReplay(context, market)).seen) seen.add(name);
  // Those of a library that the contracts never emit, and of handing ownership over.
  const never = ['EIP712DomainChanged', 'OwnershipTransferStarted'];
  const unseen = Object.values(standard)
    .flatMap(({ abi }) => (abi as Abi).flatMap((entry) => (entry.type === 'event' ? [entry.name] : [])))
    .filter((name) => !seen.has(name) && !['Transfer', 'Approval', ...never].includes(name));
  assert.deepEqual(unseen, []);
});
