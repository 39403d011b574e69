// What will be signed for a post: terms with their hashes, fee, collateral and steps, and the button.
import { catalog } from '@svc/sdk/actions';
import { hashMilestones, type Market } from '@svc/sdk/domain';
import { useEffect, useRef } from 'react';
import { Failure } from '../../components/Form.tsx';
import { Hex } from '../../components/Hex.tsx';
import { visit } from '../../components/navigation.tsx';
import { Facts, TechnicalFacts } from '../../components/Sheet.tsx';
import { showExactDuration, showMoment } from '../../data/format.ts';
import { GetTok } from '../../wallet/ActionDialog.tsx';
import { PlanDetails, PlanView, SendButton } from '../../wallet/PlanView.tsx';
import { findPosted } from '../../wallet/postedTask.ts';
import { SheetHeadline } from '../../wallet/SheetLines.tsx';
import { usePlannedAction } from '../../wallet/usePlannedAction.ts';
import { OnChain, useWallet } from '../../wallet/useWallet.tsx';
import type { Post } from './draft.ts';
import { QuotaNote, useQuotaChange } from './Plans.tsx';

const connectFirst =
  'Connect a wallet to see the fee and the collateral, and to post. The form keeps its contents.';

type BeforeSigningProps = {
  market: Market;
  post: Post | null;
  /** What is left to do in the form. */
  todo: string;
  onPosted: () => void;
};

export function BeforeSigning({ market, post, todo, onPosted }: BeforeSigningProps) {
  const wallet = useWallet();
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const quota = useQuotaChange(market, wallet?.address);
  const args = post?.args ?? null;
  const planned = usePlannedAction({ action: catalog.postTask, market, args, outer: quota.change });
  const { plan, error, simulated, sending, premise } = planned;
  const accept = () => {
    premise.accept();
    quota.accept();
  };
  return (
    <section className="slip" aria-labelledby="before-signing">
      <div className="stub">
        <h2 className="small soft mid" id="before-signing">
          Before you sign
        </h2>
        {plan !== undefined && <SheetHeadline action={catalog.postTask} plan={plan} />}
      </div>
      <div className="tear" />
      <div className="terms stack">
        {post === null ? <p className="quiet">{todo}</p> : <TermsSummary post={post} />}
        {wallet !== null && <QuotaNote market={market} address={wallet.address} />}
        <Failure text={error} />
        {plan !== undefined && (
          <PlanView action={catalog.postTask} plan={plan} simulated={simulated} sending={sending} />
        )}
        <GetTok market={market} wei={plan?.lacksTokWei ?? 0n} />
        <OnChain connect={connectFirst}>
          <SendButton
            {...planned}
            action={catalog.postTask}
            premise={{ ...premise, accept }}
            onSent={(receipts) => {
              const taskId = findPosted(receipts, market);
              // Who has left may be writing the next post by now.
              if (taskId === null || !isMounted.current) return;
              onPosted();
              visit(`/market.html?task=${taskId}`);
            }}
          />
        </OnChain>
        <PlanDetails action={catalog.postTask} plan={plan} simulated={simulated} sending={sending} />
      </div>
    </section>
  );
}

/** The terms that a claim's digest will cover. The digest includes the worker, so it exists only after a claim. */
function TermsSummary({ post }: { post: Post }) {
  return (
    <>
      <Facts
        facts={{
          Deadline: showMoment(post.deadline),
          Review: `${showExactDuration(post.reviewPeriod)} for each delivery, then silence pays it`,
        }}
      />
      <TechnicalFacts
        facts={{
          'Criteria hash': <Hex value={post.criteriaHash} name="Criteria hash" />,
          'Milestones hash': <Hex value={hashMilestones(post.milestonesTokWei)} name="Milestones hash" />,
          Digest: 'of these terms and the worker, computed at the claim',
        }}
      />
    </>
  );
}
