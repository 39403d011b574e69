// Reads a whole market through stock viem: tasks, accounts, disputes, balances.
import { erc20Abi, type PublicClient } from 'viem';
import { depositVaultAbi } from '#contracts/generated/abi/depositVault.ts';
import { disputeCourtAbi } from '#contracts/generated/abi/disputeCourt.ts';
import { escrowVaultAbi } from '#contracts/generated/abi/escrowVault.ts';
import { marketLensAbi } from '#contracts/generated/abi/marketLens.ts';
import { paymentGatewayAbi } from '#contracts/generated/abi/paymentGateway.ts';
import { reputationRegistryAbi } from '#contracts/generated/abi/reputationRegistry.ts';
import { stakingVaultAbi } from '#contracts/generated/abi/stakingVault.ts';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { testUsdcAbi } from '#contracts/generated/abi/testUsdc.ts';
import { tokTokenAbi } from '#contracts/generated/abi/tokToken.ts';
import type { Deployment } from '#sdk/chain/deployment.ts';
import type { Address } from '#sdk/domain/address.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import { isTerminal, nameOf, taskStates } from '#sdk/domain/state.ts';
import { accounts } from '#service/devnet/accounts.ts';

/** The contracts of one market, ready for viem. */
export function contractsOf(deployment: Deployment, market: Market) {
  const at = deployment.markets[market];
  return {
    registry: { address: at.taskRegistry, abi: taskRegistryAbi },
    escrow: { address: at.escrowVault, abi: escrowVaultAbi },
    deposits: { address: at.depositVault, abi: depositVaultAbi },
    gateway: { address: at.paymentGateway, abi: paymentGatewayAbi },
    court: { address: at.disputeCourt, abi: disputeCourtAbi },
    staking: { address: at.stakingVault, abi: stakingVaultAbi },
    reputation: { address: at.reputationRegistry, abi: reputationRegistryAbi },
    lens: { address: deployment.marketLens, abi: marketLensAbi },
    tok: { address: deployment.tokToken, abi: tokTokenAbi },
    usdc: { address: deployment.usdc, abi: testUsdcAbi },
  } as const;
}

export type MarketContracts = ReturnType<typeof contractsOf>;

export async function readTasks(client: PublicClient, { registry, lens }: MarketContracts) {
  const count = await client.readContract({ ...registry, functionName: 'taskCount' });
  const args = [registry.address, 1n, count] as const;
  return client.readContract({ ...lens, functionName: 'getTasks', args });
}

/** How many tasks of both markets have not ended. */
export async function countLive(client: PublicClient, deployment: Deployment): Promise<number> {
  const tasks = await Promise.all(markets.map((of) => readTasks(client, contractsOf(deployment, of))));
  return tasks.flat().filter(({ state }) => !isTerminal(nameOf(taskStates, state))).length;
}

/** The task that was posted last; there must be one. */
export async function readNewest(client: PublicClient, { registry, lens }: MarketContracts) {
  const count = await client.readContract({ ...registry, functionName: 'taskCount' });
  const args = [registry.address, count, 1n] as const;
  const [newest] = await client.readContract({ ...lens, functionName: 'getTasks', args });
  if (newest === undefined) throw new RangeError('There is no task yet.');
  return newest;
}

export function readDispute(client: PublicClient, { court }: MarketContracts, id: bigint) {
  return client.readContract({ ...court, functionName: 'disputeOf', args: [id] });
}

export function readBalance(client: PublicClient, token: Address, holder: Address) {
  return client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [holder] });
}

/** What everybody here and the contracts of both markets hold together of a token, and how much of it there is. */
export async function readSupply(client: PublicClient, { markets: all }: Deployment, token: Address) {
  const contracts = markets.flatMap((market) => {
    const { parameters: _, ...own } = all[market];
    return Object.values(own);
  });
  const holders = [...accounts.map(({ address }) => address), ...contracts];
  const balances = await Promise.all(holders.map((holder) => readBalance(client, token, holder)));
  const supply = await client.readContract({ address: token, abi: erc20Abi, functionName: 'totalSupply' });
  return { held: balances.reduce((sum, balance) => sum + balance), supply };
}
