// A call counts as done only if the chain executed exactly that call, and no call is sent twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from '@svc/sdk/chain';
import type { EncodedCalls } from '@svc/sdk/internal/chain/encodeCall';
import { createClient, custom, type Hex } from 'viem';
import { base } from '../../../test/support/baseChain.ts';
import { explainError } from './explainError.ts';
import { chooseRetry, type SentLog, type Sequence, sendCalls, waitForMarket } from './send.ts';
import type { WalletClient } from './useWallet.tsx';

const owner = `0x${'a'.repeat(40)}` as const;
const hashOf = (digit: string) => `0x${digit.repeat(64)}` as Hex;
const [first, second, other] = [hashOf('1'), hashOf('2'), hashOf('f')];
const calls: Call[] = ['0x01', '0x02'].map((data) => ({
  to: `0x${'b'.repeat(40)}`,
  value: '0x0',
  data: data as Hex,
}));

type Sent = { readonly hash: Hex; readonly to: Hex; readonly input: Hex };

/** A wallet on a chain of one block. `mined` decides which transaction the block holds for each one sent. */
function createWallet(mined: (asked: Sent) => Sent) {
  const asked: Sent[] = [];
  const block: Sent[] = [];
  const show = (sent: Sent, at: number) => ({
    ...sent,
    from: owner,
    nonce: `0x${at.toString(16)}`,
    value: '0x0',
    type: '0x2',
    blockNumber: block.some(({ hash }) => hash === sent.hash) ? '0x1' : null,
  });
  const answers: Readonly<Record<string, (...params: never[]) => unknown>> = {
    eth_call: () => '0x',
    eth_estimateGas: () => '0x5208',
    eth_chainId: () => '0x2105',
    eth_blockNumber: () => '0x1',
    eth_sendTransaction: ({ to, data }: { to: Hex; data: Hex }) => {
      const sent = { hash: [first, second][asked.length] as Hex, to, input: data };
      asked.push(sent);
      block.push(mined(sent));
      return sent.hash;
    },
    eth_getTransactionByHash: (hash: Hex) => {
      const at = asked.findIndex((sent) => sent.hash === hash);
      return show(asked[at] as Sent, at);
    },
    eth_getTransactionReceipt: (hash: Hex) =>
      block.some((sent) => sent.hash === hash)
        ? { transactionHash: hash, blockNumber: '0x1', status: '0x1', logs: [], type: '0x2' }
        : null,
    eth_getBlockByNumber: () => ({ number: '0x1', transactions: block.map(show) }),
  };
  const request = async ({ method, params = [] }: { method: string; params?: never[] }) =>
    answers[method]?.(...params);
  const client = createClient({
    account: owner,
    chain: base,
    transport: custom({ request } as never, { retryCount: 0 }),
  });
  return { asked, client: client as WalletClient };
}

const options = { onProgress: () => undefined, signal: new AbortController().signal };

test('a transaction that was cancelled in the wallet is reported as such and can be sent again', async () => {
  for (const replacement of [
    { hash: other, to: owner, input: '0x' },
    { hash: other, to: owner, input: '0xff' },
  ] as const) {
    const { client } = createWallet((asked) => (asked.hash === second ? replacement : asked));
    const hashes: Hex[] = [];
    const failed: (readonly Hex[])[] = [];
    const log: SentLog = {
      saveAsked: async () => undefined,
      saveSent: async () => undefined,
      saveFailed: async (sent) => void failed.push(sent),
    };
    await assert.rejects(
      sendCalls(client, calls, hashes, { ...options, log }),
      /You cancelled or replaced this transaction in the wallet/,
    );
    assert.deepEqual(hashes, [first]);
    assert.deepEqual(failed, [[first, other]]);
  }
});

test('a transaction that was sped up counts with its new hash', async () => {
  const { client } = createWallet((asked) => (asked.hash === second ? { ...asked, hash: other } : asked));
  const hashes: Hex[] = [];
  const receipts = await sendCalls(client, calls, hashes, options);
  assert.deepEqual(hashes, [first, other]);
  assert.equal(receipts.at(-1)?.transactionHash, other);
});

test('after leaving, no further signature is requested', async () => {
  const leaving = new AbortController();
  const { client, asked } = createWallet((sent) => sent);
  const sending = sendCalls(client, calls, [], {
    signal: leaving.signal,
    onProgress: ({ stage }) => {
      if (stage === 'mined') leaving.abort(new Error('You left.'));
    },
  });
  await assert.rejects(sending, (error) => explainError(error) === 'You left.');
  assert.deepEqual(
    asked.map(({ hash }) => hash),
    [first],
  );
});

test('a check that fails before a signature stops the rest', async () => {
  const { client, asked } = createWallet((sent) => sent);
  const hashes: Hex[] = [];
  const check = async () => {
    if (hashes.length === 1) throw new Error('Somebody else has claimed this task.');
  };
  await assert.rejects(sendCalls(client, calls, hashes, { ...options, check }), /^Error: Somebody else/);
  assert.equal(asked.length, 1);
  await assert.rejects(sendCalls(client, calls, hashes, { ...options, check }), /^Error: Somebody else/);
  assert.equal(asked.length, 1, 'a retry asks for nothing either');
});

test('moments of the gateway are shown as people read them', () => {
  const error = new Error('It must have been in place until 2027-01-15T08:00:00Z.');
  assert.equal(explainError(error), 'It must have been in place until 2027-01-15 08:00 UTC.');
});

test('waiting for the market ends when it has indexed the block', async () => {
  const heights = [3, 4, 5];
  const waiting = { everyMs: 1, timeoutMs: 5 };
  assert.equal(
    await waitForMarket(5n, async () => heights.shift() ?? 0, { ...waiting, timeoutMs: 60_000 }),
    true,
  );
  assert.equal(await waitForMarket(6n, async () => 5, waiting), false);
  assert.equal(await waitForMarket(6n, () => Promise.reject(new Error('away')), waiting), false);
});

const toCall = (data: string): Call => ({
  to: `0x${'1'.repeat(40)}`,
  value: '0x0',
  data: data as `0x${string}`,
});
const planOf = (...data: string[]): EncodedCalls => ({ calls: data.map(toCall), steps: [] });
const sequenceOf = (calls: EncodedCalls, sentCount: number, minedCount = sentCount): Sequence => ({
  calls,
  hashes: calls.calls.slice(0, sentCount).map(({ data }) => data),
  minedCount,
});

const [approve, topUp, post, laterPost] = ['0x01', '0x02', '0x03', '0x04'];
const started = planOf(approve, topUp, post);

test('a retry continues, waits or starts again by what was sent and mined, and by what is planned now', () => {
  const cases: [what: string, sequence: Sequence | undefined, plan: EncodedCalls, choice: string][] = [
    ['nothing sent', undefined, started, 'restart'],
    ['nothing sent', sequenceOf(started, 0), planOf(laterPost), 'restart'],
    ['all sent', sequenceOf(started, 3, 2), planOf(laterPost), 'continue'],
    ['all sent', sequenceOf(started, 3), planOf(approve, topUp, laterPost), 'continue'],
    ['the same last call', sequenceOf(started, 1), planOf(topUp, post), 'continue'],
    ['the same last call', sequenceOf(started, 2, 1), planOf(post), 'continue'],
    ['another plan, all mined', sequenceOf(started, 2), planOf(laterPost), 'restart'],
    ['another plan, one not mined', sequenceOf(started, 2, 1), planOf(laterPost), 'wait'],
    ['a plan of old balances: deposited twice', sequenceOf(started, 2), planOf(topUp, laterPost), 'wait'],
  ];
  for (const [what, sequence, plan, choice] of cases) assert.equal(chooseRetry(sequence, plan), choice, what);
});
