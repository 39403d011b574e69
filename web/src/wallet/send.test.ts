// What a wallet was asked for counts as done only if the chain carried out that very call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from '@svc/sdk/chain';
import { createClient, custom, type Hex } from 'viem';
import { base } from 'viem/chains';
import { awaitMarket } from './awaitMarket.ts';
import { explainFailure, type Memory, sendCalls } from './send.ts';
import type { WalletClient } from './useWallet.ts';

const owner = `0x${'a'.repeat(40)}` as const;
const hashOf = (digit: string) => `0x${digit.repeat(64)}` as Hex;
const [first, second, other] = [hashOf('1'), hashOf('2'), hashOf('f')];
const calls: Call[] = ['0x01', '0x02'].map((data) => ({
  to: `0x${'b'.repeat(40)}`,
  value: '0x0',
  data: data as Hex,
}));

type Sent = { readonly hash: Hex; readonly to: Hex; readonly input: Hex };

/** A wallet over a chain of one block: what it was asked for goes out, and in its place `mined` comes into the block. */
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

const quiet = { onProgress: () => undefined, signal: new AbortController().signal };

test('a transaction that its owner cancelled in the wallet is told as one, and may be sent again', async () => {
  for (const inPlace of [
    { hash: other, to: owner, input: '0x' },
    { hash: other, to: owner, input: '0xff' },
  ] as const) {
    const { client } = createWallet((asked) => (asked.hash === second ? inPlace : asked));
    const hashes: Hex[] = [];
    const failed: (readonly Hex[])[] = [];
    const memory: Memory = {
      expect: async () => undefined,
      keep: async () => undefined,
      fail: async (sent) => void failed.push(sent),
    };
    await assert.rejects(
      sendCalls(client, calls, hashes, { ...quiet, memory }),
      /You cancelled or replaced it in the wallet: it was not carried out/,
    );
    assert.deepEqual(hashes, [first]);
    assert.deepEqual(failed, [[first, other]]);
  }
});

test('one that its owner sped up counts by its new hash', async () => {
  const { client } = createWallet((asked) => (asked.hash === second ? { ...asked, hash: other } : asked));
  const hashes: Hex[] = [];
  const receipts = await sendCalls(client, calls, hashes, quiet);
  assert.deepEqual(hashes, [first, other]);
  assert.equal(receipts.at(-1)?.transactionHash, other);
});

test('whoever leaves is asked for no further signature', async () => {
  const leaving = new AbortController();
  const { client, asked } = createWallet((sent) => sent);
  const sending = sendCalls(client, calls, [], {
    signal: leaving.signal,
    onProgress: ({ stage }) => {
      if (stage === 'mined') leaving.abort(new Error('You left.'));
    },
  });
  await assert.rejects(sending, (error) => explainFailure(error) === 'You left.');
  assert.deepEqual(
    asked.map(({ hash }) => hash),
    [first],
  );
});

test('the market is said to show a block only once it does', async () => {
  const heights = [3, 4, 5];
  assert.equal(await awaitMarket(5n, async () => heights.shift() ?? 0, 0), true);
  assert.equal(await awaitMarket(6n, async () => 5, 0), false);
  assert.equal(await awaitMarket(6n, () => Promise.reject(new Error('away')), 0), false);
});
