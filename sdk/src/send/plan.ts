// The plan of an action of the catalog for one wallet: what it would send or sign now, with what that does.
import type { WriteAction } from '../actions/action.ts';
import type { Cost } from '../actions/costs.ts';
import { explainSignature } from '../actions/explainSignature.ts';
import type { Movement } from '../actions/movements.ts';
import { planAction } from '../actions/planAction.ts';
import {
  buildContext,
  describePlan,
  type PreparedCalls,
  type PreparedSignature,
  parseArguments,
} from '../actions/prepareAction.ts';
import type { MarketAccess } from '../actions/reads.ts';
import type { Address } from '../domain/address.ts';
import { hashCanonical } from '../domain/canonical.ts';
import { SvcError } from '../domain/errors.ts';
import type { Plan } from './runState.ts';

/** What an action would send, with its costs and what it moves. */
export type Preparation = (PreparedCalls | PreparedSignature) & {
  readonly costs: readonly Cost[];
  /** Of all calls, in their order. */
  readonly movements: readonly Movement[];
};

/** Reads the chain, tries the calls, and sends nothing. */
export async function planIntent(
  action: WriteAction,
  given: Readonly<Record<string, unknown>>,
  access: MarketAccess,
): Promise<Plan<Preparation>> {
  const args = parseArguments(action, given);
  const context = { ...buildContext(args, access), from: args.from as Address };
  const { from, chainId, market, contracts, reads } = context;
  const plan = await planAction(action, args, context);
  const described = await describePlan(action, plan, context);
  const explained =
    'typedData' in plan
      ? [await explainSignature(plan.typedData, from, { chainId, reads, contracts: { [market]: contracts } })]
      : plan.explained;
  const costs = 'typedData' in plan ? [] : plan.costs;
  const prepared: Preparation = {
    ...described,
    costs,
    movements: explained.flatMap(({ movements }) => movements),
  };
  const calls = described.kind === 'calls' ? described.calls : [];
  const typedData = described.kind === 'signature' ? described.typedData : null;
  return {
    action,
    hash: hashCanonical({ from, chainId, calls, typedData }),
    calls,
    typedData,
    explained,
    task: 'task' in plan ? plan.task : null,
    now: 'task' in plan && plan.task !== null ? await reads.readNow() : 0,
    words: wordsOf(described),
    problem: problemOf(described),
    prepared,
  };
}

const maxSummaryLength = 500;

function wordsOf(described: PreparedCalls | PreparedSignature): Plan['words'] {
  const { action } = described;
  if (described.kind === 'signature') return { action, summary: shorten(described.summary), steps: [] };
  const { steps, simulation } = described;
  const { gas = null, gasCostWei = null } = simulation.status === 'success' ? simulation : {};
  // Allowances come first; the last step is the action.
  const summary = shorten(steps.at(-1)?.summary ?? action);
  return { action, summary, steps, estimatedGas: gas, estimatedGasCostWei: gasCostWei };
}

function shorten(text: string): string {
  return text.length <= maxSummaryLength ? text : `${text.slice(0, maxSummaryLength - 1)}…`;
}

function problemOf(described: PreparedCalls | PreparedSignature): SvcError | null {
  if (described.kind === 'signature' || described.simulation.status !== 'reverted') return null;
  const { reason, fix } = described.simulation;
  return new SvcError('TRANSACTION_REVERTED', { sentence: reason, fix });
}
