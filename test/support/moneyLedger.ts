// What every account that a request can touch holds, so that a test can compare declared movements with what happened.
import assert from 'node:assert/strict';
import { decodeEventLog, type Hex } from 'viem';
import { type ExplainedCall, explainCalls } from '#sdk/actions/explainCalls.ts';
import type { Account, Movement } from '#sdk/actions/movements.ts';
import type { PreparedCalls } from '#sdk/actions/prepareAction.ts';
import type { MarketAccess } from '#sdk/actions/reads.ts';
import { contractAbis } from '#sdk/chain/abis.ts';
import { type MarketContracts, marketCall } from '#sdk/chain/contracts.ts';
import { type Asker, askNamed } from '#sdk/chain/rpc.ts';
import { latestBlock, receiptOf } from '#sdk/chain/rpcRequests.ts';
import { type Address, addressKey, isSameAddress } from '#sdk/domain/address.ts';
import type { Market } from '#sdk/domain/market.ts';

type Balances = ReadonlyMap<string, bigint>;
type Sent = { readonly transactionHashes: readonly string[] };

/** Compares what the calls declare with what the accounts hold before and after `send`. */
export async function checkMovements<T extends Sent>(
  { calls, from, action, market: given }: PreparedCalls,
  { rpc, access, treasury }: { rpc: Asker; access: MarketAccess; treasury: Address },
  send: () => Promise<T>,
): Promise<T> {
  const market = given as Market;
  const own = access.contracts[market];
  const explained = await explainCalls(calls, from, access);
  const people = listPeople(explained, from, treasury);
  const [before, vault] = await Promise.all([
    readBalances(rpc, access, market, people),
    readStaking(rpc, own),
  ]);
  const sent = await send();
  const [after, { time: end }, flushed] = await Promise.all([
    readBalances(rpc, access, market, people),
    rpc.ask(latestBlock()),
    sumFlushes(rpc, own.paymentGateway, sent.transactionHashes),
  ]);
  const grown = growBetween(vault, end);
  const earned = (owner: Address, place: 'rewards' | 'credits') =>
    ((before.get(`TOK stake ${addressKey(owner)}`) ?? 0n) * grown[place]) / scale;
  const changeOf = (key: string) => (after.get(key) ?? 0n) - (before.get(key) ?? 0n);
  // What the call leaves open by its own words is known once it is mined.
  const movements = explained
    .flatMap((one) => one.movements)
    .map((one) => {
      if (one.note === 'at most') return { ...one, amount: checkPrice(one, changeOf('USDC pool')) };
      const isReward = one.from.place === 'rewards';
      return isReward ? { ...one, amount: (one.amount ?? 0n) + earned(one.from.owner, 'rewards') } : one;
    });
  const declared = sumUp(movements, treasury);
  const byTime = new Map([
    ['TOK fees', -flushed.fees],
    [`TOK wallet ${addressKey(treasury)}`, flushed.toTreasury],
    ...people.flatMap((one): [string, bigint][] => [
      [`TOK rewards ${one}`, earned(one, 'rewards')],
      [`credits credits ${one}`, earned(one, 'credits')],
    ]),
  ]);
  // The vault divides twice on the way to what a wallet has earned, and drops a fraction each time.
  const isDivided = (key: string) => /rewards|credits/.test(key) || action === 'claim-reward';
  for (const key of after.keys()) {
    const odd = changeOf(key) - (declared.get(key) ?? 0n) - (byTime.get(key) ?? 0n);
    const most = isDivided(key) ? 1n : 0n;
    assert.ok(odd >= -most && odd <= most, `${action}: ${key} differs by ${odd}`);
  }
  // Nothing is declared for an account that was not looked at; credits that pay a fee are gone.
  assert.deepEqual(
    [...declared.keys()].filter((key) => !after.has(key) && key !== 'credits fees'),
    [],
    action,
  );
  await checkState(explained, access, market, action);
  return sent;
}

/** What the pool got for the TOK, within the bound that was declared. */
function checkPrice({ amount }: Movement, got: bigint): bigint {
  assert.ok(got > 0n && got <= (amount ?? 0n), `the pool got ${got}, declared are ${amount} at most`);
  return got;
}

/** Of the fees that a day has brought, a part is burned, a part goes to stakers and a part to the treasury. */
async function sumFlushes(rpc: Asker, gateway: Address, hashes: readonly string[]) {
  const receipts = await rpc.askAll(hashes.map((hash) => receiptOf(hash as Hex)));
  const logs = receipts
    .flatMap((one) => one?.logs ?? [])
    .filter((log) => isSameAddress(log.address, gateway));
  const sums = { fees: 0n, toTreasury: 0n };
  for (const { topics, data } of logs) {
    const event = decodeEventLog({
      abi: contractAbis.paymentGateway,
      topics: topics as [Hex, ...Hex[]],
      data,
    });
    if (event.eventName !== 'FeesFlushed') continue;
    const { burned, toStaking, toTreasury } = event.args;
    sums.fees += burned + toStaking + toTreasury;
    sums.toTreasury += toTreasury;
  }
  return sums;
}

const scale = 10n ** 18n;
const drip = 7n * 86_400n;

function readStaking(rpc: Asker, own: MarketContracts) {
  return askNamed(rpc, {
    staked: marketCall(own, 'stakingVault', 'totalStaked', []),
    reserve: marketCall(own, 'stakingVault', 'rewardReserve', []),
    creditRate: marketCall(own, 'stakingVault', 'creditRate', []),
    perTokRate: marketCall(own, 'stakingVault', 'perTokRate', []),
    remaining: marketCall(own, 'stakingVault', 'creditsRemaining', []),
    lastUpdate: marketCall(own, 'stakingVault', 'lastUpdate', []),
    block: latestBlock(),
  });
}

/** What time alone brings to each staked wei between what was read and the block of `end`, scaled as in the vault. */
function growBetween(vault: Awaited<ReturnType<typeof readStaking>>, end: number) {
  const { staked, reserve, creditRate, perTokRate, remaining, lastUpdate, block } = vault;
  const least = (one: bigint, other: bigint) => (one < other ? one : other);
  const until = (moment: number) => {
    const elapsed = BigInt(moment - lastUpdate);
    if (staked === 0n) return { rewards: 0n, credits: 0n };
    const released = (reserve * least(elapsed, drip)) / drip;
    const issued = least(least((staked * perTokRate) / scale, creditRate) * elapsed, remaining);
    return { rewards: (released * scale) / staked, credits: (issued * scale) / staked };
  };
  const [first, last] = [until(block.time), until(end)];
  return { rewards: last.rewards - first.rewards, credits: last.credits - first.credits };
}

function listPeople(explained: readonly ExplainedCall[], from: Address, treasury: Address): Address[] {
  const found = explained.flatMap(({ task, movements }) => [
    task?.poster,
    task?.worker,
    task?.dispute?.judge,
    task?.dispute?.workerPayer,
    ...movements.flatMap((one) => [one.from, one.to].map((end) => ('owner' in end ? end.owner : null))),
  ]);
  return [...new Set([from, treasury, ...found].filter((one) => one != null).map(addressKey))];
}

async function readBalances(
  rpc: Asker,
  { contracts, reads }: MarketAccess,
  market: Market,
  people: readonly Address[],
): Promise<Balances> {
  const own = contracts[market];
  const { tokPool } = own;
  const [wallets, { escrow, court, bonded, fees }, pool] = await Promise.all([
    Promise.all(people.map((one) => reads.readWallet(market, one))),
    askNamed(rpc, {
      escrow: marketCall(own, 'tokToken', 'balanceOf', [own.escrowVault]),
      court: marketCall(own, 'tokToken', 'balanceOf', [own.disputeCourt]),
      bonded: marketCall(own, 'disputeCourt', 'totalBonded', []),
      fees: marketCall(own, 'paymentGateway', 'pendingFees', []),
    }),
    tokPool === undefined ? null : reads.readWallet(market, tokPool),
  ]);
  return new Map([
    ['TOK escrow', escrow],
    ['TOK disputeBonds', court - bonded],
    ['TOK fees', fees],
    ...(pool === null
      ? []
      : ([
          ['TOK pool', pool.tokWei],
          ['USDC pool', pool.usdc],
        ] as const)),
    ...wallets.flatMap(({ tokWei, usdc, deposit, staking, arbitrator }, at): [string, bigint][] => [
      [`TOK wallet ${people[at]}`, tokWei],
      [`USDC wallet ${people[at]}`, usdc],
      [`USDC collateral ${people[at]}`, deposit.balance - deposit.locked],
      [`USDC bond ${people[at]}`, deposit.locked],
      [`TOK stake ${people[at]}`, staking.staked],
      [`TOK rewards ${people[at]}`, staking.rewards],
      [`credits credits ${people[at]}`, staking.credits],
      [`TOK arbitratorBond ${people[at]}`, arbitrator.bond],
    ]),
  ]);
}

/** The treasury is a wallet like others. */
function sumUp(movements: readonly Movement[], treasury: Address): Balances {
  const sums = new Map<string, bigint>();
  for (const { token, amount, from, to } of movements) {
    assert.notEqual(amount, null);
    const add = (end: Account, change: bigint) => {
      const account: Account = end.place === 'treasury' ? { place: 'wallet', owner: treasury } : end;
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
