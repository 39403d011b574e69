// Simulates calls on the current chain, each after the ones before it, without sending anything.

import type { MarketAccess } from '@svc/sdk/actions';
import type { Call } from '@svc/sdk/chain';
import type { Address } from '@svc/sdk/domain';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useMarketAccess } from './marketAccess.ts';
import { useWallet } from './useWallet.tsx';

export type SimulationResult =
  | { readonly status: 'success'; readonly gas: bigint }
  | { readonly status: 'reverted'; readonly at: number; readonly sentence: string }
  /** The wallet's node cannot simulate these calls together. */
  | { readonly status: 'unknown' };

/** More than most calls need; for calls without an estimate. */
export const gasPerCall = 300_000n;

export function useSimulation(calls: readonly Call[], isEnabled: boolean) {
  const address = useWallet()?.address;
  const access = useMarketAccess();
  return useQuery({
    queryKey: ['simulation', address, calls],
    gcTime: 0,
    retry: false,
    queryFn:
      access !== null && address !== undefined && calls.length > 0 && isEnabled
        ? () => simulate(access, address, calls)
        : skipToken,
  });
}

async function simulate(
  { reads }: MarketAccess,
  from: Address,
  calls: readonly Call[],
): Promise<SimulationResult> {
  // The batch would need the ETH in advance; such a call is simulated alone before it is signed.
  if (calls.some(({ value }) => BigInt(value) > 0n)) return { status: 'unknown' };
  try {
    const simulation = await reads.simulate(from, calls);
    if (simulation.status === 'partial') return { status: 'unknown' };
    if (simulation.status === 'success')
      return { status: 'success', gas: simulation.gas ?? gasPerCall * BigInt(calls.length) };
    return { status: 'reverted', at: simulation.at, sentence: simulation.revert.sentence };
  } catch {
    return { status: 'unknown' };
  }
}
