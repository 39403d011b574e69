// Proves that a kept chain comes back as it was: same blocks, hashes, state and clock; and that damage is named.
import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, afterEach, beforeEach, test } from 'node:test';
import { numberToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { accountOf, accounts } from '#service/devnet/accounts.ts';
import { type ChainFile, openChainFile } from '#service/devnet/chainFile.ts';
import { createEvm, type Evm } from '#service/devnet/evm.ts';
import { keepChain, playChain } from '#service/devnet/keptChain.ts';
import { createFolder } from './support/svc.ts';

const folder = createFolder({ after });

const start = { isSeeded: false, genesisTime: 1_790_000_000, beaconRoot: `0x${'5a'.repeat(32)}` } as const;
const whale = '0x00000000000000000000000000000000000000aa';
const [operator, newcomer] = [accountOf('operator'), privateKeyToAccount(accountOf('newcomer').privateKey)];

let path: string;
let file: ChainFile;
let chains = 0;
beforeEach(() => {
  path = join(folder, `chain${++chains}.sqlite`);
  file = openChainFile(path, { isFresh: false });
});
afterEach(() => file.close());

async function createKept(): Promise<Evm> {
  const evm = await createEvm({ chainId: 8453, accounts, ...start });
  file.begin(start);
  file.finish('{}');
  return keepChain(evm, file, 0);
}

/** What the file gives to a new process. */
async function play(): Promise<Evm> {
  file.close();
  file = openChainFile(path, { isFresh: false });
  const kept = file.load();
  assert.ok(kept);
  const evm = await createEvm({ chainId: 8453, accounts, ...kept });
  const head = await playChain(evm, path, kept);
  return keepChain(evm, file, head, kept.aheadSeconds);
}

const call = (evm: Evm, method: string, ...params: unknown[]) => evm.request({ method, params });

async function readBlocks(evm: Evm): Promise<unknown[]> {
  const head = Number(await call(evm, 'eth_blockNumber'));
  const numbers = Array.from({ length: head + 1 }, (_, number) => numberToHex(number));
  return Promise.all(numbers.map((number) => call(evm, 'eth_getBlockByNumber', number, true)));
}

async function useChain(evm: Evm): Promise<void> {
  await call(evm, 'hardhat_setBalance', whale, '0xde0b6b3a7640000');
  const send = (fields: object) =>
    call(evm, 'eth_sendTransaction', { from: operator.address, to: whale, value: '0x1', ...fields });
  await send({});
  await send({ gasPrice: '0x77359400' });
  await send({ to: undefined, data: '0x6001600055', value: '0x0' });
  for (const type of ['legacy', 'eip1559'] as const) {
    const fees =
      type === 'legacy'
        ? { gasPrice: 2_000_000_000n }
        : { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1n };
    const nonce = type === 'legacy' ? 0 : 1;
    const fields = { type, chainId: 8453, nonce, to: operator.address, value: 1n, gas: 21_000n, ...fees };
    await call(
      evm,
      'eth_sendRawTransaction',
      await newcomer.signTransaction(fields as Parameters<typeof newcomer.signTransaction>[0]),
    );
  }
  await call(evm, 'hardhat_impersonateAccount', whale);
  await send({ from: whale, to: operator.address });
  // Reading a pending block must not change the next one.
  await call(evm, 'eth_getBlockByNumber', 'pending', false);
  await call(evm, 'evm_setAutomine', false);
  await send({});
  await send({});
  await call(evm, 'evm_mine');
  await call(evm, 'evm_setAutomine', true);
  const snapshot = await call(evm, 'evm_snapshot');
  await call(evm, 'hardhat_setBalance', whale, '0x1');
  await send({ value: '0x5' });
  assert.equal(await call(evm, 'evm_revert', snapshot), true);
  await call(evm, 'evm_increaseTime', 86_400);
  await send({ value: '0x7' });
}

test('every block, transaction and balance comes back, and the chain goes on as it would have', async () => {
  const first = await createKept();
  await useChain(first);
  const before = await readBlocks(first);
  assert.ok(before.length > 8);
  const second = await play();
  assert.deepEqual(await readBlocks(second), before);
  for (const address of [whale, operator.address, newcomer.address])
    assert.equal(
      await call(second, 'eth_getBalance', address, 'latest'),
      await call(first, 'eth_getBalance', address, 'latest'),
    );
  // A third start has what was added after the second one.
  await useChain({ ...second, request: rewriteNonces(second) });
  assert.deepEqual(await readBlocks(await play()), await readBlocks(second));
});

/** The raw transactions of `useChain` are mined by then; only the others are sent again. */
function rewriteNonces(evm: Evm): Evm['request'] {
  return async (request) => (request.method === 'eth_sendRawTransaction' ? null : evm.request(request));
}

test('a state call without a block after it is kept, too', async () => {
  const evm = await createKept();
  await call(evm, 'evm_mine');
  await call(evm, 'hardhat_setBalance', whale, '0x99');
  assert.equal(await call(await play(), 'eth_getBalance', whale, 'latest'), '0x99');
});

test('what was not kept whole is not kept: a chain that was interrupted before it was ready is new again', async () => {
  file.begin(start);
  file.add({ method: 'evm_mine', params: [], timestamp: 1, block: 1, hash: '0x' });
  file.close();
  file = openChainFile(path, { isFresh: false });
  assert.equal(file.load(), null);
});

test('a second process is refused, and cannot delete the chain of the first one', async () => {
  await createKept();
  for (const isFresh of [false, true])
    assert.throws(() => openChainFile(path, { isFresh }), { code: 'CHAIN_FILE_BUSY' });
  assert.ok(file.load());
});

const run = (sql: string) => () => {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
};

for (const [name, damage, reason] of [
  [
    'a changed transaction',
    run("UPDATE calls SET params = replace(params, '0x02', '0x01') WHERE method = 'eth_sendRawTransaction'"),
    /block 5 cannot be mined again: /,
  ],
  [
    'a changed time',
    run('UPDATE calls SET timestamp = timestamp + 1 WHERE block = 3'),
    /block 3 was changed/,
  ],
  ['a missing block', run('DELETE FROM calls WHERE block = 4'), /block 5 cannot be mined again/],
  ['a missing call', run('DELETE FROM calls WHERE id = 1'), /block 1 was changed/],
  ['half a file', () => truncateSync(path, 4_096), /./],
  ['a file of something else', () => writeFileSync(path, 'not a chain'.repeat(1_000)), /./],
  ['overwritten pages', () => writeFileSync(path, readFileSync(path).fill(0xee, 4_096)), /./],
] as const)
  test(`${name} is found and named, not a crash, and --fresh begins a new chain`, async () => {
    await useChain(await createKept());
    file.close();
    damage();
    await assert.rejects(play(), (error: Error & { code: string }) => {
      assert.equal(error.code, 'CHAIN_FILE_DAMAGED');
      assert.match(error.message, reason);
      assert.match(error.message, /svc start --fresh/);
      return true;
    });
    file.close();
    file = openChainFile(path, { isFresh: true });
    assert.equal(file.load(), null);
  });
