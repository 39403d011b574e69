// The declared movements of whole ways of a task, for the smallest odd amount and for the largest that a wallet has: `act`
// compares each of them with what the accounts really hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTok, formatUsdc, parseTok } from '#sdk/domain/amount.ts';
import { hashCriteria } from '#sdk/domain/terms.ts';
import type { AccountName } from '#service/devnet/accounts.ts';
import { offer } from '../support/preparing.ts';
import { preparing } from './market.ts';

const day = 86_400;
const poster: AccountName = 'newcomer';
const worker: AccountName = 'visitor';
/** The short form rounds each share, fee and half bond once; the long one does so in every phase. */
const isLong = Boolean(process.env.SVC_LONG_TESTS);
const proof = { proofHash: hashCriteria('work') };
const said = { evidenceText: 'It is not so.' };

const begin = (market: 'standard' | 'micro', total: bigint) => {
  const { act, advance, addressOf, prepare, access } = preparing;
  const [p, w] = [poster, worker];
  const arbitrator = addressOf('referee');
  const post = async (until: 'claimed' | 'active' | 'delivered', more = {}) => {
    const terms = { totalAmountTokWei: String(total), fundNowTokWei: String(total), ...more };
    const { taskId } = await act('post-task', p, { ...offer, market, deadline: '+30d', ...terms });
    await act('claim-task', w, { taskId });
    if (until !== 'claimed') await act('start-work', p, { taskId });
    if (until === 'delivered') await act('submit-proof', w, { taskId, ...proof });
    return taskId;
  };
  const dispute = async (phase: 'answering' | 'unbonded' | 'proposing' | 'assigned', more = {}) => {
    const taskId = await post('delivered', more);
    await act('open-dispute', p, { taskId, ...said });
    if (phase === 'answering') return taskId;
    await act('answer-dispute', w, { taskId, ...said, withoutBond: phase === 'unbonded' });
    if (phase !== 'assigned') return taskId;
    await act('propose-arbitrator', p, { taskId, arbitrator });
    await act('propose-arbitrator', w, { taskId, arbitrator });
    return taskId;
  };
  const settle = async (taskId: string, workerBps: number) => {
    const { prepared, signature } = await act('mutual-settle', w, { taskId, workerBps, sign: true });
    const signed = { validUntil: prepared.validUntil, workerSignature: signature };
    await act('mutual-settle', p, { taskId, workerBps, ...signed });
  };
  const rule = async (who: AccountName, taskId: string, workerBps: number) => {
    for (const side of [p, w]) await act('submit-evidence', side, { taskId, nothingToAdd: true });
    await act('resolve-dispute', who, { taskId, workerBps, reasonText: 'So it is.' });
  };
  const parts = [total / 3n, total - total / 3n].map((wei) => ({ amountTokWei: String(wei) }));
  const split = { totalAmountTokWei: undefined, milestones: parts };
  const payBoth = async () => {
    const taskId = await post('delivered', split);
    await act('accept-milestone', p, { taskId });
    await act('submit-proof', w, { taskId, ...proof });
    await act('accept-milestone', p, { taskId });
  };
  /** Agreed by both and funded in three parts, one of a single wei; its worker is dismissed at once, and again by a notice. */
  const agreeAndDismiss = async (fundNow: bigint) => {
    const parties = { poster: addressOf(p), worker: addressOf(w) };
    const amount = { totalAmountTokWei: String(total) };
    const terms = await prepare('build-task-terms', {
      ...offer,
      ...parties,
      ...amount,
      market,
      deadline: '+30d',
    });
    const { signature } = await act('create-task', w, { terms, sign: true });
    const { accessFeeTokWei } = await access.reads.readFigures(market);
    await act('approve-tok-router', w, { market, amountTokWei: String(accessFeeTokWei) });
    const { taskId } = await act('create-task', p, {
      terms,
      workerSignature: signature,
      fundNowTokWei: String(fundNow),
    });
    await act('fund-task', p, { taskId, amountTokWei: '1' });
    await act('fund-task', p, { taskId });
    await act('dismiss-worker', p, { taskId });
    await act('claim-task', w, { taskId });
    await act('start-work', p, { taskId });
    await act('dismiss-worker', p, { taskId });
    await advance(day + 1);
    await act('dismiss-worker', p, { taskId });
    await act('cancel-task', p, { taskId });
  };
  return { post, dispute, settle, rule, split, payBoth, agreeAndDismiss };
};

test('for the smallest amounts, with odd wei', async () => {
  const { act, advance, taskOf } = preparing;
  // Five hundredths of it, the bond of a dispute, are odd as well: its halves round.
  const [market, total] = ['micro', parseTok('3') + 27n] as const;
  for (const who of [poster, worker]) await act('top-up', who, { market, amountUsdc: '60' });
  await act('register-arbitrator', 'referee', { market, minHeldTok: '0' });
  const { post, dispute, settle, rule, split, payBoth, agreeAndDismiss } = begin(market, total);
  const [p, w] = [poster, worker];
  // What rounds; in the long form also rulings in which a side gets nothing.
  await rule('referee', await dispute('assigned', split), 3_333);
  await rule('fallback', await dispute('unbonded'), 9_999);
  await act('concede', p, { taskId: await dispute('assigned') });
  await act('concede', w, { taskId: await dispute('proposing') });
  await act('concede', p, { taskId: await dispute('answering') });
  await settle(await dispute('unbonded'), 77);
  await agreeAndDismiss(total / 2n);
  if (isLong) {
    await payBoth();
    await act('complete-task', p, { taskId: await post('active') });
    const left = await post('delivered');
    await act('leave-task', w, { taskId: left });
    await act('cancel-task', p, { taskId: left });
    await rule('referee', await dispute('assigned'), 10_000);
    await rule('fallback', await dispute('unbonded'), 0);
    await act('concede', p, { taskId: await dispute('unbonded') });
    await act('concede', w, { taskId: await dispute('answering') });
    await settle(await dispute('assigned'), 1_234);
  }
  // Time passes for all of these at once.
  const { taskId: unclaimed } = await act('post-task', p, {
    ...offer,
    market,
    totalAmountTok: '3',
    deadline: '+1d',
  });
  const late = [unclaimed, await post('claimed'), await post('delivered'), await dispute('answering')];
  const { taskId: unfunded } = await act('post-task', p, {
    ...offer,
    market,
    totalAmountTokWei: String(total),
    fundNowTokWei: String(total / 2n),
    deadline: '+30d',
  });
  await act('claim-task', w, { taskId: unfunded });
  const undecided = [await dispute('assigned')];
  if (isLong) undecided.push(await dispute('proposing'), await dispute('unbonded'));
  await advance(5 * day + 1);
  for (const taskId of [...late, unfunded]) await act('resolve-timed-out', 'umpire', { taskId });
  for (const taskId of undecided.slice(0, 2)) await act('escalate', 'umpire', { taskId });
  const active = await post('active', { deadline: '+1d' });
  await advance(7 * day + 1);
  for (const taskId of [...undecided, active]) await act('resolve-timed-out', 'umpire', { taskId });
  for (const taskId of undecided) assert.equal((await taskOf(taskId)).state, 'RESOLVED');
});

test('for the largest amount that a wallet has', async () => {
  const { act, walletOf } = preparing;
  const total = (await walletOf(poster)).tokWei / 4n - 1n;
  assert.ok(total > parseTok('10000'), formatTok(total));
  await act('register-arbitrator', 'referee', { minHeldTok: '0' });
  const { dispute, settle, rule, split, payBoth, agreeAndDismiss } = begin('standard', total);
  await payBoth();
  await rule('referee', await dispute('assigned', split), 3_333);
  await settle(await dispute('proposing'), 9_999);
  await agreeAndDismiss(0n);
});

test('for one wei and for half of a wallet as an arbitrator’s bond', async () => {
  const { act, advance, walletOf } = preparing;
  const market = 'micro';
  const half = (await walletOf(worker, market)).tokWei / 2n;
  await act('register-arbitrator', worker, { market, minHeldTok: '0' });
  for (const wei of [1n, half])
    await act('register-arbitrator', worker, { market, amountTokWei: String(wei) });
  assert.ok((await walletOf(worker, market)).arbitrator.bond > half);
  await act('unbond-arbitrator', worker, { market });
  await advance(14 * day + 1);
  await act('withdraw-bond', worker, { market });
});

test('for one unit and for half of a wallet as collateral and stake, and for a fee that credits pay', async () => {
  const { act, advance, walletOf } = preparing;
  const market = 'micro';
  const { tokWei, usdc } = await walletOf(poster, market);
  for (const amountUsdc of ['0.000001', formatUsdc(usdc / 2n)]) {
    await act('top-up', poster, { market, amountUsdc });
    await act('withdraw-deposit', poster, { market, amountUsdc });
  }
  for (const wei of [parseTok('10000'), 1n, tokWei / 2n])
    await act('stake', poster, { market, amountTokWei: String(wei) });
  await advance(30 * day);
  await act('unstake', poster, { market, amountTokWei: '1' });
  await act('unstake', poster, { market, amountTokWei: String(tokWei / 2n) });
  await act('top-up', poster, { market, amountUsdc: '60' });
  const before = await walletOf(poster, market);
  const terms = { ...offer, market, totalAmountTok: '3', fundNowTok: '3' } as const;
  const { prepared } = await act('post-task', poster, terms);
  const after = await walletOf(poster, market);
  assert.match(String(prepared.money), /credits from your Action Credits to the market’s fees/);
  assert.equal(before.tokWei - after.tokWei, parseTok('3'), 'the fee costs no TOK');
  assert.ok(after.staking.credits < before.staking.credits);
});
