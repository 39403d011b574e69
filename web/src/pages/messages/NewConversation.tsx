// Opens a conversation: a question in plain words, or an offer of terms.
import { type Address, parseAddress } from '@svc/sdk/domain';
import type { SignedEnvelope } from '@svc/sdk/negotiation';
import { useState } from 'react';
import { useNow } from '#components/Clock.tsx';
import { TextField } from '#components/Field.tsx';
import { Link, useSearch, visit } from '#components/navigation.tsx';
import { useTask } from '#data/market.ts';
import { Composer } from './Composer.tsx';
import { OfferForm } from './OfferForm.tsx';
import { type OfferDraft, startFromTask, startOffer } from './offerDraft.ts';

type Props = {
  readonly own: Address;
  readonly token: string;
  readonly to: Address | null;
  /** The id of a task; empty without one. */
  readonly about: string;
};

export function NewConversation({ own, token, to, about }: Props) {
  const [typed, setTyped] = useState('');
  const other = to ?? readAddress(typed);
  const isOwn = other?.toLowerCase() === own.toLowerCase();
  return (
    <section className="sheet">
      <header>
        <h2>{about === '' ? 'New message' : `About task ${about.slice(0, 40)}`}</h2>
        <Link href="/messages.html">All conversations</Link>
      </header>
      <div className="body stack">
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
        {other !== null && !isOwn && <Opening own={own} token={token} other={other} about={about} />}
      </div>
    </section>
  );
}

function Opening({
  own,
  token,
  other,
  about,
}: {
  readonly own: Address;
  readonly token: string;
  readonly other: Address;
  readonly about: string;
}) {
  const search = useSearch();
  const [isOffer, setOffer] = useState(search.has('propose'));
  const [negotiationId] = useState(() => crypto.randomUUID());
  const onSent = (signed: SignedEnvelope) => visit(`/messages.html?conversation=${signed.hash}`);
  return (
    <>
      <div className="switch">
        <button type="button" aria-pressed={!isOffer} onClick={() => setOffer(false)}>
          A message
        </button>
        <button type="button" aria-pressed={isOffer} onClick={() => setOffer(true)}>
          An offer
        </button>
      </div>
      {!isOffer && <Composer token={token} to={other} about={about} onSent={onSent} />}
      {isOffer && about === '' && (
        <OfferForm
          own={own}
          other={other}
          token={token}
          start={startOffer('poster', 'standard')}
          answers={null}
          negotiationId={negotiationId}
          onSent={onSent}
        />
      )}
      {isOffer && about !== '' && (
        <Application id={about}>
          {(start) => (
            <OfferForm
              own={own}
              other={other}
              token={token}
              start={start}
              answers={null}
              negotiationId={negotiationId}
              about={about}
              onSent={onSent}
            />
          )}
        </Application>
      )}
    </>
  );
}

/** Waits for the open task that the offer begins with. */
function Application({
  id,
  children,
}: {
  readonly id: string;
  readonly children: (start: OfferDraft) => React.ReactNode;
}) {
  const task = useTask(id);
  const now = useNow();
  if (task.data === undefined)
    return <p className="notice">{task.isError ? 'This task cannot be loaded.' : 'Loading the task…'}</p>;
  return children(startFromTask(task.data, now));
}

function readAddress(text: string): Address | null {
  try {
    return parseAddress(text.trim());
  } catch {
    return null;
  }
}
