// What a call does is decoded from its bytes and address, not taken from its description.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteConfig } from '@svc/sdk';
import { catalog } from '@svc/sdk/actions';
import { buildTaskDocument } from '@svc/sdk/documents';
import { hashCriteria, parseTok, parseUsdc } from '@svc/sdk/domain';
import type { CallsDraft } from '@svc/sdk/internal/actions/action';
import { encodeApprove } from '@svc/sdk/internal/actions/approvals';
import { encodeBuyPlan } from '@svc/sdk/internal/actions/buyPlan';
import { encodeTopUp } from '@svc/sdk/internal/actions/collateral';
import { type CallContracts, encodeCall } from '@svc/sdk/internal/chain/encodeCall';
import { buildAddressBook, decodeCall } from './decodeCall.ts';

const address = (digit: string) => `0x${digit.repeat(40)}` as const;
const contracts = {
  tokToken: address('1'),
  taskRegistry: address('2'),
  depositVault: address('3'),
  paymentGateway: address('5'),
  stakingVault: address('6'),
  disputeCourt: address('9'),
  usdc: address('C'),
} as CallContracts;
const site = {
  market: 'standard',
  contracts,
  limits: { accessFeeTokWei: parseTok('1000').toString() },
} as unknown as SiteConfig;
const book = buildAddressBook([site]);
const only = <T>([first]: readonly T[]): T => first as T;

test('a milestone has the same number where the call is prepared and where it is decoded', async () => {
  for (const action of [catalog.acceptMilestone, catalog.submitProof]) {
    const task = { updatedAt: 1_900_000_000, milestone: 1, milestones: [1n, 1n, 1n], scope: 'open' };
    const args = { taskId: { market: 'standard', number: 7n }, proofHash: hashCriteria('work') };
    const delivery = { milestone: 1, links: [], artifacts: [] };
    const draft = await action.build({ ...args, ...delivery } as never, { task, contracts } as never);
    const { calls, steps } = (draft as CallsDraft).encoded;
    assert.match(only(steps).summary, / milestone 2 of task 7$/);
    const { sentence, args: shown } = decodeCall(book, only(calls));
    assert.equal(sentence, only(steps).summary);
    assert.equal(shown.find(({ name }) => name === 'milestone')?.value, '2');
  }
});

test('evidence whose hash is zero is nothing to add only without a link', () => {
  for (const [uri, sentence] of [
    ['', 'Say that you have nothing to add to the dispute of task 7'],
    ['https://work.example/12', 'Add evidence to the dispute of task 7'],
  ] as const) {
    const evidence = [7n, `0x${'0'.repeat(64)}`, uri] as const;
    const { calls, steps } = encodeCall(contracts, 'DisputeCourt', 'submitEvidence', evidence);
    assert.deepEqual([decodeCall(book, only(calls)).sentence, only(steps).summary], [sentence, sentence]);
  }
});

test('an approval is a sentence with the spender and the exact amount in the token’s unit', () => {
  const call = only(encodeApprove(contracts, 'TokToken', 'paymentGateway', parseTok('1500.25')).calls);
  assert.deepEqual(decodeCall(book, call), {
    contract: 'the TOK token',
    functionName: 'approve',
    sentence: 'Allow the payment gateway (standard) to take 1,500.25 TOK',
    args: [
      { name: 'spender', value: 'the payment gateway (standard)', hex: contracts.paymentGateway },
      { name: 'value', value: '1,500.25 TOK', wei: parseTok('1500.25') },
    ],
    uri: null,
  });
  const usdc = decodeCall(book, { ...call, to: contracts.usdc.toLowerCase() });
  assert.match(usdc.args[1]?.value ?? '', / USDC$/);
});

test('an unlimited allowance says so, and a plan is shown in the currency that pays it', () => {
  const approval = only(encodeApprove(contracts, 'TokToken', 'paymentGateway', 2n ** 256n - 1n).calls);
  assert.equal(decodeCall(book, approval).args[1]?.value, 'any amount of TOK');
  const plan = { tier: 'basic', maxPay: parseUsdc('20'), minDailyLimit: 25, minDays: 30 } as const;
  const paid = (payWith: 'tok' | 'usdc') =>
    decodeCall(book, only(encodeBuyPlan(contracts, { ...plan, payWith }).calls));
  assert.match(paid('usdc').args[2]?.value ?? '', /^20 USDC$/);
  assert.match(paid('tok').args[2]?.value ?? '', / TOK$/);
  assert.match(paid('tok').sentence ?? '', /^Buy the posting plan "basic", 25 posts a day for 30 days/);
});

test('an unknown contract has no name, whatever its bytes say', () => {
  const call = only(encodeTopUp(contracts, parseUsdc('12.5')).calls);
  assert.deepEqual(decodeCall(book, call).args, [{ name: 'amount', value: '12.5 USDC' }]);
  assert.equal(decodeCall(book, { ...call, to: address('d') }).contract, null);
});

test('bytes that are no call of the contract are unreadable', () => {
  const { data: whole } = only(encodeApprove(contracts, 'TokToken', 'paymentGateway', 1n).calls);
  const none = only(encodeCall(contracts, 'TaskRegistry', 'startWork', [0n, hashCriteria('x')]).calls);
  assert.equal(decodeCall(book, none).functionName, null, 'there is no task 0');
  const longer = { to: contracts.tokToken, data: `${whole}00` };
  assert.equal(decodeCall(book, longer).sentence, null, 'bytes behind a call');
  for (const data of ['0x', '0x12345678', '0xa9059cbb'])
    assert.deepEqual(decodeCall(book, { to: contracts.taskRegistry, data }), {
      contract: 'the task registry (standard)',
      functionName: null,
      sentence: null,
      args: [],
      uri: null,
    });
});

test('a post shows its texts in full, and words instead of hashes', () => {
  const { uri } = buildTaskDocument({
    title: 'Birds',
    description: '',
    criteria: `Ten names.\n${'x'.repeat(2_000)}`,
    tags: [],
  });
  const post = decodeCall(
    book,
    only(
      encodeCall(contracts, 'TaskRegistry', 'postTask', [
        {
          totalAmount: parseTok('1500'),
          deadline: 1_900_000_000n,
          reviewPeriod: 86_400,
          criteriaHash: hashCriteria('Ten names.'),
          milestones: [],
          uri,
          fundNow: 0n,
        },
      ]).calls,
    ),
  );
  assert.equal(post.uri, uri);
  assert.ok(!post.args.some(({ name }) => name === 'uri'));
  for (const { name, value } of post.args) assert.doesNotMatch(value, /0x/, `${name} is shown in words`);
  const hash = { value: 'fingerprint of the acceptance criteria', hex: hashCriteria('Ten names.') };
  assert.deepEqual(
    post.args.find(({ name }) => name === 'criteriaHash'),
    { name: 'criteriaHash', ...hash },
  );
});
