// Who has to do with a task, and what is known of them.
import { WalletLink } from '../../components/WalletLink.tsx';
import type { Task } from '../../data/market.ts';
import { Standing } from './Standing.tsx';

export function Parties({ task }: { readonly task: Task }) {
  const { market, dispute } = task;
  return (
    <section className="sheet">
      <header>
        <h2>Parties</h2>
      </header>
      <dl className="body parties">
        <Party name="Poster" address={task.poster} market={market} />
        {task.worker === undefined ? (
          <div>
            <dt>Worker</dt>
            <dd className="quiet">nobody yet</dd>
          </div>
        ) : (
          <Party name="Worker" address={task.worker} market={market} />
        )}
        {typeof dispute?.arbitrator === 'string' && (
          <Party name="Arbitrator" address={dispute.arbitrator} market={market} />
        )}
      </dl>
    </section>
  );
}

function Party({
  name,
  address,
  market,
}: {
  readonly name: string;
  readonly address: string;
  readonly market: Task['market'];
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <WalletLink market={market} address={address} name={name} />
        <Standing market={market} address={address} isPoster={name === 'Poster'} />
      </dd>
    </div>
  );
}
