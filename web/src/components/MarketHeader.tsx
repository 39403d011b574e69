// The heading of a page about one market, and the switch between the markets. The choice is in the address.
import { isMarket, type Market } from '@svc/sdk/domain';
import type { ReactNode } from 'react';
import { hrefWith, Link, useSearch } from './navigation.tsx';

export function useMarket(): Market {
  const asked = useSearch().get('market');
  return isMarket(asked) ? asked : 'standard';
}

export const marketNames: Readonly<Record<Market, string>> = { standard: 'Standard', micro: 'Micro' };

export function MarketSwitch() {
  return <LinkSwitch label="Market" name="market" labels={marketNames} current={useMarket()} />;
}

/** Links to views of this page, one of them current; `name` is their parameter in the address. */
export function LinkSwitch({
  label,
  name,
  labels,
  current,
}: {
  label: string;
  name: string;
  labels: Readonly<Record<string, string>>;
  current: string;
}) {
  const search = useSearch();
  return (
    <nav className="switch" aria-label={label}>
      {Object.entries(labels).map(([value, text]) => (
        <Link key={value} href={hrefWith(search, name, value)} aria-current={value === current}>
          {text}
        </Link>
      ))}
    </nav>
  );
}

/** The heading of a page; `children` are notes and links below its lead. */
export function PageHead({ title, lead, children }: { title: string; lead: string; children?: ReactNode }) {
  return (
    <header className="pagehead">
      <div>
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
        {children}
      </div>
    </header>
  );
}

export function MarketHeader({ title, lead }: { title: string; lead: string }) {
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
