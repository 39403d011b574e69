// Proves what `svc start` provides: a chain of the right kind, at the right time, that ends on a signal.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createWalletClient, erc20Abi, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { usdcAddress } from '#service/devnet/canonical.ts';
import { base } from './support/baseChain.ts';
import { ask, type RunningChain, startChain, wallSeconds } from './support/devnet.ts';

let chain: RunningChain;
before(async () => {
  chain = await startChain();
});
after(() => chain.stop());

test('a visitor gets test money, and nothing else is taken for an address', async () => {
  const { publicClient, deployment } = chain;
  const address = '0x00000000000000000000000000000000000000aa';
  assert.equal(await ask(publicClient, 'svc_fund', address), true);
  assert.equal(await publicClient.getBalance({ address }), 10n ** 18n);
  for (const [token, amount] of [
    [deployment.tokToken, 20_000n * 10n ** 18n],
    [usdcAddress, 200_000_000n],
  ] as const) {
    const call = { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] } as const;
    assert.equal(await publicClient.readContract(call), amount);
  }
  for (const params of [[], ['0x12'], [{ to: address }]])
    await assert.rejects(ask(publicClient, 'svc_fund', ...params), /svc_fund needs one address/);
});

test('a transaction gets a block at once, and the time of the block is the time on the wall', async () => {
  const { publicClient, report } = chain;
  const [sender] = report.accounts.slice(18);
  assert.ok(sender);
  const wallet = createWalletClient({
    chain: base,
    transport: http(report.rpcUrl),
    account: privateKeyToAccount(sender.privateKey),
  });
  const earliest = wallSeconds();
  const hash = await wallet.sendTransaction({ to: sender.address, value: 1n });
  const { blockNumber } = await publicClient.getTransactionReceipt({ hash });
  const latest = wallSeconds();
  const { timestamp } = await publicClient.getBlock({ blockNumber });
  // To the second: the chain rounds as well, and no two of its blocks share a second.
  const [from, to] = [earliest - 1, latest + 1];
  assert.ok(from <= timestamp && timestamp <= to, `${from} <= ${timestamp} <= ${to}`);
});

test('a restarted chain has another identity, though its contracts have the same addresses', async () => {
  const other = await startChain('--no-seed');
  await other.stop();
  assert.notEqual(other.report.chainIdentity, chain.report.chainIdentity);
  assert.notEqual(other.deployment.genesisHash, chain.deployment.genesisHash);
  assert.deepEqual(other.deployment.markets, chain.deployment.markets);
});

test('Ctrl-C ends it with exit 0 and leaves nothing running', async () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const { report, child, stop } = await startChain('--no-seed');
    const open = new WebSocket(report.wsUrl);
    await new Promise((resolve) => open.addEventListener('open', resolve));
    const { exitCode } = await stop(signal);
    assert.equal(exitCode, 0);
    assert.throws(() => process.kill(child.pid as number, 0), /ESRCH/);
    await assert.rejects(fetch(report.rpcUrl, { method: 'POST', body: '{}' }));
  }
});
