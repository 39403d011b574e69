// What the connected wallet holds, what is new in its messages, and requests of its tools that its list has not.
import { type Address, type Market, markets } from '@svc/sdk/domain';
import { marketNames } from '../../components/MarketHeader.tsx';
import { RoundTok } from '../../components/Money.tsx';
import { Facts, Sheet, Status } from '../../components/Sheet.tsx';
import { showUsdc } from '../../data/format.ts';
import { useTodo } from '../../data/ownTasks.ts';
import { usePendingRequests } from '../../data/walletRequests.ts';
import { nameUnread, useUnread } from '../../wallet/conversationMarks.ts';
import { useWalletState } from '../../wallet/marketAccess.ts';
import { RequestList } from '../../wallet/RequestList.tsx';
import { useSession } from '../../wallet/useSession.tsx';
import { WithWalletState } from '../funds/OwnFunds.tsx';

export function MyFunds({ address }: { address: Address }) {
  return (
    <>
      <Balances />
      <Messages />
      <Requests address={address} />
    </>
  );
}

function Balances() {
  return (
    <Sheet title="Your money" note={<a href="/wallet.html">Deposit, withdraw, stake</a>}>
      <WithWalletState market="standard">
        {({ tokWei, usdc }) => (
          <Facts
            facts={{
              'TOK in your wallet': <RoundTok wei={tokWei} />,
              'USDC in your wallet': `${showUsdc(usdc)} USDC`,
              ...Object.fromEntries(
                markets.map((market) => [
                  `Collateral, ${marketNames[market]}`,
                  <Collateral key={market} market={market} />,
                ]),
              ),
            }}
          />
        )}
      </WithWalletState>
    </Sheet>
  );
}

function Collateral({ market }: { market: Market }) {
  const { data } = useWalletState(market);
  if (data === undefined) return '…';
  return (
    <>
      {showUsdc(data.deposit.balance)} USDC
      {data.deposit.isPaused && <Status tone="risk"> ▲ paused</Status>}
    </>
  );
}

function Messages() {
  const { count, error } = useUnread();
  const { token } = useSession();
  return (
    <Sheet title="Messages" note={<a href="/messages.html">Open</a>} isBare>
      <p className="body">{describeUnread(count, token !== null, error)}</p>
    </Sheet>
  );
}

function describeUnread(count: number | null, isSignedIn: boolean, error: Error | null): string {
  if (!isSignedIn) return 'Sign in on the messages page to see what is new.';
  if (count === null)
    return error === null ? 'Looking for new messages…' : `Cannot read your messages. ${error.message}`;
  return count === 0 ? 'No new messages.' : `${nameUnread(count)}.`;
}

function Requests({ address }: { address: Address }) {
  const pending = usePendingRequests(address);
  const listed = new Set(useTodo(address).data?.flatMap(({ todo }) => todo.map(({ about }) => about.id)));
  const others = pending.filter(({ requestId }) => !listed.has(requestId));
  if (others.length === 0) return null;
  const title = 'Requests of your tools';
  return (
    <Sheet
      title={title}
      aria-label={title}
      note={<a href="/approve.html">Open the queue ({pending.length})</a>}
      isBare
    >
      <RequestList requests={others} />
    </Sheet>
  );
}
