// What an action is: a name, words, the schema of its arguments, an example, and a function over what it reads.
import type { z } from 'zod';
import type { EncodedCalls } from '#chain/calls/encode.ts';
import type { MarketContracts } from '#chain/contracts.ts';
import type { Address } from '#domain/address.ts';
import type { Market } from '#domain/market.ts';
import type { PrepareNeeds } from './needs.ts';

export type ActionContext = {
  readonly market: Market;
  readonly contracts: MarketContracts;
  readonly needs: PrepareNeeds;
};

export type WriteContext = ActionContext & {
  /** The wallet that will send the calls. */
  readonly from: Address;
};

/** What the calls take from the wallet: missing allowances are put before them. */
export type Spending = {
  readonly tokWei?: bigint;
  readonly usdcToVault?: bigint;
  readonly usdcToGateway?: bigint;
};

export type CallsDraft = {
  readonly encoded: EncodedCalls;
  readonly spends?: Spending;
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

type Described = {
  readonly name: string;
  readonly summary: string;
  /** Arguments that could be given like this; shown as a command line. */
  readonly example: Readonly<Record<string, unknown>>;
};

export type Action = Described & {
  readonly input: z.ZodObject;
} & (
    | {
        readonly kind: 'write';
        readonly plan: (args: never, context: WriteContext) => Promise<CallsDraft | SignatureDraft>;
      }
    | {
        readonly kind: 'document';
        readonly build: (args: never, context: ActionContext) => Promise<Record<string, unknown>>;
      }
    /** Needs neither chain nor market. */
    | { readonly kind: 'pure'; readonly build: (args: never) => Record<string, unknown> }
  );

/** Holds `plan` to the schema it stands beside. */
export function defineWrite<Input extends z.ZodObject>(
  action: Described & {
    readonly input: Input;
    readonly plan: (args: z.output<Input>, context: WriteContext) => Promise<CallsDraft | SignatureDraft>;
  },
): Action {
  return { ...action, kind: 'write' };
}

export function defineDocument<Input extends z.ZodObject>(
  action: Described & {
    readonly input: Input;
    readonly build: (args: z.output<Input>, context: ActionContext) => Promise<Record<string, unknown>>;
  },
): Action {
  return { ...action, kind: 'document' };
}

export function definePure<Input extends z.ZodObject>(
  action: Described & {
    readonly input: Input;
    readonly build: (args: z.output<Input>) => Record<string, unknown>;
  },
): Action {
  return { ...action, kind: 'pure' };
}
