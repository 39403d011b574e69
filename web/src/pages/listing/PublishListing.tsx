// What a listing costs and does, and the button that signs and publishes it.

import type { ListingDocument } from '@svc/sdk/client';
import { createListingClient } from '@svc/sdk/client';
import { type Address, type Market, SvcError } from '@svc/sdk/domain';
import { maxLiveListings } from '@svc/sdk/internal/schemas/listings';
import type { ReactNode } from 'react';
import type { Hex } from 'viem';
import { AmountField } from '../../components/AmountField.tsx';
import { useGatewayNow } from '../../components/Clock.tsx';
import { Button, Failure, NumberField } from '../../components/Form.tsx';
import { Dollars, Sum } from '../../components/Money.tsx';
import { visit } from '../../components/navigation.tsx';
import { Lines } from '../../components/Sheet.tsx';
import { queries } from '../../data/client.ts';
import { showWhen } from '../../data/format.ts';
import { loadGateway } from '../../data/gateway.ts';
import { listingKey } from '../../data/listings.ts';
import { useSiteConfig } from '../../data/market.ts';
import { useStanding } from '../../wallet/marketAccess.ts';
import { useAttempt } from '../../wallet/useAttempt.ts';
import { chainId, OnChain, requireClient, useWallet } from '../../wallet/useWallet.tsx';
import { daysUntil, type ListingForm } from '../post/draft.ts';
import { Budget } from './Budget.tsx';
import { maxOpenDays } from './listingDraft.ts';
import { EntryNote, MissingOf } from './MissingOf.tsx';

type FieldsProps = {
  listing: ListingForm;
  onChange: (changes: Partial<ListingForm>) => void;
  /** Unix seconds. */
  now: number;
};

/** What a listing asks for beside the fields of a post. */
export function ListingFields({ listing, onChange, now }: FieldsProps) {
  return (
    <div className="columns">
      <AmountField
        label="The least price you expect"
        note="Empty: only the reward above."
        value={listing.least}
        onChange={(least) => onChange({ least })}
      />
      <NumberField
        label="Take proposals for, days"
        note={`Up to ${maxOpenDays}.`}
        value={listing.until === null ? listing.openDays : daysUntil(listing.until, now)}
        onChange={(openDays) => onChange({ openDays, until: null })}
      />
    </div>
  );
}

type Publishable = { readonly document: ListingDocument; readonly expiresAt: number };

type Props = {
  market: Market;
  /** A sentence while something is to be corrected. */
  listing: Publishable | string;
  /** The listing that is edited. */
  edited: { readonly id: string; readonly version: number } | null;
  /** Leads to the next step; null on the last one, where the wallet signs. */
  next: ReactNode | null;
  /** What is left to do in this step. */
  todo: string;
  onPublished: () => void;
};

/** The terms of a listing beside those of a post; none while something is to be corrected. */
export function listingTerms(listing: Publishable | string, now: number) {
  if (typeof listing === 'string') return [];
  const { document, expiresAt } = listing;
  return [
    ['You offer', <Budget key="budget" budget={document.budget} />],
    ['Proposals until', showWhen(expiresAt, now)],
  ] as const;
}

export function ListingSlip({ listing, next, todo, ...props }: Props) {
  const { market } = props;
  const wallet = useWallet();
  const limits = useSiteConfig(market).data?.limits;
  const isKnown = typeof listing !== 'string';
  return (
    <section className="slip" aria-label="What you pay">
      <div className="stub">
        <p className="small soft mid">You pay now</p>
        <Sum wei={0n} isAlone />
      </div>
      <div className="tear" />
      <div className="terms stack">
        <Lines
          lines={[
            isKnown && ['You offer', <Budget key="budget" budget={listing.document.budget} />],
            limits !== undefined && [
              'Fee, once you accept',
              <Dollars key="fee" wei={limits.accessFeeTokWei} />,
            ],
            limits?.bondUsd !== undefined && [
              'Bond, once you accept',
              `${limits.bondUsd} USDC`,
              'comes back',
            ],
          ]}
        />
        <p className="small soft">
          Listing locks nothing. Proposals are read by you, their senders and the operator.
        </p>
        {next === null ? (
          <OnChain connect="Connect a wallet to publish it. The form keeps its contents.">
            {!isKnown && <p className="small soft">{listing}</p>}
            <EntryNote market={market} what="A listing" />
            {wallet !== null && <MissingOf market={market} wallet={wallet.address} who="Your wallet" isOwn />}
            {isKnown && <Publish {...props} listing={listing} />}
          </OnChain>
        ) : (
          <>
            {todo !== '' && <p className="small soft">{todo}</p>}
            {next}
          </>
        )}
      </div>
    </section>
  );
}

type PublishProps = Pick<Props, 'market' | 'edited' | 'onPublished'> & { listing: Publishable };

function Publish({ market, listing: { document, expiresAt }, edited, onPublished }: PublishProps) {
  const wallet = useWallet();
  const now = useGatewayNow();
  const registry = useSiteConfig(market).data?.contracts.taskRegistry;
  const hasStanding = useStanding();
  const publishing = useAttempt(async () => {
    const client = requireClient(wallet);
    const { address: poster } = client.account;
    const live = await (await loadGateway()).findListings({ limit: 50, poster });
    // Before the wallet is asked: the gateway would refuse what it has signed.
    if (edited === null && live.count >= maxLiveListings) throw new SvcError('LISTING_LIMIT', {});
    if (registry === undefined) throw new Error('The market is not known yet. Try again in a moment.');
    const { id } = await createListingClient({ baseUrl: location.origin }).publish(client, document, {
      place: { chainId, registry: registry as Address },
      version: Math.max(now, (edited?.version ?? 0) + 1),
      expiresAt,
      ...(edited !== null && { id: edited.id as Hex }),
    });
    onPublished();
    await queries.invalidateQueries({ queryKey: listingKey(id) });
    visit(`/market.html?listing=${id}`);
  });
  return (
    <>
      <Failure text={publishing.failure} />
      <Button is="main" className="wide" disabled={hasStanding !== true} run={publishing}>
        {edited === null ? 'Sign and list it' : 'Sign and publish the change'}
      </Button>
    </>
  );
}
