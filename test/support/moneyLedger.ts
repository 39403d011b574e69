// What every account that a request can touch holds, so that a test can compare declared movements with what happened.
import assert from 'node:assert/strict';
import { type ExplainedCall, explainCalls } from '#sdk/actions/explainCalls.ts';
import type { Account, Movement } from '#sdk/actions/movements.ts';
import type { PreparedCalls } from '#sdk/actions/prepareAction.ts';
import type { MarketAccess } from '#sdk/actions/reads.ts';
import { marketCall } from '#sdk/chain/contracts.ts';
import type { Rpc } from '#sdk/chain/rpc.ts';
import { type Address, addressKey } from '#sdk/domain/address.ts';
import type { Market } from '#sdk/domain/market.ts';

type Balances = ReadonlyMap<string, bigint>;

/** Places whose balance also changes for other reasons: time, and the daily split of the fees. */
const unsteady = ['fees', 'treasury', 'rewards', 'credits', 'pool'];

/** Compares what the calls declare with what the accounts hold before and after `send`. */
export async function checkMovements<T>(
  { calls, from, action, market: given }: PreparedCalls,
  { rpc, access, treasury }: { rpc: Rpc; access: MarketAccess; treasury: Address },
  send: () => Promise<T>,
): Promise<T> {
  const market = given as Market;
  const explained = await explainCalls(calls, from, access);
  const people = listPeople(explained, from).filter((one) => one !== addressKey(treasury));
  const before = await readBalances(rpc, access, market, people);
  const sent = await send();
  const after = await readBalances(rpc, access, market, people);
  const movements = explained.flatMap((one) => one.movements);
  const declared = sumUp(movements);
  const bounds = new Map(
    [...sumUp(movements.filter(({ note }) => note === 'at most'))].map(([key, amount]) => [key, -amount]),
  );
  for (const [key, amount] of after) {
    const change = amount - (before.get(key) ?? 0n);
    const expected = declared.get(key) ?? 0n;
    // Rewards grow until the call is mined, as their line says.
    // A purchase costs its bound at most, and here not less than nine tenths of it.
    const bound = bounds.get(key) ?? 0n;
    const grown = action === 'claim-reward' || bound > 0n ? change - expected : 0n;
    assert.ok(
      grown >= 0n && grown < (bound > 0n ? bound / 10n : 10n ** 18n),
      `${action}: ${key} grew by ${grown}`,
    );
    assert.equal(change - grown, expected, `${action}: ${key}`);
  }
  // Nothing is declared for an account that was not looked at.
  const seen = [...declared.keys()].filter((key) => !unsteady.some((place) => key.includes(` ${place}`)));
  const missing = seen.filter((key) => !after.has(key) && !key.endsWith(addressKey(treasury)));
  assert.deepEqual(missing, [], action);
  await checkState(explained, access, market, action);
  return sent;
}

function listPeople(explained: readonly ExplainedCall[], from: Address): Address[] {
  const found = explained.flatMap(({ task, movements }) => [
    task?.poster,
    task?.worker,
    task?.dispute?.judge,
    task?.dispute?.workerPayer,
    ...movements.flatMap((one) => [one.from, one.to].map((end) => ('owner' in end ? end.owner : null))),
  ]);
  return [...new Set([from, ...found].filter((one) => one != null).map(addressKey))];
}

async function readBalances(
  rpc: Rpc,
  { contracts, reads }: MarketAccess,
  market: Market,
  people: readonly Address[],
): Promise<Balances> {
  const own = contracts[market];
  const [wallets, escrow, court, bonded] = await Promise.all([
    Promise.all(people.map((one) => reads.readWallet(market, one))),
    rpc.ask(marketCall(own, 'tokToken', 'balanceOf', [own.escrowVault])),
    rpc.ask(marketCall(own, 'tokToken', 'balanceOf', [own.disputeCourt])),
    rpc.ask(marketCall(own, 'disputeCourt', 'totalBonded', [])),
  ]);
  return new Map([
    ['TOK escrow', escrow],
    ['TOK disputeBonds', court - bonded],
    ...wallets.flatMap(({ tokWei, usdc, deposit, staking, arbitrator }, at): [string, bigint][] => [
      [`TOK wallet ${people[at]}`, tokWei],
      [`USDC wallet ${people[at]}`, usdc],
      [`USDC collateral ${people[at]}`, deposit.balance - deposit.locked],
      [`USDC bond ${people[at]}`, deposit.locked],
      [`TOK stake ${people[at]}`, staking.staked],
      [`TOK arbitratorBond ${people[at]}`, arbitrator.bond],
    ]),
  ]);
}

function sumUp(movements: readonly Movement[]): Balances {
  const sums = new Map<string, bigint>();
  for (const { token, amount, from, to } of movements) {
    assert.notEqual(amount, null);
    const add = (account: Account, change: bigint) => {
      const owner = 'owner' in account ? ` ${addressKey(account.owner)}` : '';
      const key = `${token} ${account.place}${owner}`;
      sums.set(key, (sums.get(key) ?? 0n) + change);
    };
    add(from, -(amount ?? 0n));
    add(to, amount ?? 0n);
  }
  return sums;
}

async function checkState(
  explained: readonly ExplainedCall[],
  { reads }: MarketAccess,
  market: Market,
  action: string,
): Promise<void> {
  const last = explained.findLast(({ task }) => task !== null);
  if (last?.task == null) return;
  const task = await reads.readTask(market, last.task.number);
  assert.equal(task?.state, last.state?.to ?? last.task.state, `${action}: state`);
}
