// Reads a whole market through stock viem: tasks, accounts, disputes, balances.
import type { PublicClient } from 'viem';
import { depositVaultAbi } from '#chain/abi/depositVault.ts';
import { disputeCourtAbi } from '#chain/abi/disputeCourt.ts';
import { escrowVaultAbi } from '#chain/abi/escrowVault.ts';
import { paymentGatewayAbi } from '#chain/abi/paymentGateway.ts';
import { reputationRegistryAbi } from '#chain/abi/reputationRegistry.ts';
import { stakingVaultAbi } from '#chain/abi/stakingVault.ts';
import { taskRegistryAbi } from '#chain/abi/taskRegistry.ts';
import { tokTokenAbi } from '#chain/abi/tokToken.ts';
import type { Deployment } from '#chain/deployment.ts';
import type { Market } from '#domain/market.ts';

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
    tok: { address: deployment.tokToken, abi: tokTokenAbi },
    usdc: { address: deployment.usdc, abi: tokTokenAbi },
  } as const;
}

export type MarketContracts = ReturnType<typeof contractsOf>;

/** All ids of a market, in order. */
export async function readTaskIds(client: PublicClient, { registry }: MarketContracts): Promise<bigint[]> {
  const count = await client.readContract({ ...registry, functionName: 'taskCount' });
  return Array.from({ length: Number(count) }, (_, index) => BigInt(index + 1));
}

export function readTask(client: PublicClient, { registry }: MarketContracts, id: bigint) {
  return client.readContract({ ...registry, functionName: 'getTask', args: [id] });
}

export async function readTasks(client: PublicClient, contracts: MarketContracts) {
  const ids = await readTaskIds(client, contracts);
  return Promise.all(ids.map((id) => readTask(client, contracts, id)));
}

export function readDispute(client: PublicClient, { court }: MarketContracts, id: bigint) {
  return client.readContract({ ...court, functionName: 'disputeOf', args: [id] });
}
