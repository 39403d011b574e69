// A plan as a person reads it: costs, gaps, and the steps the wallet will ask for.
import { Hex } from '../components/Hex.tsx';
import { CostTable, gasCost } from './CostTable.tsx';
import type { Plan } from './plan.ts';
import type { Stage } from './send.ts';
import type { Sending } from './useSending.ts';

const stageWords: Readonly<Record<Stage, string>> = {
  trying: 'trying it out…',
  signing: 'waiting for your signature…',
  mining: 'sent, waiting for a block…',
  mined: 'mined',
  seen: 'mined, seen by the market',
  unseen: 'mined; the market does not show it yet',
};

export function PlanView({ plan, sending }: { readonly plan: Plan; readonly sending: Sending }) {
  const isBegun = sending.isBusy || sending.isDone || sending.goesOn(plan.calls);
  const { steps } = (isBegun ? sending.calls : null) ?? plan.calls;
  const told = isBegun ? sending : { progress: null, failure: null };
  return (
    <>
      <CostTable costs={[...plan.costs, gasCost(plan.gasWei, steps.length)]}>
        {plan.digest !== null && (
          <tr>
            <th scope="row">
              Digest<small className="faint">of the terms you accept; the contract checks it</small>
            </th>
            <td>
              <Hex value={plan.digest} name="Digest" />
            </td>
          </tr>
        )}
      </CostTable>
      {!isBegun &&
        plan.gaps.map((gap) => (
          <p key={gap} className="notice" data-is="risk">
            {gap}
          </p>
        ))}
      <ol className="steps" aria-live="polite">
        {steps.map(({ summary }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the sequence
          <li key={index} data-is={markOf(index, told)}>
            <span>{summary}</span>
            <span className="small quiet">
              {noteOf(index, told)} <SentAs hash={hashAt(index, told)} />
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

type Told = Pick<Sending, 'progress' | 'failure'>;

function isMined(stage: Stage): boolean {
  return stage === 'mined' || stage === 'seen' || stage === 'unseen';
}

function markOf(index: number, { progress, failure }: Told): string {
  if (progress === null || index > progress.step) return 'ahead';
  if (index < progress.step || isMined(progress.stage)) return 'done';
  return failure === null ? 'now' : 'failed';
}

function noteOf(index: number, { progress, failure }: Told): string {
  if (progress === null || index > progress.step) return '';
  if (index < progress.step) return stageWords.mined;
  if (failure !== null) return 'stopped here';
  return stageWords[progress.stage];
}

function hashAt(index: number, { progress, failure }: Told): string | undefined {
  return progress?.step === index && failure === null ? progress.hash : undefined;
}

function SentAs({ hash }: { readonly hash: string | undefined }) {
  return hash === undefined ? null : <Hex value={hash} name="transaction" />;
}
