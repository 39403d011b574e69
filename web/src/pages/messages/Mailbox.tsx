// The mailbox: the list of conversations, and beside it the chosen one or a new one.
import type { Address } from '@svc/sdk/domain';
import type { ListedConversation } from '@svc/sdk/internal/schemas/conversations';
import { useEffect, useRef } from 'react';
import { Button } from '#components/Button.tsx';
import { Ago, useNow } from '#components/Clock.tsx';
import { Link, useSearch } from '#components/navigation.tsx';
import { QueryView } from '#components/QueryView.tsx';
import { shorten } from '#data/format.ts';
import { readAddress } from '#data/readAddress.ts';
import { useConversationList, useMarking } from '#wallet/conversationMarks.ts';
import { useMailbox } from '#wallet/messaging.ts';
import { isSessionOver } from '#wallet/useSession.tsx';
import { type Conversation, statusWords, useConversations } from './conversations.ts';
import { NewConversation } from './NewConversation.tsx';
import { Thread } from './Thread.tsx';

export function Mailbox({ own, token, onSignOut }: { own: Address; token: string; onSignOut: () => void }) {
  const search = useSearch();
  const mailbox = useMailbox(token);
  const conversations = useConversations(mailbox.data, own, useNow());
  const list = useConversationList(4_000).data?.conversations ?? [];
  const listed = new Map(list.map((one) => [one.root, one]));
  const isUnknown = ({ transcript }: Conversation) => listed.get(transcript.root)?.isUnknown === true;
  const isOver = mailbox.isError && isSessionOver(mailbox.error);
  useEffect(() => {
    if (isOver) onSignOut();
  }, [isOver, onSignOut]);
  const root = search.get('conversation');
  const chosen = conversations.find(({ transcript }) => transcript.root === root);
  const to = readAddress(search.get('to') ?? '');
  const isNew = search.has('to') || search.has('new');
  return (
    <QueryView query={mailbox} what="your messages">
      {() => (
        <div className="mailbox" data-is={chosen === undefined && !isNew ? 'list' : 'thread'}>
          <nav className="sheet conversations" aria-label="Conversations">
            <header>
              <h2>Conversations</h2>
              <Link className="button" href="/messages.html?new=1">
                New message
              </Link>
            </header>
            {conversations.length === 0 && (
              <p className="body quiet">
                No messages yet. Ask a question on the page of an open task, or write to a wallet.
              </p>
            )}
            <Rows
              conversations={conversations.filter((one) => !isUnknown(one))}
              listed={listed}
              chosen={chosen}
            />
            {conversations.some(isUnknown) && (
              <>
                <h3 className="body">Unknown senders</h3>
                <p className="body small quiet">You share no task with them and have not answered.</p>
                <Rows conversations={conversations.filter(isUnknown)} listed={listed} chosen={chosen} />
              </>
            )}
            <p className="body small">
              <Button is="plain" onClick={onSignOut}>
                Sign out
              </Button>
            </p>
          </nav>
          <div className="stack">
            {chosen !== undefined ? (
              <Thread
                key={chosen.transcript.root}
                conversation={chosen}
                listed={listed.get(chosen.transcript.root)}
              />
            ) : isNew ? (
              <NewConversation own={own} to={to} about={search.get('about') ?? ''} />
            ) : (
              <p className="notice">Choose a conversation.</p>
            )}
          </div>
        </div>
      )}
    </QueryView>
  );
}

type Listed = ReadonlyMap<string, ListedConversation>;
type RowsProps = { conversations: readonly Conversation[]; listed: Listed; chosen: Conversation | undefined };

function Rows({ conversations, listed, chosen }: RowsProps) {
  return (
    <ul>
      {conversations.map((conversation) => (
        <ConversationRow
          key={conversation.transcript.root}
          conversation={conversation}
          listed={listed.get(conversation.transcript.root)}
          isChosen={conversation === chosen}
        />
      ))}
    </ul>
  );
}

type ConversationRowProps = {
  conversation: Conversation;
  listed: ListedConversation | undefined;
  isChosen: boolean;
};

function ConversationRow({ conversation, listed, isChosen }: ConversationRowProps) {
  const { transcript, title, other, lastAt, status, messages } = conversation;
  const unread = listed?.unread ?? 0;
  const { start: mark } = useMarking();
  const read = listed?.messages ?? 0;
  const confirmed = useRef(0);
  useEffect(() => {
    if (!isChosen || unread === 0 || confirmed.current >= read) return;
    confirmed.current = read;
    void mark({ root: transcript.root, read });
  }, [isChosen, unread, read, transcript.root, mark]);
  return (
    <li>
      <Link
        href={`/messages.html?conversation=${transcript.root}`}
        aria-current={isChosen ? 'true' : undefined}
      >
        <b dir="auto">{title}</b>
        {unread > 0 && !listed?.isMuted && <span className="unread">{unread} new</span>}
        <span className="small quiet">
          with <span className="mono">{shorten(other)}</span>, {statusWords[status]}
          {listed?.isMuted === true && ', muted'}
          {listed?.isBlocked === true && ', blocked'}
        </span>
        <span className="small faint">
          {messages.length} {messages.length === 1 ? 'message' : 'messages'}, <Ago time={lastAt} />
        </span>
      </Link>
    </li>
  );
}
