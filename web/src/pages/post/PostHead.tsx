// The heading of the form that posts a task; shown while the form loads, too.
import type { Market } from '@svc/sdk/domain';
import { marketNames } from '#components/MarketHeader.tsx';
import { Link } from '#components/navigation.tsx';
import { views } from '#data/pageList.ts';

export function PostHead({ market }: { readonly market: Market }) {
  return (
    <>
      <p className="crumbs small">
        <Link href={`/market.html?market=${market}`}>← {marketNames[market]} market</Link>
      </p>
      <header className="taskhead">
        <h1>
          {views.post.heading} on the {market} market
        </h1>
        <p className="lead">{views.post.lead}</p>
      </header>
    </>
  );
}
