// The switch for notifications, and the notices themselves: a turn that became the reader's, and new messages.
import { useEffect, useRef } from 'react';
import { nameTask } from '../../data/format.ts';
import {
  type Notice,
  showNotice,
  turnNoticesOff,
  turnNoticesOn,
  useNoticeState,
} from '../../data/notices.ts';
import type { OwnTask } from '../../data/ownTasks.ts';
import { nameUnread } from '../../wallet/conversationMarks.ts';

export function NoticeSwitch() {
  const state = useNoticeState();
  if (state === 'unsupported') return null;
  if (state === 'blocked')
    return (
      <p className="small quiet">
        This browser blocks notifications of this site. Allow them in its settings to hear of your turn.
      </p>
    );
  return (
    <p className="row small">
      <button
        type="button"
        className="button"
        aria-pressed={state === 'on'}
        onClick={() => (state === 'on' ? turnNoticesOff() : void turnNoticesOn())}
      >
        {state === 'on' ? 'Stop notifying me' : 'Notify me'}
      </button>
      <span className="quiet">
        {state === 'on'
          ? 'You get a notification when it is your turn or a message comes, while this page stays open in a tab.'
          : 'Get a notification of your browser when it is your turn or a message comes.'}
      </span>
    </p>
  );
}

/** What needs the reader when the page opens is on the page; only what comes later is announced. */
export function useTurnNotices(needed: readonly OwnTask[] | null): void {
  useNewNotices(
    needed?.map(({ task, concern, sentence }) => ({
      key: `${task.id} ${concern.state} ${sentence}`,
      subject: task.id,
      title: sentence,
      body: nameTask(task).slice(0, maxBodyLength),
      href: `/market.html?task=${task.id}`,
    })) ?? null,
  );
}

/** `count`, of conversations, is null until the mailbox has been read. */
export function useMessageNotices(count: number | null): void {
  useNewNotices(
    count === null
      ? null
      : Array.from({ length: count }, (_, index) => ({
          key: `messages ${index + 1}`,
          subject: 'messages',
          title: nameUnread(index + 1),
          body: 'Open your messages to read it.',
          href: '/messages.html',
        })),
  );
}

const maxBodyLength = 120;

function useNewNotices(notices: readonly Notice[] | null): void {
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (notices === null) return;
    const before = known.current;
    known.current = new Set(notices.map(({ key }) => key));
    if (before !== null) for (const notice of notices) if (!before.has(notice.key)) showNotice(notice);
  });
}
