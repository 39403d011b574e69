// Chooses the market a page shows; the choice stands in the address.
import { isMarket, type Market, markets } from '@svc/sdk/domain';
import { useSearch } from '../data/address.ts';
import { Link } from './Link.tsx';

export function useMarket(): Market {
  const asked = useSearch().get('market');
  return isMarket(asked) ? asked : 'standard';
}

export const marketWords: Readonly<Record<Market, string>> = { standard: 'Standard', micro: 'Micro' };

export function MarketSwitch() {
  const search = useSearch();
  const market = useMarket();
  return (
    <nav className="switch" aria-label="Market">
      {markets.map((name) => {
        const next = new URLSearchParams(search);
        next.set('market', name);
        return (
          <Link key={name} href={`${location.pathname}?${next}`} aria-current={name === market}>
            {marketWords[name]}
          </Link>
        );
      })}
    </nav>
  );
}
