// What prepare says when calls would revert. Nodes that cannot try them: simulate.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PreparedCalls } from '#sdk/actions/prepareAction.ts';
import { offer } from '../support/preparing.ts';
import { preparing } from './market.ts';

const plain = { ...offer, totalAmountTok: '300' };

test('a wallet without collateral gets the command that fixes it, and that one works', async () => {
  const { act, prepareCalls, addressOf } = preparing;
  const { taskId } = await act('post-task', 'newcomer', plain);
  const refused = await prepareCalls('claim-task', 'treasury', { taskId });
  assert.ok(refused.simulation.status === 'reverted');
  assert.equal(refused.simulation.error, 'BelowEntry');
  assert.equal(refused.simulation.fix?.action, 'top-up');
  const command = `svc prepare top-up --market standard --amount-usdc 25 --from ${addressOf('treasury')}`;
  assert.equal(refused.simulation.fix?.command, command);
  await act('top-up', 'treasury', { amountUsdc: '25' });
  const { simulation } = await prepareCalls('claim-task', 'treasury', { taskId });
  assert.equal(simulation.status, 'success');
  await act('cancel-task', 'newcomer', { taskId });
});

test('collateral that another party lacks is that party’s to add, and none is asked of the sender', async () => {
  const { act, prepare, prepareCalls, addressOf } = preparing;
  const [poster, worker] = [addressOf('newcomer'), addressOf('publisher')];
  const terms = await prepare('build-task-terms', { ...plain, poster, worker });
  const { signature: workerSignature } = await act('create-task', 'publisher', { terms, sign: true });
  const { simulation } = await prepareCalls('create-task', 'newcomer', { terms, workerSignature });
  assert.ok(simulation.status === 'reverted');
  assert.equal(simulation.error, 'BelowEntry');
  assert.match(simulation.fix?.text ?? '', new RegExp(`^${worker} has to add`));
  const command = `svc prepare top-up --market standard --amount-usdc 25 --from ${worker}`;
  assert.equal(simulation.fix?.command, command);
});

test('a withdrawal above the free amount names that amount, and suggests no top-up', async () => {
  const { simulation } = await preparing.prepareCalls('withdraw-deposit', 'visitor', { amountUsdc: '5000' });
  assert.ok(simulation.status === 'reverted');
  assert.equal(simulation.error, 'InsufficientFree');
  assert.match(simulation.fix?.text ?? '', /^At most [0-9.]+ USDC are free/);
  assert.equal(simulation.fix?.command, undefined);
});

test('the wrong state, the wrong wallet and the wrong time each name a way on', async () => {
  const { act, prepareCalls, addressOf } = preparing;
  const { taskId } = await act('post-task', 'newcomer', plain);
  const fixOf = async (name: string, who: 'newcomer' | 'visitor' | 'shop', args = {}) => {
    const { simulation } = await prepareCalls(name, who, { taskId, ...args });
    assert.ok(simulation.status === 'reverted', name);
    return `${simulation.error}: ${simulation.reason} ${simulation.fix?.text}`;
  };
  assert.match(await fixOf('start-work', 'newcomer'), /^WrongState: .*POSTED.* Possible now: claim-task/);
  assert.match(await fixOf('claim-task', 'newcomer'), /^SelfDeal: /);
  assert.match(await fixOf('cancel-task', 'shop'), new RegExp(`^NotPoster: .*${addressOf('newcomer')}`));
  assert.match(await fixOf('resolve-timed-out', 'shop'), /^TooEarly: .* Wait until then/);
  assert.match(await fixOf('fund-task', 'newcomer', { amountTok: '301' }), /^OverFunded: .*300 TOK/);
  await act('claim-task', 'visitor', { taskId });
  assert.match(await fixOf('fund-task', 'newcomer', { amountTok: '0' }), /^ZeroAmount: .*above 0/);
  assert.match(await fixOf('start-work', 'newcomer'), /^NotFullyFunded: .*300 TOK.* fund the task first/);
  await act('fund-task', 'newcomer', { taskId });
  assert.match(await fixOf('fund-task', 'newcomer'), /^ZeroAmount: .*nothing is left to fund/);
  await act('leave-task', 'visitor', { taskId });
});

test('a full posting quota is a warning, and stops nothing', async () => {
  const { prepare, addressOf } = preparing;
  const readQuota = async () => ({ tier: 'free', used: 3, limit: 3, canPost: false });
  const prepared = await prepare('post-task', { ...plain, from: addressOf('newcomer') }, { readQuota });
  assert.match(String(prepared.warnings), /quota of today is full \(3 of 3, plan free\)/);
  assert.equal((prepared as PreparedCalls).simulation.status, 'success');
  const away = async () => Promise.reject(new Error('the site is away'));
  const without = await prepare('post-task', { ...plain, from: addressOf('newcomer') }, { readQuota: away });
  assert.doesNotMatch(without.warnings.join(), /quota/);
  assert.match(without.warnings.join(), /^Keep up to 15 TOK in your wallet: a dispute/);
});
