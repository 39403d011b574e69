// Simulates calls on the current chain, each after the ones before it, without sending anything.

import type { Call } from '@svc/sdk/chain';
import { useQuery } from '@tanstack/react-query';
import { notReady, useMarketAccess } from './marketAccess.ts';
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
    enabled: access !== null && address !== undefined && calls.length > 0 && isEnabled,
    gcTime: 0,
    retry: false,
    queryFn: async (): Promise<SimulationResult> => {
      if (access === null || address === undefined) throw new Error(notReady);
      // The batch would need the ETH in advance; such a call is simulated alone before it is signed.
      if (calls.some(({ value }) => BigInt(value) > 0n)) return { status: 'unknown' };
      try {
        const simulation = await access.reads.simulate(address, calls);
        if (simulation.status === 'partial') return { status: 'unknown' };
        if (simulation.status === 'success')
          return { status: 'success', gas: simulation.gas ?? gasPerCall * BigInt(calls.length) };
        return { status: 'reverted', at: simulation.at, sentence: simulation.revert.sentence };
      } catch {
        return { status: 'unknown' };
      }
    },
  });
}
