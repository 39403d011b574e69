// What a listing costs and does, and the button that signs and publishes it.

import type { ListingDocument } from '@svc/sdk/client';
import { createListingClient } from '@svc/sdk/client';
import { type Address, type Market, SvcError } from '@svc/sdk/domain';
import { maxLiveListings } from '@svc/sdk/internal/schemas/listings';
import type { Hex } from 'viem';
import { useGatewayNow } from '../../components/Clock.tsx';
import { Button, Failure, NumberField } from '../../components/Form.tsx';
import { TokField } from '../../components/Money.tsx';
import { visit } from '../../components/navigation.tsx';
import { Facts, Sheet } from '../../components/Sheet.tsx';
import { queries } from '../../data/client.ts';
import { showMoment } from '../../data/format.ts';
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
      <TokField
        label="The least price you expect, TOK"
        note="Empty: only the amount above."
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
  onPublished: () => void;
};

export function PublishListing({ listing, ...props }: Props) {
  const { market } = props;
  const wallet = useWallet();
  return (
    <Sheet className="phase" title="Before you sign">
      {typeof listing === 'string' ? (
        <p className="quiet">{listing}</p>
      ) : (
        <Facts
          facts={{
            Budget: <Budget budget={listing.document.budget} />,
            'Due at the latest': showMoment(listing.document.deadline),
            'Proposals until': showMoment(listing.expiresAt),
          }}
        />
      )}
      <p className="quiet">
        Listing locks nothing. Fee, bond and escrow come when you accept a proposal; you see them before you
        sign that. Everyone can read the listing. Proposals are read by you, their senders and the operator.
      </p>
      <OnChain connect="Connect a wallet to publish it. The form keeps its contents.">
        <EntryNote market={market} what="A listing" />
        {wallet !== null && <MissingOf market={market} wallet={wallet.address} who="Your wallet" isOwn />}
        {typeof listing !== 'string' && <Publish {...props} listing={listing} />}
      </OnChain>
    </Sheet>
  );
}

type PublishProps = Props & { listing: Publishable };

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
