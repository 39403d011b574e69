// What the connected wallet holds, its unread messages, and requests of its tools that still wait for its answer.
import { type Address, type Market, markets } from '@svc/sdk/domain';
import { marketNames } from '#components/MarketHeader.tsx';
import { RoundTok } from '#components/Money.tsx';
import { showUsdc } from '#data/format.ts';
import { usePendingRequests } from '#data/walletRequests.ts';
import { useWalletState } from '#wallet/marketAccess.ts';
import { RequestList } from '#wallet/RequestList.tsx';
import { explainError } from '#wallet/send.ts';
import { useUnread } from '#wallet/UnreadCount.tsx';
import { useMessageNotices } from './Notices.tsx';

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
              <RoundTok wei={data.tokWei} />
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
  useMessageNotices(count);
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

function Requests({ address }: { readonly address: Address }) {
  const pending = usePendingRequests(address);
  if (pending.length === 0) return null;
  return (
    <section className="sheet" aria-label="Requests of your tools">
      <header>
        <h2>Requests of your tools</h2>
        <a href="/approve.html">Open the queue ({pending.length})</a>
      </header>
      <RequestList requests={pending} />
    </section>
  );
}
