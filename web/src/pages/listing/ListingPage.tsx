// One listing: what is wanted, who wants it; a form to propose for workers, the proposals for its poster.

import { createListingClient } from '@svc/sdk/client';
import { type Address, isSameAddress, type Market } from '@svc/sdk/domain';
import { numberTask } from '@svc/sdk/internal/domain/taskId';
import { splitBudget } from '@svc/sdk/negotiation';
import { type ReactNode, useState } from 'react';
import { Countdown } from '../../components/Clock.tsx';
import { Button, Failure } from '../../components/Form.tsx';
import { Hex, WalletLink } from '../../components/Hex.tsx';
import { marketNames } from '../../components/MarketHeader.tsx';
import { BackLink, Link } from '../../components/navigation.tsx';
import { GatewayOnly, QueryView } from '../../components/QueryView.tsx';
import { Facts, Sheet, Status, TechnicalFacts } from '../../components/Sheet.tsx';
import { queries, statusOf } from '../../data/client.ts';
import { showDuration, showExactDuration, showMoment } from '../../data/format.ts';
import {
  type Listing,
  type ListingWords,
  listingKey,
  proposalWords,
  useListing,
} from '../../data/listings.ts';
import { useProfile } from '../../data/profiles.ts';
import { useTitle } from '../../data/tabTitle.ts';
import { useAttempt } from '../../wallet/useAttempt.ts';
import { SignInButton, useSession } from '../../wallet/useSession.tsx';
import { ConnectHint, OnChain, useWallet } from '../../wallet/useWallet.tsx';
import { Brief, Criteria, MilestoneList, Tags, Title, WroteThis } from '../task/Brief.tsx';
import { Budget } from './Budget.tsx';
import { OwnProposal } from './OwnProposal.tsx';
import { ProposalTable } from './ProposalTable.tsx';
import { type ShownProposal, useProposals } from './useProposals.ts';

const wantedOf = (market: Market) => `/market.html?market=${market}&view=wanted`;

export function ListingPage({ id }: { id: string }) {
  const market = useListing(id).data?.market ?? 'standard';
  return (
    <>
      <BackLink href={wantedOf(market)}>Looking for proposals</BackLink>
      <GatewayOnly what="the listing" shape="task">
        <LoadedListing id={id} />
      </GatewayOnly>
    </>
  );
}

function LoadedListing({ id }: { id: string }) {
  const listing = useListing(id);
  // An id that cannot be one is refused with 400.
  if (listing.data === undefined && [400, 404].includes(statusOf(listing.error)))
    return (
      <p className="notice">
        There is no such listing on this market.{' '}
        <Link href={wantedOf('standard')}>See all that look for proposals</Link>.
      </p>
    );
  return (
    <QueryView query={listing} what="the listing" shape="task">
      {(known) => <Shown listing={known} />}
    </QueryView>
  );
}

const stateWords = {
  live: 'looking for proposals',
  closed: 'closed by its poster',
  ended: 'ended',
  taken: 'a worker was chosen',
  hidden: 'hidden',
} as const;

function Shown({ listing }: { listing: Listing }) {
  const { document: words, state, taskId, withheld } = listing;
  useTitle(words?.task.title, 'Market');
  const own = useWallet()?.address;
  const isSignedIn = useSession().token !== null;
  // The poster sees each proposal below; the rough count of all others comes later.
  const seesProposals = isSignedIn && own !== undefined && isSameAddress(own, listing.poster as Address);
  if (words === null)
    return (
      <p className="notice">
        {withheld === null
          ? 'The poster has closed this listing.'
          : `The operator does not show this listing: ${withheld}`}
      </p>
    );
  return (
    <>
      <header className="taskhead">
        <Title text={words.task.title} />
        <p className="row">
          <b>
            <Budget budget={words.budget} />
          </b>
          <Status tone={state === 'live' ? 'act' : 'done'}>
            {state === 'live' ? '● ' : '○ '}
            {stateWords[state]}
          </Status>
          {!seesProposals && <span className="quiet">{proposalWords[listing.proposals]}</span>}
        </p>
        <Tags tags={words.task.tags} market={listing.market} />
      </header>
      {taskId !== null && (
        <p className="notice" data-is="act">
          The poster chose a proposal: it became{' '}
          <a href={`/market.html?task=${taskId}`}>{numberTask(taskId)}</a>.
        </p>
      )}
      <div className="taskgrid" data-is="task">
        <div className="stack">
          <Brief
            words={{ description: words.task.description, artifacts: words.task.artifacts ?? [] }}
            by={<WroteThis address={listing.poster} />}
          />
          <Criteria text={words.task.criteria} />
          <ListingMilestones words={words} />
          <Mine listing={listing} words={words} />
        </div>
        <aside className="stack" aria-label="Terms">
          <Terms listing={listing} words={words} />
        </aside>
      </div>
    </>
  );
}

type Props = { listing: Listing; words: ListingWords };

function ListingMilestones({ words }: { words: ListingWords }) {
  if (words.milestoneBps.length === 0) return null;
  const amounts = splitBudget(BigInt(words.budget.maxTokWei), words.milestoneBps);
  return (
    <MilestoneList
      note="at the highest price; each proposal is split in the same shares"
      milestones={amounts.map((amount, at) => ({
        amountTokWei: String(amount),
        description: words.task.milestones[at],
        state: `${(words.milestoneBps[at] ?? 0) / 100} %`,
      }))}
    />
  );
}

/** What this wallet has to do with the listing. */
function Mine({ listing, words }: Props) {
  const wallet = useWallet();
  const session = useSession();
  if (wallet === null)
    return (
      <Sheet title="Propose">
        <ConnectHint />
      </Sheet>
    );
  const own = wallet.address;
  const isPoster = isSameAddress(own, listing.poster as Address);
  const title = isPoster ? 'Proposals' : 'Propose';
  const { token } = session;
  if (token === null)
    return (
      <Sheet title={title}>
        <SignInButton session={session}>
          {isPoster
            ? 'Proposals are messages: you, their senders and the operator of this gateway can read them.'
            : 'A proposal is a message: you, the poster and the operator of this gateway can read it.'}
        </SignInButton>
      </Sheet>
    );
  return (
    <OnChain>
      <WithProposals title={title} own={own} listing={listing} words={words}>
        {(proposals) =>
          isPoster ? (
            <>
              <ProposalTable listing={listing} words={words} proposals={proposals} />
              {listing.state === 'live' && <CloseListing listing={listing} token={token} />}
            </>
          ) : (
            <OwnProposal listing={listing} words={words} own={own} proposals={proposals} />
          )
        }
      </WithProposals>
    </OnChain>
  );
}

type ProposalsProps = Props & {
  title: string;
  own: Address;
  children: (proposals: readonly ShownProposal[]) => ReactNode;
};

function WithProposals({ title, own, listing, words, children }: ProposalsProps) {
  const query = useProposals(listing, words, own);
  if (query.data !== undefined) return children(query.data);
  return (
    <Sheet title={title}>
      <QueryView query={query} what="your messages">
        {children}
      </QueryView>
    </Sheet>
  );
}

function CloseListing({ listing: { id, market }, token }: { listing: Listing; token: string }) {
  const [isAsked, setAsked] = useState(false);
  const closing = useAttempt(async () => {
    await createListingClient({ baseUrl: location.origin }).close(id, token);
    await queries.invalidateQueries({ queryKey: listingKey(id) });
  });
  return (
    <div className="row">
      <Failure text={closing.failure} />
      <Link className="button" href={`/market.html?market=${market}&post=new&who=proposals&edit=${id}`}>
        Edit the listing
      </Link>
      {isAsked ? (
        <Button is="risk" run={closing} busyLabel="Closing…">
          Close it for good
        </Button>
      ) : (
        <Button onClick={() => setAsked(true)}>Close the listing…</Button>
      )}
    </div>
  );
}

function Terms({ listing, words }: Props) {
  const { poster, market, expiresAt, documentHash, signature, version, id, taskId } = listing;
  return (
    <>
      <Sheet title="Terms">
        <Facts
          facts={{
            Budget: <Budget budget={words.budget} />,
            'Due at the latest': showMoment(words.deadline),
            Review: `${showExactDuration(words.reviewPeriod)} for each delivery`,
            Market: marketNames[market],
            'Proposals end': <Countdown to={expiresAt} isCalm />,
          }}
        />
        {taskId === null && (
          <p className="small quiet">
            Nothing is in escrow yet. When the poster accepts a proposal, one transaction creates the task and
            puts the whole payment into escrow.
          </p>
        )}
        <TechnicalFacts
          facts={{
            Id: <Hex value={id} name="Listing" />,
            Version: version,
            Document: documentHash && <Hex value={documentHash} name="Document hash" />,
            Signature: signature && <Hex value={signature} name="Signature" />,
          }}
        />
      </Sheet>
      <Sheet title="Poster">
        <p>
          <WalletLink address={poster} name="Poster" />
        </p>
        <PosterRecord address={poster} listing={listing} />
      </Sheet>
    </>
  );
}

function PosterRecord({ address, listing }: { address: string; listing: Listing }) {
  const record = useProfile(address).data?.records.find(({ market }) => market === listing.market)?.poster;
  if (record === undefined) return null;
  const { ended, paidInFull, disputed, medianPaySeconds, counterparties } = record;
  if (ended === 0) return <p className="small quiet">It has no finished task on this market yet.</p>;
  return (
    <Facts
      facts={{
        'Paid in full': `${paidInFull} of ${ended}`,
        'With a dispute': disputed,
        'Time to pay': medianPaySeconds === null ? 'no payment yet' : showDuration(medianPaySeconds),
        'Different workers': counterparties,
      }}
    />
  );
}
