// Opens a conversation: a question in plain words, or an offer of terms.

import { type Address, formatTok } from '@svc/sdk/domain';
import type { SignedEnvelope } from '@svc/sdk/negotiation';
import { type ReactNode, useState } from 'react';
import { useNow } from '../../components/Clock.tsx';
import { Switch, TextField } from '../../components/Form.tsx';
import { WalletLink } from '../../components/Hex.tsx';
import { useMarket } from '../../components/MarketHeader.tsx';
import { changeSearch, Link, useSearch, visit } from '../../components/navigation.tsx';
import { QueryView } from '../../components/QueryView.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { useTask } from '../../data/market.ts';
import { useProfile } from '../../data/profiles.ts';
import { readAddress } from '../../data/readAddress.ts';
import { readSavedForm, useSavedText } from '../../data/savedText.ts';
import { useStanding } from '../../wallet/marketAccess.ts';
import { parseSavedPost } from '../post/draft.ts';
import { Composer } from './Composer.tsx';
import { useTitles } from './conversations.ts';
import { OfferForm } from './OfferForm.tsx';
import { type OfferDraft, startFromTask, startOffer } from './offerDraft.ts';

/** `about` is the id of a task or of a listing; empty without one. */
type Props = { own: Address; to: Address | null; about: string };

const isListing = (about: string) => about.startsWith('0x');

export function NewConversation({ own, to, about }: Props) {
  const [typed, setTyped] = useSavedText('to');
  const other = to ?? readAddress(typed);
  const named = { title: null, about };
  const title = useTitles([named])(named);
  const isOwn = other?.toLowerCase() === own.toLowerCase();
  return (
    <Sheet
      title={about === '' ? 'New message' : isListing(about) ? 'About a listing' : title}
      note={<Link href="/messages.html">All conversations</Link>}
    >
      {to === null ? (
        <TextField
          label="To"
          note="The address of a wallet: 0x and 40 hexadecimal digits."
          value={typed}
          onChange={setTyped}
          error={typed !== '' && other === null ? 'This is not an address.' : undefined}
        />
      ) : (
        <p>
          To <WalletLink address={to} />
        </p>
      )}
      {isOwn && <p className="notice">This is your own wallet. Choose another one.</p>}
      {other !== null && !isOwn && (
        <Opening key={`${other}:${about}`} own={own} to={other} about={about} onOpened={() => setTyped('')} />
      )}
    </Sheet>
  );
}

type OpeningProps = Props & { to: Address; onOpened: () => void };

function Opening({ own, to, about, onOpened }: OpeningProps) {
  const search = useSearch();
  // Each link that fills the form in has a draft of its own.
  const filled = ['service', 'scope', 'market', 'draft'].map((name) => search.get(name) ?? '');
  const name = `offer:${own}:${to}:${[about, ...filled].join(':')}`.toLowerCase();
  // Proposals for a listing are made on its page.
  const mayOffer = !isListing(about);
  const kind = mayOffer && search.has('propose') ? 'offer' : 'message';
  const [negotiationId] = useState(() => crypto.randomUUID());
  const onSent = (signed: SignedEnvelope) => {
    onOpened();
    visit(`/messages.html?conversation=${signed.hash}`);
  };
  return (
    <>
      <StandingHint />
      {mayOffer && (
        <Switch
          labels={{ message: 'A message', offer: 'An offer' }}
          value={kind}
          onChange={(chosen) => changeSearch({ propose: chosen === 'offer' ? '1' : '' })}
        />
      )}
      {kind === 'message' ? (
        <Composer to={to} about={about} start={search.get('text') ?? ''} onSent={onSent} />
      ) : (
        <OfferStart to={to} about={about}>
          {(start) => (
            <OfferForm
              name={name}
              own={own}
              other={to}
              start={start}
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

/** Before anything is written: the gateway refuses a first message of a wallet without a part in the market. */
function StandingHint() {
  if (useStanding() !== false) return null;
  return (
    <p className="notice" data-is="time">
      To write first, unless you share a task, your wallet needs the entry collateral of a market.{' '}
      <a href="/treasury-dashboard.html">Deposit it</a> before you write: it stays yours. It counts at once
      for a wallet with an open task or listing, and after 24 hours for any other.
    </p>
  );
}

type StartProps = { to: Address; about: string; children: (start: OfferDraft) => ReactNode };

/** The work that a profile offers, filled in. */
function ServiceStart({ to, index, children }: Omit<StartProps, 'about'> & { index: number }) {
  const start = startOffer('poster', useMarket());
  return (
    <QueryView query={useProfile(to)} what="the service">
      {({ profile }) => {
        const service = profile?.document?.services[index];
        if (service === undefined) return children(start);
        const { title, text: description, priceTokWei, days, tags } = service;
        const price = priceTokWei === null ? '' : formatTok(BigInt(priceTokWei));
        const work = { title, description, milestones: [price], days: String(days), tags: tags.join(', ') };
        return children({ ...start, draft: { ...start.draft, ...work } });
      }}
    </QueryView>
  );
}

/** An empty offer, or the terms of the open task that it is about. */
function OfferStart({ to, about, children }: StartProps) {
  const search = useSearch();
  const start = startOffer('poster', useMarket());
  const scope = search.get('scope') === 'open' ? 'open' : 'private';
  const service = search.get('service');
  if (about === '' && service !== null)
    return (
      <ServiceStart to={to} index={Number(service)}>
        {children}
      </ServiceStart>
    );
  if (about !== '') return <Application about={about}>{children}</Application>;
  // The words of the posting form come along.
  const written = search.get('draft') === 'post' ? readSavedForm('post', parseSavedPost)?.draft : undefined;
  return children({ ...start, scope, draft: written ?? start.draft });
}

/** Waits for the open task that the offer begins with. */
function Application({ about, children }: Omit<StartProps, 'to'>) {
  const now = useNow();
  return (
    <QueryView query={useTask(about)} what="the task">
      {(task) => children(startFromTask(task, now))}
    </QueryView>
  );
}
