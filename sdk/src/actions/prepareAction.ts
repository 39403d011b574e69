// Prepares one action: arguments in, unsigned calls or a document out. Sends nothing and signs nothing.
import { stringify } from 'viem';
import type { EncodedCalls } from '#chain/calls/encode.ts';
import type { Simulation } from '#chain/simulate.ts';
import { costOf } from '#domain/actionCost.ts';
import type { Address } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import { isMarket, type Market } from '#domain/market.ts';
import { marketParameters } from '#domain/parameters.ts';
import { lockedAmount, type Task } from '#domain/task.ts';
import type { TaskKey } from '#domain/taskId.ts';
import { toShown } from '#domain/text.ts';
import type { Action, CallsDraft, SignatureDraft, WriteContext } from './action.ts';
import { requireAction } from './actions.ts';
import { refuse } from './arguments.ts';
import { findMend, type Mend } from './mends.ts';
import type { PrepareNeeds } from './needs.ts';
import { withAllowances } from './spending.ts';

export type SimulationReport =
  | {
      readonly status: 'success';
      /** Estimated, for all steps together, each in a transaction of its own; null where the node cannot tell. */
      readonly gas: string | null;
      /** At the base fee of now. */
      readonly gasCostWei: string | null;
    }
  | {
      readonly status: 'reverted';
      /** Which of the steps, from 0. */
      readonly step: number;
      readonly error: string;
      readonly reason: string;
      readonly fix: Mend | null;
    }
  | { readonly status: 'partial'; readonly reason: string };

type Prepared = {
  readonly action: string;
  readonly warnings: readonly string[];
} & Readonly<Record<string, unknown>>;

export type PreparedCalls = Prepared & {
  readonly kind: 'calls';
  readonly from: Address;
  readonly calls: EncodedCalls['calls'];
  readonly steps: EncodedCalls['steps'];
  readonly simulation: SimulationReport;
};

export type PreparedSignature = Prepared & {
  readonly kind: 'signature';
  readonly from: Address;
  readonly summary: string;
  readonly typedData: Record<string, unknown>;
};

export type PreparedDocument = Prepared & { readonly kind: 'document' };

export type PreparedAction = PreparedCalls | PreparedSignature | PreparedDocument;

/**
 * Looks for the chain only once the arguments are good. Throws ACTION_UNKNOWN, ARGUMENTS_INVALID and what the chain throws. A call that would revert is no error here: the
 * answer says so in `simulation`, and no wallet is to be handed it.
 */
export async function prepareAction(
  name: string,
  args: unknown,
  connect: () => Promise<PrepareNeeds>,
): Promise<PreparedAction> {
  const action = requireAction(name);
  const parsed = parseArguments(action, args);
  if (action.kind === 'pure')
    return { action: name, ...toJson(action.build(parsed as never)), warnings: [], kind: 'document' };
  const market = marketOf(parsed);
  const needs = await connect();
  const head = { action: name, market, chainId: needs.chainId };
  const context = { market, contracts: needs.contracts[market], needs };
  if (action.kind === 'document') {
    const document = await action.build(parsed as never, context);
    return { ...head, ...toJson(document), warnings: [], kind: 'document' };
  }
  const write = { ...context, from: parsed.from as Address };
  const draft = await action.plan(parsed as never, write);
  if ('typedData' in draft) return buildSignature(head, draft, write);
  return buildCalls(head, draft, write, parsed.taskId as TaskKey | undefined);
}

export function parseArguments(action: Action, args: unknown): Record<string, unknown> {
  const result = action.input.safeParse(args);
  if (result.success) return result.data;
  const mistakes = result.error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => `${toShown(key)}: there is no such argument`);
    if (issue.path.length === 0) return ['arguments: must be a JSON object'];
    return [`${issue.path.map((part) => toShown(String(part))).join('.')}: ${issue.message}`];
  });
  return refuse(action.name, ...mistakes);
}

/** A task and terms name their market themselves. */
function marketOf(parsed: Record<string, unknown>): Market {
  const { market, taskId, terms } = parsed as {
    readonly market?: Market;
    readonly taskId?: TaskKey;
    readonly terms?: Record<string, unknown>;
  };
  if (taskId !== undefined) {
    if (market !== undefined && market !== taskId.market)
      throw new SvcError('MARKET_MISMATCH', { market: taskId.market });
    return taskId.market;
  }
  const inner = (terms?.terms ?? terms) as Record<string, unknown> | undefined;
  return isMarket(inner?.market) ? inner.market : (market ?? 'standard');
}

type Head = { readonly action: string; readonly market: Market; readonly chainId: number };

function buildSignature(head: Head, draft: SignatureDraft, { from }: WriteContext): PreparedSignature {
  const { typedData, summary, warnings = [], result = {} } = draft;
  return { ...head, from, summary, typedData, ...toJson(result), warnings, kind: 'signature' };
}

async function buildCalls(
  head: Head,
  draft: CallsDraft,
  context: WriteContext,
  taskId: TaskKey | undefined,
): Promise<PreparedCalls> {
  const { from, needs } = context;
  const { calls, steps } = await withAllowances(draft.encoded, draft.spends ?? {}, context);
  const [simulation, task] = await Promise.all([
    needs.chain.simulate(from, calls),
    taskId === undefined ? null : needs.chain.readTask(taskId.market, taskId.number),
  ]);
  return {
    ...head,
    from,
    calls,
    steps,
    sendCalls: { chain: 'base', calls },
    eip5792: {
      version: '2.0.0',
      chainId: `0x${needs.chainId.toString(16)}`,
      from,
      atomicRequired: false,
      calls,
    },
    ...toJson(draft.result ?? {}),
    warnings: [...(draft.warnings ?? []), ...warnOfRisk(head, task)],
    simulation: await reportSimulation(simulation, context, task, draft.engages ?? []),
    kind: 'calls',
  };
}

function warnOfRisk({ action, market }: Head, task: Task | null): string[] {
  if (task === null) return [];
  const atStake = task.milestones[task.milestone] ?? lockedAmount(task);
  const { risk } = costOf(action, { ...task, atStake }, marketParameters[market]);
  return risk === null ? [] : [risk];
}

async function reportSimulation(
  simulation: Simulation,
  { market, from, needs: { chain } }: WriteContext,
  task: Task | null,
  engages: readonly Address[],
): Promise<SimulationReport> {
  if (simulation.status === 'success') {
    const { gas } = simulation;
    const fee = gas === null ? null : await chain.readBaseFee();
    const cost = gas === null || fee === null ? null : String(gas * fee);
    return { status: 'success', gas: gas === null ? null : String(gas), gasCostWei: cost };
  }
  if (simulation.status === 'partial') {
    const reason = `This node cannot try the steps together; step ${simulation.at + 1} can be tried once those before it are mined.`;
    return { status: 'partial', reason };
  }
  const [now, engaged] = await Promise.all([
    chain.readNow(),
    Promise.all(
      engages.map(async (address) => ({
        address,
        deposit: (await chain.readWallet(market, address)).deposit,
      })),
    ),
  ]);
  const { at: step, revert } = simulation;
  const fix = findMend(revert, { market, from, engaged, task, now });
  return { status: 'reverted', step, error: revert.name, reason: revert.sentence, fix };
}

/** Amounts as decimal strings. */
function toJson(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(stringify(value));
}
