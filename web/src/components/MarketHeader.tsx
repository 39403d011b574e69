// The heading of a page, and the switch between the markets. The choice is in the address.
import { isMarket, type Market } from '@svc/sdk/domain';
import type { ReactNode } from 'react';
import { hrefWith, Link, useSearch } from './navigation.tsx';

export function useMarket(): Market {
  const asked = useSearch().get('market');
  return isMarket(asked) ? asked : 'standard';
}

export const marketNames: Readonly<Record<Market, string>> = { standard: 'Standard', micro: 'Micro' };

type LinkSwitchProps = {
  label: string;
  name: string;
  labels: Readonly<Record<string, string>>;
  current: string;
};

/** Links to views of this page, one of them current; `name` is their parameter in the address. */
export function LinkSwitch({ label, name, labels, current }: LinkSwitchProps) {
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

type PageHeadProps = { title: string; lead: string; hasMarkets?: boolean; children?: ReactNode };

/** `children` are notes and links below the lead; `hasMarkets` adds the switch between the markets. */
export function PageHead({ title, lead, hasMarkets = false, children }: PageHeadProps) {
  const market = useMarket();
  return (
    <header className="pagehead">
      <div>
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
        {children}
      </div>
      {hasMarkets && <LinkSwitch label="Market" name="market" labels={marketNames} current={market} />}
    </header>
  );
}
