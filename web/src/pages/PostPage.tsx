// Posts a task: the form on one side, what will be signed, its hashes, fee and collateral on the other.

import { taskRegistryAbi } from '@svc/contracts/abi';
import { encodePostTask } from '@svc/sdk/chain';
import type { Market } from '@svc/sdk/domain';
import { formatTaskId, hashMilestones } from '@svc/sdk/domain';
import { useMemo, useState } from 'react';
import { parseEventLogs } from 'viem';
import { Hex } from '../components/Hex.tsx';
import { Link } from '../components/Link.tsx';
import { visit } from '../data/address.ts';
import { useNow } from '../data/clock.ts';
import { showDuration, showMoment } from '../data/format.ts';
import { useSiteConfig } from '../data/market.ts';
import { OtherChain } from '../wallet/OtherChain.tsx';
import { PlanView } from '../wallet/PlanView.tsx';
import { buildPlan } from '../wallet/plan.ts';
import { type Contracts, usePurse } from '../wallet/readPurse.ts';
import { SendButton } from '../wallet/SendButton.tsx';
import { useSending } from '../wallet/useSending.ts';
import { useTrial } from '../wallet/useTrial.ts';
import { useWallet } from '../wallet/useWallet.ts';
import { emptyDraft, type Faults, type Post, readDraft } from './post/draft.ts';
import { PostFields } from './post/PostFields.tsx';
import { QuotaNote } from './post/QuotaNote.tsx';

export function PostPage({ market }: { readonly market: Market }) {
  const [draft, setDraft] = useState(emptyDraft);
  const [isAsked, setAsked] = useState(false);
  const minute = Math.floor(useNow() / 60) * 60;
  const { post, faults } = useMemo(() => readDraft(draft, market, minute), [draft, market, minute]);
  return (
    <>
      <p className="crumbs small">
        <Link href={`/market.html?market=${market}`}>← {market} market</Link>
      </p>
      <header className="taskhead">
        <h1>Post a task on the {market} market</h1>
        <p className="lead">
          Everything you write here is public and stays on chain. You see what it costs before you sign.
        </p>
      </header>
      <div className="taskgrid">
        <PostFields
          draft={draft}
          market={market}
          faults={isAsked ? faults : {}}
          onChange={(change) => setDraft({ ...draft, ...change })}
          onLeave={() => setAsked(true)}
        />
        <aside className="stack" aria-label="What will be signed">
          <Before market={market} post={post} faults={faults} />
        </aside>
      </div>
    </>
  );
}

function Before({
  market,
  post,
  faults,
}: {
  readonly market: Market;
  readonly post: Post | null;
  readonly faults: Faults;
}) {
  const wallet = useWallet();
  const purse = usePurse(market);
  const site = useSiteConfig(market);
  const sending = useSending();
  const planned = useMemo(() => {
    if (post === null || purse.data === undefined || site.data === undefined) return undefined;
    const contracts = site.data.contracts as Contracts;
    return buildPlan(contracts, purse.data, {
      calls: encodePostTask(contracts, post),
      tokWei: post.fundNowTokWei,
      tokFor: 'Into escrow now',
      hasFee: true,
      hasBond: true,
    });
  }, [post, purse.data, site.data]);
  const { plan, isTrying } = useTrial(planned, sending.progress === null);
  const open = Object.keys(faults).length;
  return (
    <section className="sheet turn">
      <header>
        <h2>Before you sign</h2>
      </header>
      <div className="body stack">
        {post === null ? (
          <p className="quiet">
            {open} {open === 1 ? 'field is' : 'fields are'} still to be filled in.
          </p>
        ) : (
          <Bound post={post} />
        )}
        {wallet === null && (
          <p className="quiet">Connect a wallet to see fee and collateral, and to post. The form stays.</p>
        )}
        {wallet !== null && <QuotaNote market={market} address={wallet.address} />}
        {wallet?.isOnChain === false && <OtherChain />}
        {purse.isError && (
          <p className="notice" data-is="risk" role="alert">
            The wallet’s balances cannot be read: {purse.error.message.split('\n')[0]}
          </p>
        )}
        {plan !== undefined && <PlanView plan={plan} sending={sending} />}
        {wallet?.isOnChain === true && (
          <SendButton
            plan={plan}
            sending={sending}
            isReading={post !== null && planned === undefined && !purse.isError}
            isTrying={isTrying}
            onSent={(receipts) => {
              const logs = receipts.flatMap((receipt) => receipt.logs);
              const [posted] = parseEventLogs({ abi: taskRegistryAbi, eventName: 'TaskPosted', logs });
              if (posted !== undefined)
                visit(`/market.html?task=${formatTaskId({ market, number: posted.args.taskId })}`);
            }}
          />
        )}
        <dl className="cautions small">
          <dt>What may be lost</dt>
          <dd>
            The fee is not returned. What is in escrow is paid when you accept, or when your review time
            passes in silence.
          </dd>
          <dt>Undoing it</dt>
          <dd>Until somebody claims it you may cancel: escrow and bond come back, the fee does not.</dd>
        </dl>
      </div>
    </section>
  );
}

/** What the digest of a claim will bind; the digest itself also names the worker, so it exists from the claim on. */
function Bound({ post }: { readonly post: Post }) {
  return (
    <dl className="pairs">
      <dt>Deadline</dt>
      <dd>{showMoment(post.deadline)}</dd>
      <dt>Review</dt>
      <dd>{showDuration(post.reviewPeriod)}</dd>
      <dt>Criteria hash</dt>
      <dd>
        <Hex value={post.criteriaHash} name="Criteria hash" />
      </dd>
      <dt>Milestones hash</dt>
      <dd>
        <Hex value={hashMilestones(post.milestonesTokWei)} name="Milestones hash" />
      </dd>
      <dt>Digest</dt>
      <dd>binds all of this and the worker, at the claim</dd>
    </dl>
  );
}
