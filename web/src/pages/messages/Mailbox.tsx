// The mailbox: the list of conversations, and beside it the chosen one or a new one.
import type { Address } from '@svc/sdk/domain';
import { useEffect, useState } from 'react';
import { Button } from '#components/Button.tsx';
import { Ago, useNow } from '#components/Clock.tsx';
import { Link, useSearch } from '#components/navigation.tsx';
import { QueryView } from '#components/QueryView.tsx';
import { shorten } from '#data/format.ts';
import { countUnread, markSeen, useMailbox } from '#wallet/messaging.ts';
import { isSessionOver } from '#wallet/useSession.tsx';
import { type Conversation, statusWords, useConversations } from './conversations.ts';
import { NewConversation, readAddress } from './NewConversation.tsx';
import { Thread } from './Thread.tsx';

export function Mailbox({ own, token, onSignOut }: { own: Address; token: string; onSignOut: () => void }) {
  const search = useSearch();
  const mailbox = useMailbox(token);
  const conversations = useConversations(mailbox.data, own, useNow());
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
            <ul>
              {conversations.map((conversation) => (
                <ConversationRow
                  key={conversation.transcript.root}
                  conversation={conversation}
                  isChosen={conversation === chosen}
                />
              ))}
            </ul>
            <p className="body small">
              <Button is="plain" onClick={onSignOut}>
                Sign out
              </Button>
            </p>
          </nav>
          <div className="stack">
            {chosen !== undefined ? (
              <Thread key={chosen.transcript.root} conversation={chosen} />
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

type ConversationRowProps = { conversation: Conversation; isChosen: boolean };

function ConversationRow({ conversation, isChosen }: ConversationRowProps) {
  const { transcript, own, title, other, lastAt, status, messages } = conversation;
  const [unread, setUnread] = useState(() => countUnread(transcript, own));
  useEffect(() => {
    if (isChosen) markSeen(transcript, own);
    setUnread(countUnread(transcript, own));
  }, [transcript, own, isChosen]);
  return (
    <li>
      <Link
        href={`/messages.html?conversation=${transcript.root}`}
        aria-current={isChosen ? 'true' : undefined}
      >
        <b dir="auto">{title}</b>
        {unread > 0 && <span className="unread">{unread} new</span>}
        <span className="small quiet">
          with <span className="mono">{shorten(other)}</span>, {statusWords[status]}
        </span>
        <span className="small faint">
          {messages.length} {messages.length === 1 ? 'message' : 'messages'}, <Ago time={lastAt} />
        </span>
      </Link>
    </li>
  );
}
