// What a post costs, beside every step of its form; on the last one it is what is signed, with the button.
import { catalog } from '@svc/sdk/actions';
import { formatUsdc, type Market } from '@svc/sdk/domain';
import { type ReactNode, useEffect, useRef } from 'react';
import { Failure } from '../../components/Form.tsx';
import { Dollars, Sum } from '../../components/Money.tsx';
import { visit } from '../../components/navigation.tsx';
import { Lines } from '../../components/Sheet.tsx';
import { useSiteConfig } from '../../data/market.ts';
import { GetTok } from '../../wallet/ActionDialog.tsx';
import { gasCost } from '../../wallet/costLines.ts';
import { PlanDetails, PlanView, SendButton } from '../../wallet/PlanView.tsx';
import { findPosted } from '../../wallet/postedTask.ts';
import { usePlannedAction } from '../../wallet/usePlannedAction.ts';
import { OnChain, useWallet } from '../../wallet/useWallet.tsx';
import { useMissingDeposit } from '../listing/MissingOf.tsx';
import type { Post } from './draft.ts';
import { QuotaNote, useQuotaChange } from './Plans.tsx';

const connectFirst =
  'Connect a wallet to see the fee and the collateral, and to post. The form keeps its contents.';

type PostSlipProps = {
  market: Market;
  post: Post | null;
  /** Leads to the next step; null on the last one, where the wallet signs. */
  next: ReactNode | null;
  /** What is left to do in the form. */
  todo: string;
  onPosted: () => void;
};

export function PostSlip({ market, post, next, todo, onPosted }: PostSlipProps) {
  const wallet = useWallet();
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const quota = useQuotaChange(market, wallet?.address);
  const planned = usePlannedAction({
    action: catalog.postTask,
    market,
    args: post?.args ?? null,
    outer: quota.change,
  });
  const { plan, error, simulated, sending, premise } = planned;
  const fee = useSiteConfig(market).data?.limits.accessFeeTokWei;
  const funding = post === null ? null : BigInt(String(post.args.fundNowTokWei));
  const accept = () => {
    premise.accept();
    quota.accept();
  };
  const sum = plan?.total.tokWei ?? (fee === undefined ? null : BigInt(fee) + (funding ?? 0n));
  return (
    <>
      <section className="slip" aria-label="What you pay">
        <div className="stub">
          <p className="small soft mid">{funding === null ? 'You pay, beside the reward' : 'You pay now'}</p>
          {sum !== null && <Sum wei={sum} />}
        </div>
        <div className="tear" />
        <div className="terms stack">
          {plan !== undefined && next === null ? (
            <PlanView action={catalog.postTask} plan={plan} simulated={simulated} sending={sending}>
              <Costs market={market} funding={funding} planned={planned} />
            </PlanView>
          ) : (
            <Costs market={market} funding={funding} planned={planned} />
          )}
          {todo !== '' && <p className="small soft">{todo}</p>}
          {next ?? (
            <>
              <Failure text={error} />
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
            </>
          )}
        </div>
      </section>
      {wallet !== null && <QuotaNote market={market} address={wallet.address} />}
    </>
  );
}

type CostsProps = {
  market: Market;
  /** What goes into escrow at once; null while it is not known. */
  funding: bigint | null;
  planned: ReturnType<typeof usePlannedAction>;
};

/** By the plan, once there is one; before, by what the market says. */
function Costs({ market, funding, planned: { plan, simulated } }: CostsProps) {
  const limits = useSiteConfig(market).data?.limits;
  const lacking = useMissingDeposit(market);
  if (limits === undefined) return null;
  const missing = plan?.total.usdc ?? lacking;
  const fee = plan === undefined ? BigInt(limits.accessFeeTokWei) : plan.total.tokWei - (funding ?? 0n);
  const gas = plan && gasCost(simulated.gasWei, plan.calls.steps.length);
  return (
    <Lines
      lines={[
        funding === null
          ? ['Reward', 'next step']
          : funding === 0n
            ? ['Reward', 'locked later']
            : ['Reward, locked', <Dollars key="reward" wei={funding} isSigned />],
        fee === 0n
          ? ['Fee', 'paid with your credits']
          : ['Fee, not returned', <Dollars key="fee" wei={fee} isSigned />],
        limits.bondUsd !== undefined && ['Bond, comes back', `${limits.bondUsd} USDC`],
        missing === null
          ? ['Deposit, once', `${limits.entryCollateralUsd} USDC`, 'stays yours']
          : missing > 0n && ['Deposit missing', `${formatUsdc(missing)} USDC`, 'stays yours'],
        gas !== undefined && [
          `Gas, ${plan?.calls.steps.length === 1 ? '1 step' : `${plan?.calls.steps.length} steps`}`,
          gas.amount,
        ],
      ]}
    />
  );
}
