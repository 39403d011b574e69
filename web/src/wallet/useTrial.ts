// A plan that was tried on the chain as a whole: where it would fail, that stands among its gaps before anything is signed.
import { useQuery } from '@tanstack/react-query';
import type { Plan } from './plan.ts';
import { trySequence } from './trySequence.ts';
import { useWallet } from './useWallet.ts';

export type TriedPlan = {
  readonly plan: Plan | undefined;
  /** Whether it would succeed is not known yet. */
  readonly isTrying: boolean;
};

export function useTrial(plan: Plan | undefined, isIdle: boolean): TriedPlan {
  const client = useWallet()?.client ?? null;
  const calls = plan?.calls.calls ?? [];
  const { data, isLoading: isTrying } = useQuery({
    queryKey: ['trial', calls.map(({ data: bytes }) => bytes).join(), client?.account.address],
    enabled: client !== null && plan !== undefined && plan.gaps.length === 0 && isIdle,
    gcTime: 0,
    queryFn: () => {
      if (client === null) throw new Error('the wallet is not ready');
      return trySequence(client, calls);
    },
  });
  if (plan === undefined || data === undefined || data.outcome === 'unknown') return { plan, isTrying };
  if (data.outcome === 'good') return { isTrying, plan: { ...plan, gasWei: data.gas * plan.gasPriceWei } };
  const gap = `Tried on the chain as it is now, it would fail. ${data.sentence}`;
  return { isTrying, plan: { ...plan, gaps: [...plan.gaps, gap] } };
}
