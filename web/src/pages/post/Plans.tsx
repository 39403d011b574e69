// Posts left today, and the plans that raise their number: what each gives, what it costs, and a button that buys it.

import type { Market } from '@svc/sdk/domain';
import { buyPlan } from '@svc/sdk/internal/actions/buyPlan';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Button } from '#components/Button.tsx';
import { Countdown } from '#components/Clock.tsx';
import { Tok } from '#components/Money.tsx';
import { client } from '#data/client.ts';
import { useSiteConfig } from '#data/market.ts';
import { queryKeys } from '#data/queryKeys.ts';
import { ActionDialog } from '#wallet/ActionDialog.tsx';

/** A used-up quota is only a warning: the chain accepts the post. */
export function QuotaNote({ market, address }: { market: Market; address: string }) {
  const { data } = useQuery({
    queryKey: queryKeys.tasks(market, 'quota', address),
    queryFn: ({ signal }) => client.postingQuota(address, { market, signal }),
  });
  if (data === undefined) return null;
  const { remaining, limit, tier, resetsAt } = data;
  return (
    <>
      {remaining > 0 ? (
        <p className="small quiet">
          {remaining} {tier} {remaining === 1 ? 'post' : 'posts'} left today
        </p>
      ) : (
        <p className="notice" data-is="time">
          You have used all {limit} {tier} posts of today. New ones come <Countdown to={resetsAt} isCalm />.
          The chain accepts the post, but tools that respect the quota will ask you to wait or to buy a plan.
        </p>
      )}
      <Plans market={market} tier={tier} isOpen={remaining === 0} />
    </>
  );
}

/** `tier` is the plan of the wallet. */
function Plans({ market, tier, isOpen }: { market: Market; tier: string; isOpen: boolean }) {
  const plans = useSiteConfig(market).data?.postingPlans ?? [];
  const [chosen, setChosen] = useState<{ tier: string; payWith: 'tok' | 'usdc' } | null>(null);
  const args = useMemo(() => ({ market, ...chosen }), [market, chosen]);
  if (plans.length === 0) return null;
  return (
    <>
      <details className="plans small" open={isOpen}>
        <summary>More posts a day: plans and prices</summary>
        <ul>
          {plans.map(({ id, label, dailyLimit, priceUsdc, periodDays }) => (
            <li key={id}>
              <p>
                <b>{label}</b>
                {id === tier && <span className="badge">your plan</span>}
              </p>
              <p>{dailyLimit.toLocaleString('en-US')} posts a day</p>
              {priceUsdc === 0 ? (
                <p className="quiet">free</p>
              ) : (
                <>
                  <p>
                    {priceUsdc.toLocaleString('en-US')} USDC for {periodDays} days
                    <TokPrice market={market} tier={id} />
                  </p>
                  <div className="row">
                    {(['usdc', 'tok'] as const).map((payWith) => (
                      <Button
                        key={payWith}
                        aria-label={`Buy ${label} with ${payWith.toUpperCase()}`}
                        onClick={() => setChosen({ tier: id, payWith })}
                      >
                        Buy with {payWith.toUpperCase()}
                      </Button>
                    ))}
                  </div>
                </>
              )}
            </li>
          ))}
        </ul>
      </details>
      {chosen !== null && (
        <ActionDialog action={buyPlan} market={market} args={args} onClose={() => setChosen(null)} />
      )}
    </>
  );
}

function TokPrice({ market, tier }: { market: Market; tier: string }) {
  const { data } = useQuery({
    queryKey: ['plan-price', market, tier],
    staleTime: 60_000,
    queryFn: ({ signal }) => client.tokPreview(tier, { market, signal }),
  });
  if (data === undefined) return null;
  if (!data.tokAllowed) return <span className="quiet">; not in TOK now</span>;
  return (
    <>
      , or <Tok wei={data.tokAmountWei} /> ({data.discountPercent} % less)
    </>
  );
}
