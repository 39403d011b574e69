// A fresh chain in this process on which every transaction uses the same gas in each run.
import hre from 'hardhat';
import {
  type Abi,
  type Address,
  createPublicClient,
  createWalletClient,
  custom,
  getContractAddress,
  type Hex,
} from 'viem';
import { type HDAccount, mnemonicToAccount } from 'viem/accounts';
import { base } from 'viem/chains';
import type { Artifact } from '../artifacts.ts';

export type Contract = { readonly address: Address; readonly abi: Abi };

export type Transaction = {
  readonly from: HDAccount;
  readonly to: Contract;
  readonly name: string;
  readonly args: readonly unknown[];
};

export type Chain = {
  readonly accounts: readonly HDAccount[];
  /** Where the deployer's contract after `ahead` more will lie. */
  predict(ahead: number): Promise<Address>;
  deploy(name: string, args: readonly unknown[]): Promise<Contract>;
  /** Answers the gas of the whole transaction. */
  send(transaction: Transaction): Promise<number>;
  read<Result>(from: Contract, name: string, args: readonly unknown[]): Promise<Result>;
  now(): number;
  skip(seconds: number): void;
  /** Runs something and then takes the chain back to where it was. */
  aside<Result>(run: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

const mnemonic = 'test test test test test test test test test test test junk';
const startedAt = 1_780_000_000;
// More than any transaction here needs; a fixed limit spares an estimate, which would run each of them twice.
const gasLimit = 8_000_000n;

export async function createChain(artifacts: readonly Artifact[], accountCount: number): Promise<Chain> {
  const connection = await hre.network.create({
    override: {
      chainId: base.id,
      initialDate: new Date(startedAt * 1000),
      accounts: { mnemonic, count: accountCount },
    },
  });
  const { provider } = connection;
  const reader = createPublicClient({ chain: base, transport: custom(provider) });
  const writer = createWalletClient({ chain: base, transport: custom(provider) });
  const accounts = Array.from({ length: accountCount }, (_, addressIndex) =>
    mnemonicToAccount(mnemonic, { addressIndex }),
  );
  const deployer = (accounts[0] as HDAccount).address;
  let clock = startedAt;

  // Each block gets its own second: a wall clock would change timestamps, and with them calldata and gas.
  const tick = () => provider.request({ method: 'evm_setNextBlockTimestamp', params: [++clock] });

  async function receiptOf(hash: Hex, what: string) {
    const receipt = await reader.getTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw new Error(`${what} reverted.`);
    return receipt;
  }

  return {
    accounts,
    async predict(ahead) {
      const nonce = await reader.getTransactionCount({ address: deployer });
      return getContractAddress({ from: deployer, nonce: BigInt(nonce + ahead) });
    },
    async deploy(name, args) {
      const artifact = artifacts.find(({ contractName }) => contractName === name);
      if (artifact === undefined) throw new Error(`There is no contract ${name}.`);
      const { abi, bytecode } = artifact as Artifact & { abi: Abi; bytecode: Hex };
      await tick();
      const hash = await writer.deployContract({ account: deployer, abi, bytecode, args, gas: gasLimit });
      const { contractAddress } = await receiptOf(hash, `The deployment of ${name}`);
      return { address: contractAddress as Address, abi };
    },
    async send({ from, to, name, args }) {
      await tick();
      const hash = await writer.writeContract({
        ...to,
        account: from.address,
        functionName: name,
        args,
        gas: gasLimit,
      });
      return Number((await receiptOf(hash, name)).gasUsed);
    },
    read: (from, functionName, args) =>
      reader.readContract({ ...from, functionName, args }) as Promise<never>,
    now: () => clock,
    skip(seconds) {
      clock += seconds;
    },
    async aside(run) {
      const before = clock;
      const snapshot = await provider.request({ method: 'evm_snapshot' });
      const result = await run();
      await provider.request({ method: 'evm_revert', params: [snapshot] });
      clock = before;
      return result;
    },
    close: () => connection.close(),
  };
}
