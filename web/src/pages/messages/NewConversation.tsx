// Opens a conversation: a question in plain words, or an offer of terms.

import { type Address, parseAddress } from '@svc/sdk/domain';
import type { SignedEnvelope } from '@svc/sdk/negotiation';
import { type ReactNode, useState } from 'react';
import { Switch } from '#components/Button.tsx';
import { useNow } from '#components/Clock.tsx';
import { TextField } from '#components/Field.tsx';
import { Link, useSearch, visit } from '#components/navigation.tsx';
import { Sheet } from '#components/Sheet.tsx';
import { useTask } from '#data/market.ts';
import { orNull } from '#data/orNull.ts';
import { Composer } from './Composer.tsx';
import { OfferForm } from './OfferForm.tsx';
import { type OfferDraft, startFromTask, startOffer } from './offerDraft.ts';

/** `about` is the id of a task; empty without one. */
type Props = { own: Address; to: Address | null; about: string };

export function NewConversation({ own, to, about }: Props) {
  const [typed, setTyped] = useState('');
  const other = to ?? readAddress(typed);
  const isOwn = other?.toLowerCase() === own.toLowerCase();
  return (
    <Sheet
      title={about === '' ? 'New message' : `About task ${about.slice(0, 40)}`}
      note={<Link href="/messages.html">All conversations</Link>}
    >
      {to === null && (
        <TextField
          label="To"
          note="The address of a wallet: 0x and 40 hexadecimal digits."
          value={typed}
          onChange={setTyped}
          error={typed !== '' && other === null ? 'This is not an address.' : undefined}
        />
      )}
      {isOwn && <p className="notice">This is your own wallet. Choose another one.</p>}
      {other !== null && !isOwn && <Opening own={own} to={other} about={about} />}
    </Sheet>
  );
}

function Opening({ own, to, about }: Props & { to: Address }) {
  const search = useSearch();
  const [kind, setKind] = useState<'message' | 'offer'>(search.has('propose') ? 'offer' : 'message');
  const [negotiationId] = useState(() => crypto.randomUUID());
  const onSent = (signed: SignedEnvelope) => visit(`/messages.html?conversation=${signed.hash}`);
  return (
    <>
      <Switch labels={{ message: 'A message', offer: 'An offer' }} value={kind} onChange={setKind} />
      {kind === 'message' ? (
        <Composer to={to} about={about} onSent={onSent} />
      ) : (
        <OfferStart about={about}>
          {(start) => (
            <OfferForm
              own={own}
              other={to}
              start={start}
              answers={null}
              negotiationId={negotiationId}
              about={about}
              onSent={onSent}
            />
          )}
        </OfferStart>
      )}
    </>
  );
}

type StartProps = { about: string; children: (start: OfferDraft) => ReactNode };

/** An empty offer, or the terms of the open task that it is about. */
function OfferStart({ about, children }: StartProps) {
  return about === '' ? (
    children(startOffer('poster', 'standard'))
  ) : (
    <Application about={about}>{children}</Application>
  );
}

/** Waits for the open task that the offer begins with. */
function Application({ about, children }: StartProps) {
  const task = useTask(about);
  const now = useNow();
  if (task.data === undefined)
    return <p className="notice">{task.isError ? 'This task cannot be loaded.' : 'Loading the task…'}</p>;
  return children(startFromTask(task.data, now));
}

/** Null if the text is not an address. */
export function readAddress(text: string): Address | null {
  return orNull(() => parseAddress(text.trim()));
}
