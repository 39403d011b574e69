// Posts a task: the form, and beside it what will be signed with its hashes, fee and collateral.

import { taskRegistryAbi } from '@svc/contracts/abi';
import { postTask } from '@svc/sdk/actions';
import { formatTaskId, hashMilestones, type Market } from '@svc/sdk/domain';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { parseEventLogs } from 'viem';
import { Countdown, useNow } from '#components/Clock.tsx';
import { Hex } from '#components/Hex.tsx';
import { Link, visit } from '#components/navigation.tsx';
import { client } from '#data/client.ts';
import { queryKeys } from '#data/queryKeys.ts';
import { showDuration, showMoment } from '#data/time.ts';
import { RiskNotes } from '#wallet/ActionDialog.tsx';
import { usePlan } from '#wallet/marketAccess.ts';
import { PlanView, usePlanSimulation } from '#wallet/PlanView.tsx';
import { SendButton } from '#wallet/SendButton.tsx';
import { useSending } from '#wallet/useSending.ts';
import { useWallet, WrongChain } from '#wallet/useWallet.tsx';
import { describeErrors, emptyDraft, type Post, parseDraft } from './post/draft.ts';
import { PostFields } from './post/PostFields.tsx';

export function PostPage({ market }: { readonly market: Market }) {
  const [draft, setDraft] = useState(emptyDraft);
  const [showsErrors, setShowsErrors] = useState(false);
  const minute = Math.floor(useNow() / 60) * 60;
  const { post, errors } = useMemo(() => parseDraft(draft, market, minute), [draft, market, minute]);
  return (
    <>
      <p className="crumbs small">
        <Link href={`/market.html?market=${market}`}>← {market} market</Link>
      </p>
      <header className="taskhead">
        <h1>Post a task on the {market} market</h1>
        <p className="lead">
          Everything that you write here is public and stays on chain. You see the costs before you sign.
        </p>
      </header>
      <div className="taskgrid">
        <PostFields
          draft={draft}
          market={market}
          errors={showsErrors ? errors : {}}
          onChange={(change) => setDraft({ ...draft, ...change })}
          onLeave={() => setShowsErrors(true)}
        />
        <aside className="stack" aria-label="What will be signed">
          <BeforeSigning market={market} post={post} todo={describeErrors(draft, errors)} />
        </aside>
      </div>
    </>
  );
}

function BeforeSigning({
  market,
  post,
  todo,
}: {
  readonly market: Market;
  readonly post: Post | null;
  /** What is left to do in the form. */
  readonly todo: string;
}) {
  const wallet = useWallet();
  const sending = useSending();
  const { plan, isPlanning, error } = usePlan(postTask, market, post === null ? null : post.args);
  const simulated = usePlanSimulation(plan, sending.progress === null);
  return (
    <section className="sheet phase">
      <header>
        <h2>Before you sign</h2>
      </header>
      <div className="body stack">
        {post === null ? <p className="quiet">{todo}</p> : <TermsSummary post={post} />}
        {wallet === null && (
          <p className="quiet">
            Connect a wallet to see the fee and the collateral, and to post. The form keeps its contents.
          </p>
        )}
        {wallet !== null && <QuotaNote market={market} address={wallet.address} />}
        {wallet?.isOnChain === false && <WrongChain />}
        {error !== null && (
          <p className="notice" data-is="risk" role="alert">
            {error}
          </p>
        )}
        {plan !== undefined && <PlanView plan={plan} simulated={simulated} sending={sending} />}
        {wallet?.isOnChain === true && (
          <SendButton
            plan={plan}
            simulated={simulated}
            sending={sending}
            isPlanning={post !== null && isPlanning}
            onSent={(receipts) => {
              const logs = receipts.flatMap((receipt) => receipt.logs);
              const [posted] = parseEventLogs({ abi: taskRegistryAbi, eventName: 'TaskPosted', logs });
              if (posted !== undefined)
                visit(`/market.html?task=${formatTaskId({ market, number: posted.args.taskId })}`);
            }}
          />
        )}
        <RiskNotes risk={postTask.risk()} undo={postTask.undo} />
      </div>
    </section>
  );
}

/** The terms that a claim's digest will cover. The digest includes the worker, so it exists only after a claim. */
function TermsSummary({ post }: { readonly post: Post }) {
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
      <dd>of these terms and the worker, computed at the claim</dd>
    </dl>
  );
}

/** Posts left today. A used-up quota is only a warning: the chain accepts the post. */
function QuotaNote({ market, address }: { readonly market: Market; readonly address: string }) {
  const { data } = useQuery({
    queryKey: queryKeys.tasks(market, 'quota', address),
    queryFn: ({ signal }) => client.postingQuota(address, { market, signal }),
  });
  if (data === undefined) return null;
  const { remaining, limit, tier, resetsAt } = data;
  if (remaining > 0) {
    return (
      <p className="small quiet">
        {remaining} {tier} {remaining === 1 ? 'post' : 'posts'} left today
      </p>
    );
  }
  return (
    <p className="notice" data-is="time">
      You have used all {limit} {tier} posts of today. New ones come <Countdown to={resetsAt} isCalm />. The
      chain accepts the post, but tools that respect the quota will ask you to wait or to buy a plan.
    </p>
  );
}
