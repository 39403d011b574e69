// Contracts of test/fixtures, compiled and put on the embedded chain.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import solc from 'solc';
import { type Abi, createWalletClient, encodeDeployData, encodeFunctionData, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { readContract, waitForTransactionReceipt } from 'viem/actions';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';

export type FixtureContract = { readonly abi: Abi; readonly bytecode: Hex };

export function compileFixture(name: string): FixtureContract {
  const file = `${name}.sol`;
  const content = readFileSync(join(import.meta.dirname, '../fixtures', file), 'utf8');
  const settings = { outputSelection: { [file]: { [name]: ['abi', 'evm.bytecode.object'] } } };
  const input = { language: 'Solidity', sources: { [file]: { content } }, settings };
  const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input)));
  assert.ok(contracts?.[file]?.[name] !== undefined, JSON.stringify(errors));
  const { abi, evm } = contracts[file][name];
  return { abi, bytecode: `0x${evm.bytecode.object}` };
}

/** Sends as the operator of the embedded chain, or as another account of it. */
export function createOperator(rpcUrl: string, who: AccountName = 'operator') {
  const account = privateKeyToAccount(accountOf(who).privateKey);
  const client = createWalletClient({ account, transport: http(rpcUrl), cacheTime: 0, pollingInterval: 20 });
  const send = (call: { readonly to?: Hex; readonly data: Hex }) =>
    client.sendTransaction({ ...call, chain: null, gas: 8_000_000n });
  return {
    address: account.address,
    send,
    call: async (to: Hex, abi: Abi, functionName: string, args: readonly unknown[]): Promise<void> => {
      const hash = await send({ to, data: encodeFunctionData({ abi, functionName, args }) });
      const { status } = await waitForTransactionReceipt(client, { hash });
      assert.equal(status, 'success', functionName);
    },
    read: <Answer>(address: Hex, abi: Abi, functionName: string, args: readonly unknown[]) =>
      readContract(client, { address, abi, functionName, args }) as Promise<Answer>,
    deploy: async (contract: FixtureContract, args: readonly unknown[]): Promise<Hex> => {
      const hash = await send({ data: encodeDeployData({ ...contract, args }) });
      const { contractAddress } = await waitForTransactionReceipt(client, { hash });
      assert.ok(contractAddress != null);
      return contractAddress;
    },
  };
}
