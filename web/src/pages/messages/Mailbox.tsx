// The mailbox: the list of conversations, page by page, and beside it the chosen one or a new one.

import type { Address } from '@svc/sdk/domain';
import type { ListedConversation } from '@svc/sdk/internal/schemas/conversations';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Ago, useMinute } from '../../components/Clock.tsx';
import { Button } from '../../components/Form.tsx';
import { Link, useSearch } from '../../components/navigation.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { shorten } from '../../data/format.ts';
import { readAddress } from '../../data/readAddress.ts';
import { useConversationList, useMarking } from '../../wallet/conversationMarks.ts';
import { otherOf, useMailbox } from '../../wallet/messaging.ts';
import { describeConversation, useTitles } from './conversations.ts';
import { NewConversation } from './NewConversation.tsx';
import { Thread } from './Thread.tsx';

export function Mailbox({ own, onSignOut }: { own: Address; onSignOut: () => void }) {
  const search = useSearch();
  const list = useConversationList({ senders: 'known', limit: pageLength });
  const root = search.get('conversation');
  const isNew = search.has('to') || search.has('new');
  return (
    <QueryView query={list} what="your messages">
      {({ conversations, counts }) => (
        <div className="mailbox" data-is={root === null && !isNew ? 'list' : 'thread'}>
          <nav className="sheet conversations" aria-label="Conversations">
            <header>
              <h2>Conversations</h2>
              <Link className="button" href="/messages.html?new=1">
                New message
              </Link>
            </header>
            <Pages chosen={root} senders="known">
              <p className="body quiet">
                No messages yet. Ask a question on the page of an open task, or write to a wallet.
              </p>
            </Pages>
            <Pages chosen={root} senders="unknown" />
            <p className="body small">
              <Button is="plain" onClick={onSignOut}>
                Sign out
              </Button>
            </p>
          </nav>
          <div className="stack">
            {root !== null && !isNew ? (
              <Chosen key={root} root={root} own={own} />
            ) : isNew ? (
              <NewConversation
                own={own}
                to={readAddress(search.get('to') ?? '')}
                about={search.get('about') ?? ''}
              />
            ) : (
              conversations.length + counts.unknown > 0 && <p className="notice">Choose a conversation.</p>
            )}
          </div>
        </div>
      )}
    </QueryView>
  );
}

type ChosenProps = { root: string; own: Address };

/** Reads its newest messages, and earlier ones on request. What is shown counts as read. */
function Chosen({ root, own }: ChosenProps) {
  const now = useMinute();
  const [before, setBefore] = useState<number>();
  const [head, setHead] = useState<number>();
  const mailbox = useMailbox({ root, head, before });
  const transcript = mailbox.data?.transcripts.find((one) => one.root === root);
  const list = useConversationList(transcript === undefined ? null : { with: otherOf(transcript, own) });
  const listed = list.data?.conversations.find((one) => one.root === root);
  const taskId = listed?.taskId ?? undefined;
  const conversation =
    transcript && describeConversation(transcript, { mailbox: mailbox.data, own, taskId, now });
  const newest = listed?.messages;
  useEffect(() => setHead(newest), [newest]);
  const shown = conversation?.messages.at(-1)?.envelope.sequence ?? 0;
  const { start: mark } = useMarking();
  const confirmed = useRef(0);
  const isUnread = listed !== undefined && listed.unread > 0;
  useEffect(() => {
    if (!isUnread || confirmed.current >= shown) return;
    confirmed.current = shown;
    void mark({ root, read: shown });
  }, [isUnread, shown, root, mark]);
  if (conversation === undefined)
    return (
      <QueryView query={mailbox} what="this conversation">
        {() => <p className="notice">This conversation cannot be read.</p>}
      </QueryView>
    );
  const first = conversation.messages[0]?.envelope.sequence ?? 1;
  return (
    <Thread
      conversation={conversation}
      listed={listed}
      earlier={first - 1}
      onEarlier={() => setBefore(first)}
      isLoading={mailbox.isFetching && before === first}
    />
  );
}

const pageLength = 50;

type PagesProps = {
  chosen: string | null;
  senders: 'known' | 'unknown';
  /** The last conversation of the page before. */
  cursor?: string;
  /** Shown where there are none. */
  children?: ReactNode;
};

/** One page of conversations, and on request the next one below it. */
function Pages({ chosen, senders, cursor, children }: PagesProps) {
  const [isOpen, setOpen] = useState(false);
  const query = { senders, limit: pageLength, ...(cursor !== undefined && { cursor }) };
  const { data } = useConversationList(query);
  const conversations = data?.conversations ?? [];
  const titleOf = useTitles(conversations);
  const next = data?.nextCursor ?? null;
  if (conversations.length === 0) return children;
  return (
    <>
      {senders === 'unknown' && cursor === undefined && (
        <>
          <h3 className="body">Unknown senders</h3>
          <p className="body small quiet">You share no task with them and have not answered.</p>
        </>
      )}
      <ul>
        {conversations.map((listed) => (
          <ConversationRow
            key={listed.root}
            listed={listed}
            title={titleOf(listed)}
            isChosen={listed.root === chosen}
          />
        ))}
      </ul>
      {next !== null && !isOpen && (
        <p className="body small">
          <Button is="plain" onClick={() => setOpen(true)}>
            Show more
          </Button>
        </p>
      )}
      {next !== null && isOpen && <Pages chosen={chosen} senders={senders} cursor={next} />}
    </>
  );
}

type ConversationRowProps = { listed: ListedConversation; title: string; isChosen: boolean };

function ConversationRow({ listed, title, isChosen }: ConversationRowProps) {
  const { root, with: other, unread, messages, lastAt, isMuted, isBlocked, settlementDigest } = listed;
  const state =
    listed.taskId !== null ? 'task created' : settlementDigest === null ? 'talking' : 'offer made';
  return (
    <li>
      <Link href={`/messages.html?conversation=${root}`} aria-current={isChosen ? 'true' : undefined}>
        <b dir="auto">{title}</b>
        {unread > 0 && !isMuted && <span className="unread">{unread} new</span>}
        <span className="small quiet">
          with <span className="mono">{shorten(other)}</span>, {state}
          {isMuted && ', muted'}
          {isBlocked && ', blocked'}
        </span>
        <span className="small faint">
          {messages} {messages === 1 ? 'message' : 'messages'}, <Ago time={lastAt} />
        </span>
      </Link>
    </li>
  );
}
