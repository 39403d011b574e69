// Posts left today, and the plans that raise their number: what each gives, what it costs, and a button that buys it.

import { catalog } from '@svc/sdk/actions';
import type { Market } from '@svc/sdk/domain';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Countdown } from '../../components/Clock.tsx';
import { Button } from '../../components/Form.tsx';
import { Tok } from '../../components/Money.tsx';
import { client } from '../../data/client.ts';
import { useSiteConfig } from '../../data/market.ts';
import { queryKeys } from '../../data/queryKeys.ts';
import { useActionDialog } from '../../wallet/ActionDialog.tsx';

function useQuota(market: Market, address: string | undefined) {
  return useQuery({
    queryKey: queryKeys.tasks(market, 'quota', address),
    queryFn:
      address === undefined ? skipToken : ({ signal }) => client.postingQuota(address, { market, signal }),
  }).data;
}

/** A sentence once the last post of today went elsewhere while the form was open. */
export function useQuotaChange(market: Market, address: string | undefined) {
  const quota = useQuota(market, address);
  const [seen, setSeen] = useState(quota);
  if (quota !== undefined && (seen === undefined || quota.tier !== seen.tier)) setSeen(quota);
  const isUsedUp = quota?.remaining === 0 && seen !== undefined && seen.remaining > 0;
  return {
    change: isUsedUp ? `The last of your ${quota.limit} ${quota.tier} posts of today is used.` : null,
    accept: () => setSeen(quota),
  };
}

/** A used-up quota is only a warning: the chain accepts the post. */
export function QuotaNote({ market, address }: { market: Market; address: string }) {
  const data = useQuota(market, address);
  if (data === undefined) return null;
  const { remaining, limit, tier, resetsAt } = data;
  return (
    <>
      {remaining > 0 ? (
        <p className="small quiet">
          {remaining} {remaining === 1 ? 'post' : 'posts'} of the {tier} plan left today; each pays the access
          fee.
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
  const [dialog, choose] = useActionDialog(market);
  if (plans.length === 0) return null;
  return (
    <>
      <details className="plans small" open={isOpen}>
        <summary>More posts a day: plans and prices</summary>
        <ul className="rows">
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
                        onClick={() => choose({ action: catalog.buyPlan, args: { tier: id, payWith } })}
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
      {dialog}
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
