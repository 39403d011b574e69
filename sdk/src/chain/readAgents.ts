// Reads the accounts of a market: agents with their reputation, arbitrators, deposits, and everything about one wallet.
import type { Hex } from 'viem';
import { type Address, parseAddress } from '../domain/address.ts';
import { type MarketContracts, marketCall } from './contracts.ts';
import { type Asker, askNamed } from './rpc.ts';
import { balanceOf } from './rpcRequests.ts';

/** Records per call: well below the gas limit of nodes for one call. */
const pageSize = 200;

export function readAgents(rpc: Asker, contracts: MarketContracts, blockHash?: Hex) {
  return readPages((from) =>
    rpc.ask(marketCall(contracts, 'reputationRegistry', 'agents', [from, BigInt(pageSize)], blockHash)),
  );
}

/** `lastActive` is Unix seconds, 0 where nothing was counted yet. */
export type AgentRecord = Readonly<Awaited<ReturnType<typeof readAgents>>[number]>;

export function readArbitrators(rpc: Asker, contracts: MarketContracts, blockHash?: Hex) {
  return readPages((from) =>
    rpc.ask(marketCall(contracts, 'disputeCourt', 'arbitrators', [from, BigInt(pageSize)], blockHash)),
  );
}

export type ArbitratorRecord = Readonly<Awaited<ReturnType<typeof readArbitrators>>[number]>;

/** Page by page: the checksums of very many addresses would hold up everything else. */
export async function readDeposits(
  rpc: Asker,
  contracts: MarketContracts,
  agents: readonly string[],
  blockHash?: Hex,
) {
  const pages = [];
  for (let from = 0; from < agents.length; from += pageSize) {
    const part = agents.slice(from, from + pageSize).map(parseAddress);
    const accounts = await rpc.ask(marketCall(contracts, 'depositVault', 'accountsOf', [part], blockHash));
    pages.push(accounts.map((account, at) => ({ address: part[at] as Address, ...account })));
  }
  return pages.flat();
}

async function readPages<Entry>(
  read: (from: bigint) => Promise<readonly [readonly Address[], readonly Entry[], bigint]>,
): Promise<(Entry & { address: Address })[]> {
  const found: (Entry & { address: Address })[] = [];
  for (;;) {
    const [accounts, records, total] = await read(BigInt(found.length));
    found.push(...records.map((record, at) => ({ address: accounts[at] as Address, ...record })));
    if (accounts.length === 0 || found.length >= total) return found;
  }
}

export async function readReputation(
  rpc: Asker,
  contracts: Pick<MarketContracts, 'reputationRegistry'>,
  agent: Address,
) {
  const [{ lastActive, ...counts }, score] = await rpc.ask(
    marketCall(contracts, 'reputationRegistry', 'reputationOf', [agent]),
  );
  return { score: Number(score), ...counts, lastActive: lastActive === 0 ? null : lastActive };
}

/** `lastActive` is Unix seconds of the last entry; null where there is none. */
export type Reputation = Readonly<Awaited<ReturnType<typeof readReputation>>>;

/** Everything about one wallet. Amounts are in the smallest unit of their token. */
export async function readWallet(rpc: Asker, contracts: MarketContracts, wallet: Address) {
  const { paymentGateway, depositVault } = contracts;
  const { account, staker, record, ...found } = await askNamed(rpc, {
    etherWei: balanceOf(wallet),
    tokWei: marketCall(contracts, 'tokToken', 'balanceOf', [wallet]),
    usdc: marketCall(contracts, 'usdc', 'balanceOf', [wallet]),
    tokRouter: marketCall(contracts, 'tokToken', 'allowance', [wallet, paymentGateway]),
    usdcVault: marketCall(contracts, 'usdc', 'allowance', [wallet, depositVault]),
    usdcGateway: marketCall(contracts, 'usdc', 'allowance', [wallet, paymentGateway]),
    account: marketCall(contracts, 'depositVault', 'accountOf', [wallet]),
    staker: marketCall(contracts, 'stakingVault', 'stakerOf', [wallet]),
    record: marketCall(contracts, 'disputeCourt', 'arbitratorOf', [wallet]),
  });
  const { etherWei, tokWei, usdc, ...allowances } = found;
  const [{ balance, locked, engagements }, isPaused, canEngage] = account;
  const { staked, credits, rewards, stakedAt } = staker;
  const [{ bond, minHeld, unbondAt, openCases }, isEligible] = record;
  return {
    etherWei,
    tokWei,
    usdc,
    /** `tokRouter` is TOK to the payment gateway. */
    allowances,
    /** `canEngage`: the wallet can take one more task. */
    deposit: { balance, locked, engagements, isPaused, canEngage },
    staking: { staked, credits, rewards, stakedAt },
    /** `unbondAt` is 0 without a request to withdraw; `minHeld` is the smallest disputed amount that it accepts. */
    arbitrator: { bond, unbondAt: Number(unbondAt), minHeld, openCases, isEligible },
  };
}

export type WalletState = Readonly<Awaited<ReturnType<typeof readWallet>>>;
