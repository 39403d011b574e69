// The heading of a page about one market, and the switch between the markets. The choice is in the address.
import { isMarket, type Market, markets } from '@svc/sdk/domain';
import { hrefWith, Link, useSearch } from './navigation.tsx';

export function useMarket(): Market {
  const asked = useSearch().get('market');
  return isMarket(asked) ? asked : 'standard';
}

export const marketNames: Readonly<Record<Market, string>> = { standard: 'Standard', micro: 'Micro' };

export function MarketSwitch() {
  const search = useSearch();
  const market = useMarket();
  return (
    <nav className="switch" aria-label="Market">
      {markets.map((name) => (
        <Link key={name} href={hrefWith(search, 'market', name)} aria-current={name === market}>
          {marketNames[name]}
        </Link>
      ))}
    </nav>
  );
}

export function MarketHeader({ title, lead }: { readonly title: string; readonly lead: string }) {
  return (
    <header className="pagehead">
      <div>
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
      </div>
      <MarketSwitch />
    </header>
  );
}
