// How many posts a wallet has left today. A full quota is a warning and no refusal: the chain takes the post all the same.

import type { Market } from '@svc/sdk/domain';
import { useQuery } from '@tanstack/react-query';
import { Countdown } from '../../components/Clock.tsx';
import { client } from '../../data/client.ts';

export function QuotaNote({ market, address }: { readonly market: Market; readonly address: string }) {
  const { data } = useQuery({
    queryKey: ['tasks', market, 'quota', address],
    queryFn: ({ signal }) => client.postingQuota(address, { market, signal }),
  });
  if (data === undefined) return null;
  const { remaining, limit, tier, resetsAt } = data;
  if (remaining > 0) {
    return (
      <p className="small quiet">
        {remaining} of {limit} posts left today on the plan {tier}.
      </p>
    );
  }
  return (
    <p className="notice" data-is="time">
      Today’s {limit} posts of the plan {tier} are used up; new ones come <Countdown to={resetsAt} isCalm />.
      The chain takes the post, but tools that keep to the quota will tell you to wait or to buy a plan.
    </p>
  );
}
