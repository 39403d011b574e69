// One market of the next contracts on a chain in this process, and what a test reads from it in one call.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Abi,
  type Address,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Market } from '../../../../sdk/src/domain/market.ts';
import { marketParameters } from '../../../../sdk/src/domain/parameters.ts';
import { accountOf, accounts } from '../../../../service/src/devnet/accounts.ts';
import { createEvm } from '../../../../service/src/devnet/evm.ts';

type Artifact = { readonly abi: Abi; readonly bytecode: Hex };
export type Contract = { readonly address: Address; readonly abi: Abi };
export type Sent = { readonly done: boolean; readonly gas: number };
export type Chain = Awaited<ReturnType<typeof createChain>>;

const project = join(import.meta.dirname, '../..');
export const genesis = 1_780_000_000;
export const fee = 10n ** 21n;
const nobody: Address = `0x${'00'.repeat(20)}`;
const [tokEach, usdcEach] = [10n ** 27n, 10n ** 15n];
/** Who takes part; each comes with the key of an account of the embedded chain. */
const names = [
  'press',
  'coder',
  'newcomer',
  'umpire',
  'fallback',
  'operator',
  'publisher',
  'treasury',
] as const;
const wallets = names.map((name) => privateKeyToAccount(accountOf(name).privateKey));
export const [poster, worker, rival, arbitrator, fallback, owner, publisher, treasury] = wallets as [
  ...typeof wallets,
] as [Wallet, Wallet, Wallet, Wallet, Wallet, Wallet, Wallet, Wallet];
export type Wallet = ReturnType<typeof privateKeyToAccount>;

/** By the file and the name of a contract; `npm run contracts:next:test` has compiled it. */
export function artifact(file: string, name = file.replace(/.*\/|\.sol$/g, '')): Artifact {
  return JSON.parse(readFileSync(join(project, 'artifacts', file, `${name}.json`), 'utf8'));
}

/** Without a feed of its sequencer, the chain never stands still. */
export async function createChain(market: Market, deposit: bigint, maxMilestone?: bigint, hasFeed = true) {
  const rules = marketParameters[market];
  const evm = await createEvm({
    chainId: 8_453,
    genesisTime: genesis,
    accounts,
    beaconRoot: `0x${'00'.repeat(32)}`,
  });
  let clock = genesis + 1_000;
  let nonce = 0;

  const ask = (method: string, ...params: unknown[]) => evm.request({ method, params });
  async function transact(from: Address, to: Address | undefined, data: Hex): Promise<Sent> {
    await ask('evm_setNextBlockTimestamp', clock);
    const hash = await ask('eth_sendTransaction', {
      from,
      to,
      data,
      gas: '0x7a1200',
      gasPrice: '0x77359400',
    });
    const receipt = (await ask('eth_getTransactionReceipt', hash)) as { status: Hex; gasUsed: Hex };
    return { done: receipt.status === '0x1', gas: Number(receipt.gasUsed) };
  }
  async function deploy(file: string, args: readonly unknown[] = [], name?: string): Promise<Contract> {
    const { abi, bytecode } = artifact(file, name);
    const address = getContractAddress({ from: owner.address, nonce: BigInt(nonce) });
    nonce += 1;
    const { done } = await transact(owner.address, undefined, encodeDeployData({ abi, bytecode, args }));
    if (!done) throw new Error(`${file} was not deployed.`);
    return { address, abi };
  }
  const send = (from: Wallet, { address, abi }: Contract, functionName: string, args: readonly unknown[]) =>
    transact(from.address, address, encodeFunctionData({ abi, functionName, args }));
  async function must(from: Wallet, to: Contract, name: string, args: readonly unknown[]): Promise<number> {
    const { done, gas } = await send(from, to, name, args);
    if (to !== undefined && from === owner) nonce += 1;
    if (!done) throw new Error(`${name} reverted.`);
    return gas;
  }

  const rounds = await deploy('test/mocks/Feeds.sol', [], 'RoundsFeed');
  const multicall = await deploy('local/Multicall3.sol');
  const tok = await deploy('src/TokToken.sol', [owner.address, 10n ** 28n]);
  const usdc = await deploy('local/TestUsdc.sol');
  const feed = await deploy('src/PostedPriceFeed.sol', [owner.address, 2_000, 60n]);
  const oracle = await deploy('src/UsdOracle.sol', [
    feed.address,
    hasFeed ? rounds.address : nobody,
    86_400n,
    1n,
    10n ** 12n,
  ]);
  const policy = await deploy('src/PricingPolicy.sol', [
    owner.address,
    oracle.address,
    {
      maxAccessFee: fee,
      entryUsdc: rules.entryUsdc,
      recommendedUsdc: rules.recommendedUsdc,
      pauseUsdc: rules.pauseUsdc,
      bondUsdc: rules.bondUsdc,
    },
  ]);
  const after = (steps: number) => getContractAddress({ from: owner.address, nonce: BigInt(nonce + steps) });
  const wiring = {
    tok: tok.address,
    usdc: usdc.address,
    policy: policy.address,
    paymentGateway: after(0),
    deposits: after(1),
    escrow: after(2),
    registry: after(3),
    court: after(4),
    staking: after(5),
    reputation: after(6),
    treasury: treasury.address,
  };
  const cap = maxMilestone ?? rules.launchCapTokWei;
  const bounds = [cap, rules.minReviewSeconds, rules.maxReviewSeconds];
  const paymentGateway = await deploy('src/PaymentGateway.sol', [wiring]);
  const deposits = await deploy('src/DepositVault.sol', [wiring]);
  const escrow = await deploy('src/EscrowVault.sol', [wiring]);
  const registry = await deploy('src/TaskRegistry.sol', [
    wiring,
    owner.address,
    rules.minTotalTokWei,
    ...bounds,
  ]);
  const court = await deploy('src/DisputeCourt.sol', [
    wiring,
    owner.address,
    fallback.address,
    rules.arbitratorMinBondTokWei,
    rules.hearingSeconds,
  ]);
  const staking = await deploy('src/StakingVault.sol', [
    wiring,
    owner.address,
    10n ** 24n,
    10n ** 16n,
    38_580_246_914n,
  ]);
  const reputation = await deploy('src/ReputationRegistry.sol', [wiring]);

  const all = 2n ** 256n - 1n;
  for (const agent of [poster, worker, rival, arbitrator, fallback]) {
    await must(owner, tok, 'transfer', [agent.address, tokEach]);
    await must(owner, usdc, 'mint', [agent.address, usdcEach]);
    await must(agent, tok, 'approve', [paymentGateway.address, all]);
    await must(agent, usdc, 'approve', [deposits.address, all]);
    await must(agent, deposits, 'topUp', [deposit]);
  }

  type Read = readonly [from: Contract, functionName: string, args: readonly unknown[]];
  /** Every answer as of the last block. */
  async function read(...calls: readonly Read[]): Promise<unknown[]> {
    const list = calls.map(([{ address, abi }, functionName, args]) => ({
      target: address,
      allowFailure: false,
      callData: encodeFunctionData({ abi, functionName, args }),
    }));
    const data = encodeFunctionData({ abi: multicall.abi, functionName: 'aggregate3', args: [list] });
    const answer = (await ask('eth_call', { to: multicall.address, data }, 'latest')) as Hex;
    const answers = decodeFunctionResult({ abi: multicall.abi, functionName: 'aggregate3', data: answer });
    return (answers as { readonly returnData: Hex }[]).map(({ returnData }, at) => {
      const [{ abi }, functionName] = calls[at] as Read;
      return decodeFunctionResult({ abi, functionName, data: returnData });
    });
  }

  return {
    rules,
    cap,
    contracts: {
      rounds,
      tok,
      usdc,
      paymentGateway,
      deposits,
      escrow,
      registry,
      court,
      staking,
      reputation,
      policy,
    },
    send,
    must,
    read,
    one: async (...call: Read) => (await read(call))[0],
    get clock() {
      return clock;
    },
    skip(seconds: number) {
      clock += seconds;
    },
    ask,
  };
}
