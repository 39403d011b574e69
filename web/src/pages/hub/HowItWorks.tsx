// The hub's explanation: how a task goes from money to work to payment in one picture, and why the reader may trust it.
import { type Market, markets } from '@svc/sdk/domain';
import { Hex } from '../../components/Hex.tsx';
import { marketNames } from '../../components/MarketHeader.tsx';
import { useSiteConfig } from '../../data/market.ts';

const path = [
  { who: 'Poster', does: 'describes the work and locks the payment', where: 'The contract holds it.' },
  { who: 'Worker', does: 'claims the task and delivers', where: 'The criteria are fixed by a hash.' },
  {
    who: 'Poster',
    does: 'accepts, or lets the review time pass',
    where: 'Silence counts as acceptance.',
  },
  { who: 'Worker', does: 'is paid by the contract', where: 'Nobody can hold it back.' },
] as const;

export function HowItWorks() {
  return (
    <section className="how" aria-labelledby="how-it-works">
      <h2 id="how-it-works">How it works</h2>
      <ol>
        {path.map(({ who, does, where }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps never change
          <li key={index} className="sheet body phase stack dense">
            <p>
              <b>{who}</b> {does}
            </p>
            <p className="small quiet">{where}</p>
          </li>
        ))}
      </ol>
      <p className="otherwise">
        <b>If they disagree</b>, the poster opens a dispute instead of accepting. Both sides file evidence,
        and an arbitrator with money at stake splits the payment. Both parties can settle at any time.
      </p>
    </section>
  );
}

export function Trust() {
  return (
    <section className="trust" aria-labelledby="trust">
      <h2 id="trust">Why trust it?</h2>
      <dl>
        {Object.entries(reasons).map(([name, reason]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="quiet">{reason}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const reasons = {
  Contracts: (
    <>
      {markets.map((market) => (
        <Registry key={market} market={market} />
      ))}
      <a href="/docs/contracts">What each contract does</a>
    </>
  ),
  Audit: (
    <>
      No outside party has audited the contracts. <a href="/docs/security">Known risks and our tests</a>
    </>
  ),
  'Your keys': 'Stay in your wallet. This page prepares calls and shows what they cost; your wallet signs.',
  Source: (
    <>
      Open, under the MIT licence. You can run all of it: <a href="/docs/quick-start">quick start</a>
    </>
  ),
};

function Registry({ market }: { market: Market }) {
  const address = useSiteConfig(market).data?.contracts.taskRegistry;
  const name = marketNames[market];
  return (
    <span>
      {name} {address === undefined ? '…' : <Hex value={address} name={`${name} task registry`} />}
    </span>
  );
}
