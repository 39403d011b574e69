// Proves sending on a real EVM: nonces under concurrency, pipelines, reverts by name before and after they cost gas.
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeFunctionData } from 'viem';
import { testUsdcAbi } from '#contracts/generated/abi/testUsdc.ts';
import type { Address } from '#sdk/domain/address.ts';
import { addGasMargin, createSender, readFees, type Sender, type Signed } from '#sdk/send/keySender.ts';
import {
  addresses,
  connect,
  deployUsdc,
  type EmbeddedChain,
  keys,
  startEmbeddedChain,
} from './support/embeddedChain.ts';
import { startInterceptingProxy } from './support/interceptingProxy.ts';

let chain: EmbeddedChain;
let usdc: Address;
let sender: Sender;

before(async () => {
  chain = await startEmbeddedChain();
  usdc = await deployUsdc(chain);
  sender = createSender(connect(chain.url, keys.deployer));
});
after(() => chain.close());

const mint = (amount: bigint) => ({
  to: usdc,
  data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [addresses.deployer, amount] }),
});
const transfer = (amount: bigint) => ({
  to: usdc,
  data: encodeFunctionData({ abi: testUsdcAbi, functionName: 'transfer', args: [addresses.owner, amount] }),
});
const balanceOf = (address: Address) =>
  chain.publicClient.readContract({
    address: usdc,
    abi: testUsdcAbi,
    functionName: 'balanceOf',
    args: [address],
  });

test('a transaction may use more gas than was estimated: two slots that fill before its block, or a fifth of a large call', async () => {
  assert.deepEqual([100_000n, 1_000_000n].map(addGasMargin), [145_000n, 1_200_000n]);
  const { transactionHash: hash, gasUsed } = await sender.send(mint(1n));
  const { gas } = await chain.publicClient.getTransaction({ hash });
  assert.ok(gas >= gasUsed + 45_000n, `${gas} for ${gasUsed}`);
});

for (const [when, blockTimeMs, times] of [
  ['mined at once', 0, 4],
  ['that wait for a block', 100, 4],
] as const) {
  test(`two processes with one key send transactions ${when}, and each is mined once`, async (t) => {
    const senders = await startRivals(t);
    await setBlockTime(blockTimeMs);
    t.after(() => setBlockTime(0));
    const before = await balanceOf(addresses.deployer);
    const nonce = await countSent();
    const amounts = Array.from({ length: times }, (_, index) => 10n ** BigInt(index));
    const sent = amounts.map((amount, index) => (senders[index % 2] as Sender).send(mint(amount)));
    const receipts = await Promise.all(sent);
    assert.ok(receipts.every(({ status }) => status === 'success'));
    // Each amount sets a separate digit: a missing or repeated transfer shows.
    assert.equal((await balanceOf(addresses.deployer)) - before, BigInt('1'.repeat(times)));
    assert.equal((await countSent()) - nonce, times);
  });
}

test('a call with onSigned is signed once, also when its nonce is taken', async (t) => {
  const nonce = await countSent();
  const kept: string[] = [];
  const sent = (await startRivals(t)).map((rival, index) =>
    rival.send(mint(BigInt(index)), { onSigned: ({ hash }) => void kept.push(hash) }),
  );
  const outcomes = await Promise.allSettled(sent);
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.equal(kept.length, 2);
  assert.equal((await countSent()) - nonce, 1);
});

test('what was signed and not sent is sent once later; what cannot be sent any more says why', async () => {
  const sign = async (maxFeePerGas?: bigint) => {
    let kept: Signed | undefined;
    const onSigned = (signed: Signed) => {
      kept = signed;
      throw new Error('interrupted');
    };
    await assert.rejects(sender.send(mint(1n), { maxFeePerGas, onSigned }), { message: 'interrupted' });
    return kept ?? assert.fail('nothing was signed');
  };
  const nonce = await countSent();
  const [late, cheap] = [await sign(), await sign(1n)];
  await assert.rejects(sender.resend(mint(1n), cheap), (error: { code?: unknown }) => {
    assert.notEqual(error.code, 'TRANSACTION_REPLACED');
    return true;
  });
  for (let time = 0; time < 2; time++)
    assert.equal((await sender.resend(mint(1n), late)).transactionHash, late.hash);
  assert.equal((await countSent()) - nonce, 1);
  await assert.rejects(sender.resend(mint(1n), cheap), { code: 'TRANSACTION_REPLACED' });
});

test('calls of one sender at the same time take turns: each is signed once, with a nonce of its own', async (t) => {
  const [one] = (await startRivals(t)) as [Sender];
  const sent = [1n, 2n, 3n].map((amount) => one.send(mint(amount), { isSignedOnce: true }));
  const receipts = await Promise.all(sent);
  assert.ok(receipts.every(({ status }) => status === 'success'));
});

test('a transaction that the node calls known counts as sent, although another node does not have it', async (t) => {
  const proxy = await startInterceptingProxy(chain.url, async (method, forward) => {
    if (method === 'eth_getTransactionByHash') return { result: null };
    const answer = await forward();
    return method === 'eth_sendRawTransaction'
      ? { error: { code: -32_000, message: 'already known' } }
      : answer;
  });
  t.after(proxy.close);
  const nonce = await countSent();
  const { status } = await createSender(connect(proxy.url, keys.deployer)).send(mint(1n));
  assert.equal(status, 'success');
  assert.equal((await countSent()) - nonce, 1);
});

/** As two processes with one key: what either sends takes a while to be seen by the other. */
async function startRivals(t: TestContext): Promise<Sender[]> {
  const proxy = await startInterceptingProxy(chain.url, async (method, forward) => {
    if (method === 'eth_sendRawTransaction') await pause(100);
    return forward();
  });
  t.after(proxy.close);
  return [1, 2].map(() => createSender(connect(proxy.url, keys.deployer)));
}

const countSent = () => chain.publicClient.getTransactionCount({ address: addresses.deployer });

/** None: each transaction is mined at once. */
async function setBlockTime(milliseconds: number): Promise<void> {
  const ask = chain.publicClient.request as (call: { method: string; params: unknown[] }) => Promise<unknown>;
  await ask({ method: 'evm_setAutomine', params: [milliseconds === 0] });
  await ask({ method: 'evm_setIntervalMining', params: [milliseconds] });
}

test('a series longer than the limit of pending transactions is mined in order', async () => {
  const amounts = Array.from({ length: 40 }, (_, index) => BigInt(index + 1));
  const mined: number[] = [];
  const receipts = await sender.sendAll(
    amounts.map((amount) => ({ ...mint(amount), gas: 100_000n })),
    { onMined: (_, index) => mined.push(index) },
  );
  assert.deepEqual(mined, [...amounts.keys()]);
  const blocks = receipts.map(({ blockNumber }) => blockNumber);
  assert.deepEqual(
    blocks,
    [...blocks].sort((left, right) => Number(left - right)),
  );
});

test('a series stops when a call reverts, and onMined is not called, however late the revert is known', async (t) => {
  const row = await startLateFirst(t);
  const mined: number[] = [];
  const nonce = await countSent();
  const calls = [transfer(10n ** 30n), ...Array.from({ length: 39 }, () => mint(1n)), transfer(10n ** 29n)];
  const sent = row.sendAll(
    calls.map((call) => ({ ...call, gas: 100_000n })),
    { onMined: (_, index) => mined.push(index) },
  );
  await assert.rejects(sent, {
    code: 'TRANSACTION_REVERTED',
    message: /1000000000000 \(at 18 decimals\) are needed\.$/,
  });
  assert.deepEqual(mined, []);
  const sentCount = (await countSent()) - nonce;
  assert.ok(sentCount <= 16, `${sentCount} were sent`);
});

/** A node that takes its time over the first receipt it is asked for. */
async function startLateFirst(t: TestContext): Promise<Sender> {
  let asked = 0;
  const proxy = await startInterceptingProxy(chain.url, async (method, forward) => {
    if (method === 'eth_getTransactionReceipt' && asked++ === 0) await pause(300);
    return forward();
  });
  t.after(proxy.close);
  return createSender(connect(proxy.url, keys.deployer));
}

test('an abort stops sending and waiting', async (t) => {
  await setBlockTime(3_600_000);
  t.after(async () => {
    await setBlockTime(0);
    await sender.send(mint(1n));
  });
  const countPending = () =>
    chain.publicClient.getTransactionCount({ address: addresses.deployer, blockTag: 'pending' });
  const before = await countPending();
  const [one, row] = [new AbortController(), new AbortController()];
  const options = { signal: one.signal, onSigned: () => one.abort() };
  const sends = [1n, 2n].map((amount) => sender.send(mint(amount), options).catch((error) => error));
  const [first, second] = await Promise.all(sends);
  assert.equal(first.code, 'TRANSACTION_NOT_MINED');
  assert.equal(second, one.signal.reason);
  assert.equal((await countPending()) - before, 1);

  const told: number[] = [];
  const calls = [1n, 2n, 3n].map((amount) => ({ ...mint(amount), gas: 100_000n }));
  const onSent = (_: string, index: number) => {
    told.push(index);
    row.abort();
  };
  await assert.rejects(sender.sendAll(calls, { signal: row.signal, onSent }), {
    code: 'TRANSACTION_NOT_MINED',
  });
  await assert.rejects(
    sender.sendAll(calls, { signal: row.signal, onSent }),
    (error) => error === row.signal.reason,
  );
  assert.deepEqual(told, [0]);
  assert.equal((await countPending()) - before, 2);
});

test('a call that would revert is refused by name before it costs gas', async () => {
  const nonce = await chain.publicClient.getTransactionCount({ address: addresses.deployer });
  await assert.rejects(
    sender.send(transfer(10n ** 30n)),
    (error: Error & { code?: string; details?: unknown }) => {
      assert.equal(error.code, 'TRANSACTION_REVERTED');
      assert.match(
        error.message,
        new RegExp(
          `^${addresses.deployer} has [0-9.]+ .* of a token, but 1000000000000 \\(at 18 decimals\\) are needed\\.$`,
        ),
      );
      return true;
    },
  );
  assert.equal(await chain.publicClient.getTransactionCount({ address: addresses.deployer }), nonce);
});

test('a cap limits the offered fees, and a cap above the usual fees changes nothing', async () => {
  const usual = await readFees(chain.publicClient);
  for (const [maxFeePerGas, offered] of [
    [usual.maxFeePerGas - 1n, usual.maxFeePerGas - 1n],
    [10n * usual.maxFeePerGas, undefined],
  ] as const) {
    const expected = offered ?? (await readFees(chain.publicClient)).maxFeePerGas;
    const { transactionHash: hash } = await sender.send({ to: addresses.owner, value: 7n }, { maxFeePerGas });
    const sent = await chain.publicClient.getTransaction({ hash });
    assert.deepEqual([sent.maxFeePerGas, sent.value], [expected, 7n]);
  }
});
