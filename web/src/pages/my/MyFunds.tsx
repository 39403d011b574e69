// What the connected wallet holds, its unread messages, and requests of its tools that still wait for its answer.
import { type Address, type Market, markets } from '@svc/sdk/domain';
import { useQueries } from '@tanstack/react-query';
import { marketNames } from '#components/MarketHeader.tsx';
import { Tok } from '#components/Money.tsx';
import { usePagesInfo } from '#data/client.ts';
import { showUsdc } from '#data/format.ts';
import { loadRequest } from '#data/gateway.ts';
import { queryKeys } from '#data/queryKeys.ts';
import { listSeenRequests } from '#data/seenRequests.ts';
import { useWalletState } from '#wallet/marketAccess.ts';
import { explainError } from '#wallet/send.ts';
import { useUnread } from '#wallet/UnreadCount.tsx';

export function MyFunds({ address }: { readonly address: Address }) {
  return (
    <>
      <Balances />
      <Messages />
      <Requests address={address} />
    </>
  );
}

function Balances() {
  const { data, error } = useWalletState('standard');
  return (
    <section className="sheet">
      <header>
        <h2>Your money</h2>
        <a href="/treasury-dashboard.html">Deposit, withdraw, stake</a>
      </header>
      <div className="body">
        {data === undefined ? (
          <p className="small quiet" role="status">
            {error === null
              ? 'Reading your balances through the wallet…'
              : `Cannot read your balances. ${explainError(error)}`}
          </p>
        ) : (
          <dl className="pairs">
            <dt>In your wallet</dt>
            <dd>
              <Tok wei={data.tokWei} hasUsd />
            </dd>
            <dt />
            <dd>{showUsdc(data.usdc)} USDC</dd>
            {markets.map((market) => (
              <Collateral key={market} market={market} />
            ))}
          </dl>
        )}
      </div>
    </section>
  );
}

function Collateral({ market }: { readonly market: Market }) {
  const { data } = useWalletState(market);
  return (
    <>
      <dt>Collateral, {marketNames[market]}</dt>
      <dd>
        {data === undefined ? '…' : `${showUsdc(data.deposit.balance)} USDC`}
        {data?.deposit.isPaused === true && (
          <span className="status" data-tone="risk">
            {' '}
            ▲ paused
          </span>
        )}
      </dd>
    </>
  );
}

function Messages() {
  const count = useUnread();
  return (
    <section className="sheet">
      <header>
        <h2>Messages</h2>
        <a href="/messages.html">Open</a>
      </header>
      <p className="body">
        {count === null
          ? 'Sign in on the messages page to see how many are unread.'
          : count === 0
            ? 'No unread messages.'
            : `${count} unread ${count === 1 ? 'message' : 'messages'}.`}
      </p>
    </section>
  );
}

/** Only those whose page was opened in this browser: the id of a request is known to its wallet alone. */
function Requests({ address }: { readonly address: Address }) {
  const isGateway = usePagesInfo().data?.isGateway === true;
  const replies = useQueries({
    queries: listSeenRequests(address).map((id) => ({
      queryKey: queryKeys.request(id),
      enabled: isGateway,
      retry: false,
      queryFn: () => loadRequest(id),
    })),
  });
  const pending = replies.flatMap(({ data }) => (data?.status === 'pending' ? [data] : []));
  if (pending.length === 0) return null;
  return (
    <section className="sheet">
      <header>
        <h2>Requests of your tools</h2>
        <span className="small faint">{pending.length}</span>
      </header>
      <ul className="ownlist">
        {pending.map(({ requestId: id, request }) => (
          <li key={id}>
            <a href={`/approve.html?request=${encodeURIComponent(id)}`} dir="auto">
              {request.summary}
            </a>
            <span className="turn">Your turn: approve or reject it</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
