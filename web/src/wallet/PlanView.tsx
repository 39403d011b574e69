// A plan before it is signed: costs, problems and the steps; while it is sent, the progress of each step.
import { Hex } from '#components/Hex.tsx';
import { CostTable, gasCost } from './CostTable.tsx';
import type { Plan } from './plan.ts';
import type { Stage } from './send.ts';
import type { Sending } from './useSending.ts';

const stageLabels: Readonly<Record<Stage, string>> = {
  simulating: 'simulating…',
  signing: 'waiting for your signature…',
  mining: 'sent, waiting to be mined…',
  mined: 'mined',
  indexed: 'mined, shown by the market',
  unindexed: 'mined, not shown by the market yet',
};

export function PlanView({ plan, sending }: { readonly plan: Plan; readonly sending: Sending }) {
  const isStarted = sending.isBusy || sending.isDone || sending.continues(plan.calls);
  const { steps } = (isStarted ? sending.calls : null) ?? plan.calls;
  const state = isStarted ? sending : { progress: null, failure: null };
  return (
    <>
      <CostTable costs={[...plan.costs, gasCost(plan.gasWei, steps.length)]}>
        {plan.digest !== null && (
          <tr>
            <th scope="row">
              Digest<small className="faint">of the terms that you accept; the contract checks it</small>
            </th>
            <td>
              <Hex value={plan.digest} name="Digest" />
            </td>
          </tr>
        )}
      </CostTable>
      {!isStarted &&
        plan.problems.map((problem) => (
          <p key={problem} className="notice" data-is="risk">
            {problem}
          </p>
        ))}
      <ol className="steps" aria-live="polite">
        {steps.map(({ summary }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no id
          <li key={index} data-is={markOf(index, state)}>
            <span>{summary}</span>
            <span className="small quiet">
              {noteOf(index, state)} <SentHash hash={hashAt(index, state)} />
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

type SendState = Pick<Sending, 'progress' | 'failure'>;

function isMined(stage: Stage): boolean {
  return stage === 'mined' || stage === 'indexed' || stage === 'unindexed';
}

function markOf(index: number, { progress, failure }: SendState): string {
  if (progress === null || index > progress.step) return 'ahead';
  if (index < progress.step || isMined(progress.stage)) return 'done';
  return failure === null ? 'now' : 'failed';
}

function noteOf(index: number, { progress, failure }: SendState): string {
  if (progress === null || index > progress.step) return '';
  if (index < progress.step) return stageLabels.mined;
  if (failure !== null) return 'stopped here';
  return stageLabels[progress.stage];
}

function hashAt(index: number, { progress, failure }: SendState): string | undefined {
  return progress?.step === index && failure === null ? progress.hash : undefined;
}

function SentHash({ hash }: { readonly hash: string | undefined }) {
  return hash === undefined ? null : <Hex value={hash} name="transaction" />;
}
