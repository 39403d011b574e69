// An action from its plan to its end: what it costs now, whether it would fail, what has changed since its reader saw it, and
// how far it is sent.
import type { WriteAction } from '@svc/sdk/actions';
import type { Market } from '@svc/sdk/domain';
import type { Task } from '../data/market.ts';
import { type ActionArguments, gasPerCall, type Plan, usePlan, useSimulation } from './marketAccess.ts';
import { usePremise } from './usePremise.ts';
import { useSending } from './useSending.ts';

type Asked = {
  readonly action: WriteAction;
  readonly market: Market;
  /** Null until the form has given them. */
  readonly args: ActionArguments | null;
  /** Of an action on a task, as the page has it now. */
  readonly task?: Task | undefined;
  /** Why what it rests on besides is gone, in a sentence. */
  readonly outer: string | null;
};

export type PlannedAction = ReturnType<typeof usePlannedAction>;

export function usePlannedAction({ action, market, args, task, outer }: Asked) {
  const sending = useSending();
  const isIdle = sending.progress === null;
  const { plan, planAgain, isPlanning, error } = usePlan(action, market, args, isIdle);
  const simulated = usePlanSimulation(plan, isIdle);
  const premise = usePremise({ action, task, plan, planAgain, sending, outer });
  return { plan, isPlanning, error, simulated, sending, premise };
}

/** What the simulation adds to a plan: a failure among its problems, and the gas; before, an upper guess. */
function usePlanSimulation(plan: Plan | undefined, isIdle: boolean) {
  const { calls, problems = [], gasPriceWei = 0n } = plan ?? {};
  const list = calls?.calls ?? [];
  const { data, isLoading } = useSimulation(list, problems.length === 0 && isIdle);
  const gas = data?.status === 'success' ? data.gas : gasPerCall * BigInt(list.length);
  const failure =
    data?.status === 'reverted' ? [`Simulated on the current chain, it would fail. ${data.sentence}`] : [];
  return { isSimulating: isLoading, problems: [...problems, ...failure], gasWei: gas * gasPriceWei };
}
