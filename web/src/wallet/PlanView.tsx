// A plan before it is signed: costs, problems and the steps; while it is sent, the progress of each step.
import { parseTaskRecord, type WriteAction } from '@svc/sdk/actions';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useNow } from '../components/Clock.tsx';
import { Button, Failure } from '../components/Form.tsx';
import { Hex, TransactionLink } from '../components/Hex.tsx';
import { Notices, RoundTok, Tok, TokText } from '../components/Money.tsx';
import { Fold } from '../components/Sheet.tsx';
import { showUsdc } from '../data/format.ts';
import type { Task } from '../data/market.ts';
import { CostTable } from './CostTable.tsx';
import { gasCost, showRoundEth } from './costLines.ts';
import type { Plan } from './marketAccess.ts';
import { riskLineOf, SheetLines, useSignLabel } from './SheetLines.tsx';
import type { Stage } from './send.ts';
import type { PlannedAction } from './usePlannedAction.ts';
import type { Premise } from './usePremise.ts';
import { type Sending, useCanBatch } from './useSending.ts';

const stageLabels: Readonly<Record<Stage, string>> = {
  simulating: 'simulating…',
  signing: 'waiting for your signature…',
  mining: 'sent, waiting to be mined…',
  mined: 'mined',
  indexed: 'mined, shown by the market',
  unindexed: 'mined, not shown by the market yet',
};

type PlanViewProps = Pick<PlannedAction, 'simulated' | 'sending'> & {
  action: WriteAction;
  plan: Plan;
  task?: Task | undefined;
};

/** The state of a plan: before the start what is about to be signed, then how far it is. */
function usePlanState({ plan, simulated, sending }: Omit<PlanViewProps, 'action'>) {
  const isStarted = sending.isBusy || sending.isDone || sending.continues(plan.calls);
  const { steps } = (isStarted ? sending.calls : null) ?? plan.calls;
  const state = isStarted ? sending : { progress: null, failure: null, isBatch: false, hashes: [] };
  const isOneSignature = useCanBatch() && steps.length > 1;
  // What the first calls have changed belongs to the costs that were shown before them.
  const costs = [...plan.costs, gasCost(simulated.gasWei, isOneSignature ? 1 : steps.length)];
  const shown = useRef(costs);
  if (!isStarted) shown.current = costs;
  return { isStarted, steps, state, isOneSignature, costs: shown.current };
}

/** What has to be seen before the button, as lines or as `children`; the rest is under the details. */
export function PlanView(props: PlanViewProps & { children?: ReactNode }) {
  const { action, plan, task, simulated, children } = props;
  const { isStarted, steps, state, isOneSignature } = usePlanState(props);
  if (isStarted) return <Steps steps={steps} state={state} />;
  return (
    <>
      <Notices is="risk" texts={simulated.problems} />
      <Notices is="time" texts={plan.earning?.warnings ?? []} />
      {children ?? <SheetLines action={action} plan={plan} task={task} />}
      {isOneSignature && (
        <p className="small soft">
          One signature for all {steps.length} steps: either all of them happen, or none.
        </p>
      )}
    </>
  );
}

/** Every cost, every step, and what can be lost, undone and comes next. */
export function PlanDetails(props: DetailsProps) {
  const { action, plan, task, isHidden = false } = props;
  return (
    <Fold title="Details" isHidden={isHidden}>
      <p className="small">{action.effect}</p>
      {plan !== undefined && <PlanCosts {...props} plan={plan} />}
      <RiskNotes
        {...action}
        risk={plan === undefined ? action.risk(task && parseTaskRecord(task)) : plan.risk}
      />
    </Fold>
  );
}

type DetailsProps = Omit<PlanViewProps, 'plan'> & { plan: Plan | undefined; isHidden?: boolean };

function PlanCosts(props: PlanViewProps) {
  const { plan, simulated } = props;
  const { isStarted, steps, state, costs } = usePlanState(props);
  return (
    <>
      <CostTable costs={costs}>
        {plan.digest !== null && (
          <tr>
            <th scope="row">
              Digest<small className="soft">of the terms that you accept; the contract checks it</small>
            </th>
            <td>
              <Hex value={plan.digest} name="Digest" />
            </td>
          </tr>
        )}
      </CostTable>
      {!isStarted && <Earning total={plan.total} earning={plan.earning} gasWei={simulated.gasWei} />}
      {!isStarted && <Steps steps={steps} state={state} />}
    </>
  );
}

type StepsProps = { steps: Plan['calls']['steps']; state: SendState };

function Steps({ steps, state }: StepsProps) {
  return (
    <ol className="stack tight steps" aria-live="polite">
      {steps.map(({ summary }, index) => {
        const { mark, note, hash } = describeStep(index, state);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no id
          <li key={index} data-is={mark}>
            <span>
              <TokText text={summary} />
            </span>
            <span className="small soft">
              {note} {hash !== undefined && <TransactionLink hash={hash} />}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

export function RiskNotes({ risk, undo, next }: { risk: string | null; undo: string; next: string }) {
  const notes = {
    'What can I lose?': risk ?? 'Nothing except the gas.',
    'Can I undo this?': undo,
    'What happens next?': next,
  };
  return (
    <dl className="risks small soft">
      {Object.entries(notes).map(([question, answer]) => (
        <div key={question}>
          <dt>{question}</dt>
          <dd>{answer}</dd>
        </div>
      ))}
    </dl>
  );
}

function isFree({ tokWei, usdc, lockedUsdc }: Plan['total']): boolean {
  return tokWei === 0n && usdc === 0n && lockedUsdc === 0n;
}

function Earning({ total, earning, gasWei }: Pick<Plan, 'total' | 'earning'> & { gasWei: bigint }) {
  const { balance } = total;
  return (
    <>
      {!isFree(total) && (
        <p className="small soft">
          Your wallet has <RoundTok wei={balance.tokWei} /> and {showUsdc(balance.usdc)} USDC.
        </p>
      )}
      {earning !== null && earning.netTokWei > 0n && (
        <p>
          You earn <RoundTok wei={earning.netTokWei} /> if everything is accepted: the reward of{' '}
          <Tok wei={earning.rewardTokWei} /> minus the fee that you pay now. Gas is paid in ETH besides: about{' '}
          {showRoundEth(gasWei)} ETH for this step, and as much for each delivery.
        </p>
      )}
    </>
  );
}

type SendState = Pick<Sending, 'progress' | 'failure' | 'isBatch' | 'hashes'>;

/** How far a step is. Those of a batch go together and share one hash. */
function describeStep(index: number, { progress, failure, isBatch, hashes }: SendState) {
  const hash = isBatch ? progress?.hash : hashes[index];
  if (progress === null || (!isBatch && index > progress.step)) return { mark: 'ahead', note: '', hash };
  if (!isBatch && index < progress.step) return { mark: 'done', note: stageLabels.mined, hash };
  const isMined = ['mined', 'indexed', 'unindexed'].includes(progress.stage);
  const mark = isMined ? 'done' : failure === null ? 'now' : 'failed';
  return { mark, note: failure === null ? stageLabels[progress.stage] : 'stopped here', hash };
}

/** Why there is nothing to sign any more, and what the reader does about it. */
type ChangeNoticeProps = { change: string; sending: Sending; onAccept: (() => void) | undefined };

function ChangeNotice({ change, sending, onAccept }: ChangeNoticeProps) {
  const { isBusy, progress, hashes } = sending;
  return (
    <Failure text={<b>{change}</b>}>
      {isBusy && progress?.stage === 'signing' && <p>Decline the request in your wallet.</p>}
      <p>
        {hashes.length === 0
          ? 'You have signed nothing here. '
          : 'The steps that you have signed stay done; collateral that you added stays yours. '}
        {onAccept === undefined && 'Close this to see how things are now.'}
      </p>
      {onAccept !== undefined && !isBusy && <Button onClick={onAccept}>Go on with this</Button>}
    </Failure>
  );
}

export type SendProps = Omit<PlannedAction, 'error' | 'premise'> & {
  action: WriteAction;
  task?: Task | undefined;
  /** Read again before each signature; its change disables the button. */
  premise: Premise;
  onDone?: () => void;
  /** Also if the reader has left meanwhile. */
  onSent?: (receipts: NonNullable<Awaited<ReturnType<Sending['start']>>>) => void;
};

/** Sends a plan to the wallet, with the error or the result. */
export function SendButton(props: SendProps) {
  const { action, task, plan, simulated, sending, isPlanning, premise, onDone, onSent } = props;
  const label = useSignLabel({ action, plan });
  if (sending.isDone) {
    const isIndexed = sending.progress?.stage === 'indexed';
    return (
      <div className="signbar">
        <div className="notice" data-is={isIndexed ? 'act' : 'time'} role="status">
          <p>
            {isIndexed ? 'Done. The market shows it.' : 'Done on the chain. The market will show it soon.'}
          </p>
          {onDone !== undefined && (
            <Button autoFocus onClick={onDone}>
              Close
            </Button>
          )}
        </div>
      </div>
    );
  }
  const { problems, isSimulating } = simulated;
  // Calls that are all sent can be awaited even without a plan.
  const next = plan?.calls ?? (sending.isAllSent ? sending.calls : null);
  const isPlanned = plan !== undefined && problems.length === 0 && !isPlanning && !isSimulating;
  const { change } = premise;
  const isReady = next !== null && change === null && (isPlanned || sending.continues(next));
  const wait = isPlanning ? 'Preparing the calls…' : isSimulating ? 'Simulating the calls…' : null;
  const send = async () => {
    if (next === null) return;
    const receipts = await sending.start(next, premise);
    if (receipts !== null) onSent?.(receipts);
  };
  return (
    <>
      {sending.isBusy && !sending.isAllSent && change === null && (
        <p className="small soft">
          Stay on this page until the last step. If you leave, you will not be asked for the remaining
          signatures; what you signed stays sent.
        </p>
      )}
      <div className="signbar">
        {/* In sight of the button, however long the terms above are. */}
        {change !== null && <ChangeNotice change={change} sending={sending} onAccept={premise.accept} />}
        <Failure text={change === null ? sending.failure : null}>
          {sending.isAllSent && (
            <p>Everything is signed and sent. Trying again does not send anything twice.</p>
          )}
        </Failure>
        {change === null && plan !== undefined && sending.progress === null && (
          <RiskLine action={action} plan={plan} task={task} />
        )}
        <Button
          is="main"
          className="wide large"
          isBusy={sending.isBusy}
          busyLabel={sending.isAllSent ? 'Waiting for the chain…' : undefined}
          disabled={!isReady && !sending.isBusy}
          onClick={send}
        >
          {isReady || change !== null || wait === null ? (labelOf(sending, change) ?? label) : wait}
        </Button>
      </div>
    </>
  );
}

function RiskLine(props: Parameters<typeof riskLineOf>[0]) {
  const risk = riskLineOf(props, useNow());
  if (risk === null) return null;
  return (
    <p className="risk small">
      <TriangleAlert className="s" />
      <span>{risk}</span>
    </p>
  );
}

/** Null where it begins: then the button says what it costs. */
function labelOf({ isAllSent, failure }: Sending, change: string | null): string | null {
  if (isAllSent && failure === null) return 'Continue where you left off';
  return failure === null || change !== null ? null : 'Try again';
}
