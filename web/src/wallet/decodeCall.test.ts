// What a request's calls really do is read from their bytes and addresses, never from what is written beside them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallContracts } from '@svc/sdk/chain';
import { encodeApproveTokRouter, encodeBuyPlan, encodePostTask, encodeTopUp } from '@svc/sdk/chain';
import type { SiteConfig } from '@svc/sdk/client';
import { buildDocumentUri, hashCriteria, parseTok, parseUsdc } from '@svc/sdk/domain';
import { costsOf } from './callCosts.ts';
import { describeCall } from './callSentence.ts';
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

test('an approval names spender and exact amount in the token’s own unit', () => {
  const call = only(encodeApproveTokRouter(contracts, parseTok('1500.25')).calls);
  assert.deepEqual(decodeCall(book, call), {
    contract: 'TOK token',
    functionName: 'approve',
    args: [
      { name: 'spender', value: `${contracts.paymentGateway} (payment gateway (standard))` },
      { name: 'value', value: '1,500.25 TOK' },
    ],
    uri: null,
    site,
  });
  const usdc = decodeCall(book, { ...call, to: contracts.usdc.toLowerCase() });
  assert.match(usdc.args[1]?.value ?? '', / USDC$/);
});

test('an allowance without end says so, and a plan is told in what it is paid with', () => {
  const approval = only(encodeApproveTokRouter(contracts, 2n ** 256n - 1n).calls);
  assert.equal(decodeCall(book, approval).args[1]?.value, 'any amount of TOK');
  const paid = (payWith: 'tok' | 'usdc') =>
    decodeCall(
      book,
      only(encodeBuyPlan(contracts, { tier: 'basic', payWith, maxPay: parseUsdc('20') }).calls),
    );
  assert.match(paid('usdc').args[2]?.value ?? '', /^20 USDC$/);
  assert.match(paid('tok').args[2]?.value ?? '', / TOK$/);
});

test('what a call does is said in a sentence with names', () => {
  const { functionName, args } = decodeCall(
    book,
    only(encodeApproveTokRouter(contracts, parseTok('1500')).calls),
  );
  assert.equal(describeCall(functionName ?? '', args), 'Allow payment gateway (standard) to take 1,500 TOK');
  assert.equal(describeCall('constructor', []), null);
});

test('a deposit is told in USDC', () => {
  const call = only(encodeTopUp(contracts, parseUsdc('12.5')).calls);
  assert.deepEqual(decodeCall(book, call).args, [{ name: 'amount', value: '12.5 USDC' }]);
});

test('an unknown contract has no name, whatever its bytes say', () => {
  const call = only(encodeTopUp(contracts, 1n).calls);
  assert.equal(decodeCall(book, { ...call, to: address('d') }).contract, null);
});

test('bytes that are no call of the contract are named unreadable', () => {
  for (const data of ['0x', '0x12345678', '0xa9059cbb'])
    assert.deepEqual(decodeCall(book, { to: contracts.taskRegistry, data }), {
      contract: 'task registry (standard)',
      functionName: null,
      args: [],
      uri: null,
      site: null,
    });
});

test('a post carries its texts whole, and costs the fee and a bond beside its amount', () => {
  const uri = buildDocumentUri({
    title: 'Birds',
    description: '',
    criteria: `Ten names.\n${'x'.repeat(2_000)}`,
    tags: [],
  });
  const post = decodeCall(
    book,
    only(
      encodePostTask(contracts, {
        totalAmountTokWei: parseTok('1500'),
        deadline: 1_900_000_000,
        reviewPeriod: 86_400,
        criteriaHash: hashCriteria('Ten names.'),
        milestonesTokWei: [],
        uri,
        fundNowTokWei: 0n,
      }).calls,
    ),
  );
  assert.equal(post.uri, uri);
  assert.ok(!post.args.some(({ name }) => name === 'uri'));
  assert.deepEqual(
    costsOf(post).map(({ amount }) => amount),
    ['1,000 TOK', '5 USDC'],
  );
  const topUp = decodeCall(book, only(encodeTopUp(contracts, 1n).calls));
  assert.deepEqual(costsOf(topUp), []);
});
