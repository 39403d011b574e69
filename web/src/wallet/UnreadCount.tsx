// The number of unread messages, beside the link to them and in the title of the tab. A separate chunk: it checks messages.
import { useEffect } from 'react';
import { setTitleCount } from '#data/tabTitle.ts';
import { countUnread, useMailbox } from './messaging.ts';
import { useSession } from './useSession.tsx';
import { useWallet } from './useWallet.tsx';

const pollMs = 15_000;

/** Null until the wallet has signed in. */
export function useUnread(): number | null {
  const own = useWallet()?.address;
  const { token } = useSession();
  const { data } = useMailbox(token, pollMs);
  if (own === undefined || token === null) return null;
  return (data?.transcripts ?? []).reduce((sum, transcript) => sum + countUnread(transcript, own), 0);
}

export function UnreadCount() {
  const count = useUnread() ?? 0;
  useEffect(() => {
    setTitleCount('messages', count);
    return () => setTitleCount('messages', 0);
  }, [count]);
  if (count === 0) return null;
  return (
    <>
      {' '}
      <span className="unread">
        {count}
        <span className="hidden"> unread</span>
      </span>
    </>
  );
}
