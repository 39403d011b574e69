// The head of a page about one market: what it is for, and the choice of the market.
import { MarketSwitch } from './MarketSwitch.tsx';

export function PageHead({ title, lead }: { readonly title: string; readonly lead: string }) {
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
