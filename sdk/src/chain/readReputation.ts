// Reads what a market remembers of an agent.

import { reputationRegistryAbi } from '@svc/contracts/abi';
import { decodeFunctionResult, encodeFunctionData } from 'viem';
import type { Address } from '#domain/address.ts';
import type { ReputationCounts } from '#domain/reputation.ts';
import type { Rpc } from './rpc.ts';

export type Reputation = ReputationCounts & {
  readonly score: number;
  /** Unix seconds of the last entry; null where there is none. */
  readonly lastActive: number | null;
};

export async function readReputation(
  rpc: Pick<Rpc, 'callLatest'>,
  registry: Address,
  agent: Address,
): Promise<Reputation> {
  const call = { abi: reputationRegistryAbi, functionName: 'reputationOf' } as const;
  const data = await rpc.callLatest({ to: registry, data: encodeFunctionData({ ...call, args: [agent] }) });
  const [{ lastActive, ...counts }, score] = decodeFunctionResult({ ...call, data });
  return { score: Number(score), ...counts, lastActive: lastActive === 0 ? null : lastActive };
}
