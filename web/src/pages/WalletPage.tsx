// One's own money: what can be spent, the deposit, what was earned, the stake, and the office as a judge.
import type { Market } from '@svc/sdk/domain';
import { FullAddress } from '../components/Hex.tsx';
import { LinkSwitch, marketNames, useMarket } from '../components/MarketHeader.tsx';
import { Loading, lazyPart } from '../components/QueryView.tsx';
import { views } from '../data/pageList.ts';
import { ConnectFirst, useWallet } from '../wallet/useWallet.tsx';

/** A separate chunk: it needs the catalog of actions. */
const Funds = lazyPart(
  async () => (await import('./funds/OwnFunds.tsx')).Funds,
  <Loading what="your funds" shape="cards" />,
);
const Earnings = lazyPart(async () => (await import('./funds/Earnings.tsx')).Earnings, null);

export function WalletPage() {
  const wallet = useWallet();
  const market = useMarket();
  return (
    <>
      <WalletHead part="money" market={market} />
      {wallet === null ? (
        <ConnectFirst>{views.wallet.lead}</ConnectFirst>
      ) : (
        <div className="stack wide" key={market}>
          <Funds market={market} />
          <Earnings address={wallet.address} />
          <p className="stack dense small">
            <span className="soft">Your address</span>
            <FullAddress address={wallet.address} />
          </p>
        </div>
      )}
    </>
  );
}

const parts = { money: ['Money', '/wallet.html'], notices: ['Notices', '/notifications.html'] } as const;

/** Of both pages behind one's address; the money is that of one market. */
export function WalletHead({ part, market }: { part: keyof typeof parts; market?: Market }) {
  return (
    <header className="pagehead">
      <h1>{views.wallet.heading}</h1>
      <div className="row">
        {market !== undefined && (
          <LinkSwitch label="Market" name="market" labels={marketNames} current={market} />
        )}
        <nav className="switch" aria-label="Part">
          {Object.entries(parts).map(([name, [label, href]]) => (
            <a key={name} href={href} aria-current={name === part}>
              {label}
            </a>
          ))}
        </nav>
      </div>
    </header>
  );
}
