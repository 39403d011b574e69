// What an action of the catalog is: words, roles, windows, costs, risk, arguments and the function that builds it.
import { getTypesForEIP712Domain, serializeTypedData, type TypedDataDefinition } from 'viem';
import * as z from 'zod';
import type { MarketContracts } from '../chain/contracts.ts';
import type { CallContracts, CallName, EncodedCalls } from '../chain/encodeCall.ts';
import type { Address } from '../domain/address.ts';
import type { Market } from '../domain/market.ts';
import type { Actor, Role, TaskState } from '../domain/state.ts';
import type { Task } from '../domain/task.ts';
import { exampleWallets, marketAndWallet, taskAndWallet } from './arguments.ts';
import type { ActionFacts, Cost } from './costs.ts';
import type { Movement } from './movements.ts';
import type { ActionReads, Quota } from './reads.ts';

/** When a role may act. Times are inclusive Unix seconds; null leaves that end open. */
export type Window = { readonly by: Actor; readonly from: number | null; readonly until: number | null };

export type ActionContext = {
  readonly chainId: number;
  readonly market: Market;
  readonly contracts: MarketContracts;
  readonly reads: ActionReads;
  readonly readQuota: (market: Market, wallet: Address) => Promise<Quota | null>;
};

export type WriteContext = ActionContext & {
  /** The wallet that will send the calls. */
  readonly from: Address;
};

export type TaskContext = WriteContext & { readonly task: Task };

/** The action's own calls. Approvals are added from its costs. */
export type CallsDraft = {
  readonly encoded: EncodedCalls;
  /** Whose collateral they lock. */
  readonly engages?: readonly Address[];
  readonly warnings?: readonly string[];
  /** What the caller needs besides the calls, such as a digest. */
  readonly result?: Readonly<Record<string, unknown>>;
};

/** Typed data for the wallet to sign instead of calls to send. */
export type SignatureDraft = {
  readonly typedData: Record<string, unknown>;
  readonly summary: string;
  readonly warnings?: readonly string[];
  readonly result?: Readonly<Record<string, unknown>>;
};

/** One field of the form that a person fills in. */
export type FormField = {
  /** The argument that the field gives. */
  readonly name: string;
  readonly kind: 'tok' | 'usdc' | 'text' | 'percent' | 'address' | 'flag' | 'moment';
  readonly label: string;
  readonly note?: string;
  /** What the form says while the field is empty; without it the field is optional. */
  readonly required?: string;
  /** The field's initial value. */
  readonly initial?: (task: Pick<Task, 'totalAmount' | 'funded'>) => string;
};

type Described = {
  readonly name: string;
  /** What its button and its dialog are called. */
  readonly title: string;
  /** One line for lists of actions. */
  readonly summary: string;
  /** Arguments that could be given; shown as a command line. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Mistakes that the schema does not show, one line each; of arguments whose other fields may be wrong, named in `wrong`. */
  readonly check?: (
    args: never,
    context: ActionContext,
    wrong: ReadonlySet<string>,
  ) => Promise<readonly string[]>;
};

type WriteWords = Described & {
  /** What happens, for a person who is about to sign. */
  readonly effect: string;
  /** `owner`: of the contract that is called; never about a task. */
  readonly by: readonly (Actor | 'owner')[];
  /** For each state in which a task allows the action: who may act, and when. */
  readonly windows?: Readonly<Partial<Record<TaskState, (task: Task) => readonly Window[]>>>;
  readonly costs?: (facts: ActionFacts) => readonly Cost[];
  /** What it moves besides its costs. */
  readonly moves?: (facts: ActionFacts) => readonly Movement[];
  /** The state of the task after it; null or absent where that stays. */
  readonly becomes?: (facts: ActionFacts) => TaskState | null;
  /** What happens after it, in one sentence. */
  readonly next: string;
  /** What can be lost; null where that is gas only. Without a task, what holds in general. */
  readonly risk: (task?: Task) => string | null;
  readonly undo: string;
  readonly fields?: readonly FormField[];
  /** What to fill in besides task and wallet, once for each form in which the action can be taken. */
  readonly forms?: (by: Role, task?: Task) => readonly Readonly<Record<string, string | true>>[];
  /**
   * Arguments that name what a reader of the task has seen. A page or tool that shows a task fills them in when it
   * offers the action, so that the call fails for any other delivery or worker.
   */
  readonly seen?: (task: Task) => Readonly<Record<string, string>>;
  /** Each contract function that it calls. */
  readonly calls: readonly CallName[];
  /** Where the task alone decides the call: a keeper can make it. */
  readonly exit?: (task: Task, contracts: CallContracts) => EncodedCalls;
  /** The page in docs/operations; its own name unless given. */
  readonly page?: string;
};

type Draft = Promise<CallsDraft | SignatureDraft>;

export type WriteAction = WriteWords & {
  readonly kind: 'write';
  readonly input: z.ZodObject;
  readonly build: (args: never, context: never) => Draft;
};

export type DocumentAction = Described & {
  readonly kind: 'document';
  readonly input: z.ZodObject;
  readonly build: (args: never, context: ActionContext) => Promise<Record<string, unknown>>;
};

/** Needs neither chain nor market. */
export type PureAction = Described & {
  readonly kind: 'pure';
  readonly input: z.ZodObject;
  readonly build: (args: never) => Record<string, unknown>;
};

export type Action = WriteAction | DocumentAction | PureAction;

/** An action that says nothing else risks gas only, and cannot be undone. */
const usual = {
  risk: () => null,
  undo: 'It cannot be undone.',
  example: {} as WriteWords['example'],
} satisfies Partial<WriteWords>;

/** Which example account takes an action, by the role that may take it first. */
const { poster, worker, arbitrator, newcomer } = exampleWallets;
const owned = { poster, worker, arbitrator, owner: poster, 'anyone but the poster': worker };
const takers: Readonly<Partial<Record<string, string>>> = owned;
const takerOf = ({ by: [role = 'anyone'] }: WriteDraft, anyone: string) => takers[role] ?? anyone;

type WriteDraft = Omit<WriteWords, keyof typeof usual> & Partial<Pick<WriteWords, keyof typeof usual>>;

type Build<Input extends z.ZodObject, Context> = {
  readonly build: (args: z.output<Input>, context: Context) => Draft;
};

/** Arguments of an action besides those that all actions of its kind take. */
type More<Shape> = { readonly input?: Shape };
type NoMore = Record<never, never>;

/** An action with exactly these arguments. */
export function defineWrite<Input extends z.ZodObject, Context>(
  input: Input,
  action: WriteDraft & Build<Input, Context>,
) {
  return { ...usual, ...action, input, kind: 'write' } as const;
}

type Strict<Shape extends z.core.$ZodShape> = z.ZodObject<Shape, z.core.$strict>;

/** An action of a wallet that does not refer to a task. Its example has the wallet unless it names one. */
export function defineWalletAction<Shape extends z.core.$ZodShape = NoMore>(
  action: WriteDraft & More<Shape> & Build<Strict<typeof marketAndWallet & Shape>, WriteContext>,
) {
  const input = z.strictObject({ ...marketAndWallet, ...action.input });
  const example = { ...action.example, from: action.example?.from ?? takerOf(action, newcomer) };
  return defineWrite(input as unknown as Strict<typeof marketAndWallet & Shape>, { ...action, example });
}

/** An action on the task that the argument `taskId` names. Its example has a task and a wallet. */
export function defineTaskAction<Shape extends z.core.$ZodShape = NoMore>(
  action: WriteDraft & More<Shape> & Build<Strict<typeof taskAndWallet & Shape>, TaskContext>,
) {
  const input = z.strictObject({ ...taskAndWallet, ...action.input });
  const from = action.example?.from ?? takerOf(action, worker);
  const example = { taskId: 'v2:standard:12', ...action.example, from };
  return defineWrite(input as unknown as Strict<typeof taskAndWallet & Shape>, { ...action, example });
}

export function defineDocument<Input extends z.ZodObject>(
  action: Described & {
    readonly input: Input;
    readonly build: (args: z.output<Input>, context: ActionContext) => Promise<Record<string, unknown>>;
  },
) {
  return { ...action, kind: 'document' } as const;
}

export function definePure<Input extends z.ZodObject>(
  action: Described & {
    readonly input: Input;
    readonly build: (args: z.output<Input>) => Record<string, unknown>;
  },
) {
  return { ...action, kind: 'pure' } as const;
}

/** The same windows in each of these states. */
export function inStates<State extends TaskState>(
  states: readonly State[],
  windows: (task: Task) => readonly Window[],
) {
  return Object.fromEntries(states.map((state) => [state, windows])) as Record<State, typeof windows>;
}

export function may(by: Actor, from: number | null = null, until: number | null = null): Window {
  return { by, from, until };
}

/**
 * Typed data as JSON, in the form that wallets take (eth_signTypedData_v4). Amounts and times become decimal strings; the
 * domain's own type is written out, because some wallets need it.
 */
export function toJsonTypedData(typedData: unknown): Record<string, unknown> {
  const { domain = {}, types, ...rest } = typedData as TypedDataDefinition;
  const complete = { EIP712Domain: getTypesForEIP712Domain({ domain }), ...types };
  return JSON.parse(serializeTypedData({ ...rest, domain, types: complete } as never));
}
