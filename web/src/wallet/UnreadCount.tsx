// The number of conversations with something new, beside the link to them and in the title of the tab.
import { useEffect } from 'react';
import { CountMark } from '../components/navigation.tsx';
import { setTitleCount } from '../data/tabTitle.ts';
import { useUnread } from './conversationMarks.ts';

export function UnreadCount() {
  const count = useUnread().count ?? 0;
  useEffect(() => {
    setTitleCount('messages', count);
    return () => setTitleCount('messages', 0);
  }, [count]);
  return count === 0 ? null : <CountMark count={count} words="unread" />;
}
