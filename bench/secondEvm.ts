// `npm run second-evm`: executes every block of a seeded chain again in another EVM, ethereumjs, and compares the results.
//
// The embedded chain runs on EDR (revm, Rust), and so does `hardhat node`. ethereumjs shares no code with it. Every receipt
// (status, gas, logs) and, after every block, the state root (all balances, nonces, codes and storage) must be equal.
// It is installed for the run, because nothing else needs it: npm install --no-save @ethereumjs/vm@10.1.3
//
// --from <folder>   a folder in which it is installed; default this one
// --chain <file>    a kept chain (chain.sqlite of a data folder that no process uses); default a new seeded one
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { l1GenesisState, l1HardforkFromString, PRAGUE } from '@nomicfoundation/edr';
import { bytesToHex, type Hex, hexToBigInt, hexToBytes, numberToHex } from 'viem';
import { accounts } from '#service/devnet/accounts.ts';
import { type KeptCall, openChainFile } from '#service/devnet/chainFile.ts';
import { chainId, createDevnet } from '#service/devnet/devnet.ts';
import { createEvm, type Evm } from '#service/devnet/evm.ts';
import { playChain } from '#service/devnet/keptChain.ts';
import { root } from '../scripts/tools.ts';

const { values: given } = parseArgs({ options: { from: { type: 'string' }, chain: { type: 'string' } } });
const second = await loadEvm(resolve(given.from ?? root));

const folder = mkdtempSync(join(tmpdir(), 'svc-second-evm-'));
try {
  const file = given.chain ?? (await seedChain(join(folder, 'chain.sqlite')));
  const { blocks, transactions, gas } = await replay(file);
  console.log(
    `${blocks} blocks, ${transactions} transactions, ${gas} gas: equal state roots, receipts and gas`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The parts of ethereumjs that are used here. It is no dependency, so its own types are not there. */
type SecondEvm = {
  readonly createBlock: (rpcBlock: RpcBlock) => Promise<SecondBlock>;
  readonly runTransaction: (transaction: unknown, block: SecondBlock, gasBefore: bigint) => Promise<Receipt>;
  readonly readStateRoot: () => Promise<Hex>;
  readonly setBalance: (address: Hex, balance: bigint) => Promise<void>;
  readonly setNonce: (address: Hex, nonce: bigint) => Promise<void>;
  readonly setCode: (address: Hex, code: Uint8Array) => Promise<void>;
  readonly setStorage: (address: Hex, slot: Uint8Array, value: Uint8Array) => Promise<void>;
};

type SecondBlock = { readonly hash: () => Uint8Array; readonly transactions: readonly unknown[] };

type Receipt = {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[];
};

type RpcBlock = {
  readonly number: Hex;
  readonly hash: Hex;
  readonly stateRoot: Hex;
  readonly transactions: readonly { readonly hash: Hex }[];
};

async function loadEvm(from: string): Promise<SecondEvm> {
  const require = createRequire(join(from, 'package.json'));
  // biome-ignore lint/suspicious/noExplicitAny: there are no types of a package that is not installed.
  const load = async (name: string): Promise<any> => {
    try {
      return await import(pathToFileURL(require.resolve(name)).href);
    } catch (cause) {
      const hint =
        'Run "npm install --no-save @ethereumjs/vm@10.1.3", or name a folder that has it with --from.';
      throw new Error(`${name} is not installed. ${hint}`, { cause });
    }
  };
  const { createVM, runTx } = await load('@ethereumjs/vm');
  const { createBlockFromRPC } = await load('@ethereumjs/block');
  const { createCustomCommon, Mainnet, Hardfork } = await load('@ethereumjs/common');
  const { Account, createAddressFromString } = await load('@ethereumjs/util');
  const common = createCustomCommon({ chainId }, Mainnet, { hardfork: Hardfork.Prague });
  const vm = await createVM({ common });
  const state = vm.stateManager;
  const change = async (address: Hex, fields: object) => {
    const at = createAddressFromString(address);
    const account = (await state.getAccount(at)) ?? new Account();
    await state.putAccount(at, Object.assign(account, fields));
  };
  return {
    createBlock: (block) => createBlockFromRPC(block, [], { common, setHardfork: false }),
    // Not whole blocks: at the start of one, ethereumjs calls system contracts (EIP-2935, EIP-4788), which EDR leaves out.
    runTransaction: async (tx, block, blockGasUsed) => {
      const { receipt, totalGasSpent } = await runTx(vm, { tx, block, blockGasUsed });
      const logs = receipt.logs as readonly (readonly [Uint8Array, readonly Uint8Array[], Uint8Array])[];
      return {
        status: numberToHex(receipt.status),
        gasUsed: numberToHex(totalGasSpent),
        logs: logs.map(([address, topics, data]) => ({
          address: bytesToHex(address),
          topics: topics.map((topic) => bytesToHex(topic)),
          data: bytesToHex(data),
        })),
      };
    },
    readStateRoot: async () => bytesToHex(await state.getStateRoot()),
    setBalance: (address, balance) => change(address, { balance }),
    setNonce: (address, nonce) => change(address, { nonce }),
    setCode: async (address, code) => {
      await change(address, {});
      await state.putCode(createAddressFromString(address), code);
    },
    setStorage: (address, slot, value) => state.putStorage(createAddressFromString(address), slot, value),
  };
}

/** Deploys both markets and plays their history: posts, claims, deliveries, payments, disputes, rulings, refunds, prices. */
async function seedChain(file: string): Promise<string> {
  const devnet = await createDevnet({
    port: 0,
    file,
    isSeeded: true,
    clockOffsetSeconds: 0,
    isPriceKept: false,
  });
  await devnet.close();
  return file;
}

async function replay(path: string) {
  const file = openChainFile(path, { isFresh: false });
  try {
    const kept = file.load();
    if (kept === null) throw new Error(`${path} holds no chain.`);
    const first = await createEvm({ chainId, accounts, ...kept });
    const head = await playChain(first, path, kept);
    const stateCalls = [...kept.calls()].filter(({ method }) => method.startsWith('hardhat_set'));
    const calls = Map.groupBy(stateCalls, ({ block }) => block);
    await writeGenesis();
    const total = { blocks: head, transactions: 0, gas: 0n };
    for (let number = 0; number <= head; number++) {
      const rpcBlock = await readBlock(first, number);
      const block = await second.createBlock(rpcBlock);
      assert.equal(bytesToHex(block.hash()), rpcBlock.hash, `hash of block ${number}`);
      let gas = 0n;
      for (const [index, { hash }] of rpcBlock.transactions.entries()) {
        const receipt = await second.runTransaction(block.transactions[index], block, gas);
        assert.deepEqual(receipt, await readReceipt(first, hash), `receipt of ${hash} in block ${number}`);
        gas += hexToBigInt(receipt.gasUsed);
      }
      assert.equal(await second.readStateRoot(), rpcBlock.stateRoot, `state after block ${number}`);
      total.gas += gas;
      total.transactions += rpcBlock.transactions.length;
      for (const call of calls.get(number) ?? []) await applyCall(call);
    }
    return total;
  } finally {
    file.close();
  }
}

async function writeGenesis(): Promise<void> {
  for (const { address, balance, nonce, code, storage } of l1GenesisState(l1HardforkFromString(PRAGUE))) {
    const at = bytesToHex(address);
    if (balance !== undefined) await second.setBalance(at, balance);
    if (nonce !== undefined) await second.setNonce(at, nonce);
    if (code !== undefined) await second.setCode(at, code);
    for (const { index, value } of storage ?? [])
      await second.setStorage(
        at,
        hexToBytes(numberToHex(index, { size: 32 })),
        hexToBytes(numberToHex(value)),
      );
  }
  for (const { address } of accounts) await second.setBalance(address, 10_000n * 10n ** 18n);
}

/** What was changed on the chain outside of blocks, such as the code of USDC at its address on Base. */
async function applyCall({ method, params }: KeptCall): Promise<void> {
  const [address, value] = params as [Hex, Hex];
  if (method === 'hardhat_setCode') await second.setCode(address, hexToBytes(value));
  else if (method === 'hardhat_setBalance') await second.setBalance(address, hexToBigInt(value));
  else if (method === 'hardhat_setNonce') await second.setNonce(address, hexToBigInt(value));
  else throw new Error(`${method} cannot be repeated in the second EVM.`);
}

async function readBlock(evm: Evm, number: number): Promise<RpcBlock> {
  return (await evm.request({
    method: 'eth_getBlockByNumber',
    params: [numberToHex(number), true],
  })) as RpcBlock;
}

async function readReceipt(evm: Evm, hash: Hex): Promise<Receipt> {
  const receipt = await evm.request({ method: 'eth_getTransactionReceipt', params: [hash] });
  const { status, gasUsed, logs } = receipt as Receipt;
  return {
    status,
    gasUsed,
    logs: logs.map(({ address, topics, data }) => ({ address, topics, data })),
  };
}
