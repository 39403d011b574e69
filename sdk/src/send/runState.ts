// What a run shows while it goes on, and what it needs.
import type { Hex } from 'viem';
import type { Asker } from '../chain/rpc.ts';
import type { SvcError } from '../domain/errors.ts';
import type { Intent, Journal, RunEntry } from './journal.ts';
import type { Premise } from './premise.ts';
import type { AskedWords, Wallet } from './wallet.ts';

/** What would be sent or signed, and what it does. */
export type Plan<Prepared = unknown> = Premise & {
  /** Of the bytes: what is confirmed is signed, and nothing else. */
  readonly hash: Hex;
  readonly words: AskedWords;
  /** Why it would fail now; null where it would not. */
  readonly problem: SvcError | null;
  readonly prepared: Prepared;
};

export type RunState<Prepared = unknown> =
  | { readonly is: 'planning' }
  /** Waits until the caller confirms this plan. */
  | { readonly is: 'ready'; readonly plan: Plan<Prepared> }
  /** What is left costs more than was shown, or goes elsewhere: it has to be confirmed as it is now. */
  | { readonly is: 'changed'; readonly plan: Plan<Prepared>; readonly why: string }
  | {
      readonly is: 'signing';
      /** From 0. */
      readonly step: number;
      readonly of: number;
      /** Where an owner decides. */
      readonly approvalUrl: string | null;
      /** Why the owner is asked although the wallet could sign. */
      readonly because: readonly string[];
    }
  | {
      readonly is: 'mining';
      /** Null where an earlier process prepared it. */
      readonly plan: Plan<Prepared> | null;
      readonly step: number;
      readonly of: number;
      readonly hashes: readonly Hex[];
    }
  | { readonly is: 'indexed'; readonly outcome: RunOutcome<Prepared> }
  | {
      readonly is: 'failed';
      readonly error: Error;
      /** `look-first`: it may have been sent; a new run searches the chain, and sends nothing while that is not known. */
      readonly again: 'safe' | 'look-first' | 'never';
    };

export type RunOutcome<Prepared = unknown> = {
  readonly runId: string;
  /** Exactly what was sent or signed; null where an earlier process prepared it. */
  readonly prepared: Prepared | null;
  readonly transactionHashes: readonly Hex[];
  readonly signature: Hex | null;
  /** The block of the last transaction; null for a signature. */
  readonly block: bigint | null;
  /** The task that the action has posted or created. */
  readonly taskId: string | null;
  /** False while the transactions may still be taken back. */
  readonly isFinal: boolean;
  /** False where the API takes too long to show the block. */
  readonly isShown: boolean;
};

export type Run<Prepared = unknown> = {
  readonly id: string;
  readonly state: () => RunState<Prepared>;
  /** Called after each change, until the returned function is called. */
  readonly subscribe: (changed: () => void) => () => void;
  /** Signs exactly this plan; another hash changes nothing. */
  readonly confirm: (planHash: Hex) => void;
  /** Asks for no more signatures. What was sent stays sent. */
  readonly stop: (reason?: Error) => void;
  readonly done: Promise<RunOutcome<Prepared>>;
};

export type RunPlace<Prepared> = {
  /** A random one unless given. Nobody may guess it: it names what a wallet is asked for. */
  readonly id?: string;
  readonly intent: Intent;
  readonly wallet: Wallet;
  readonly journal: Journal;
  readonly chain: Asker;
  readonly chainId: number;
  /** `first-plan`: signs what it has planned, and stops where that changes meanwhile. */
  readonly confirm: 'by-caller' | 'first-plan';
  /** Builds the calls as the chain is now. */
  readonly prepare: () => Promise<Plan<Prepared>>;
  /** Waits until the API shows a block; false where that takes too long. */
  readonly waitShown?: (block: bigint) => Promise<boolean>;
  readonly findTask?: (hashes: readonly Hex[], prepared: Prepared | null) => Promise<string | null>;
  /** Whether mined transactions count for good; until then the run stays open. At their first receipt unless given. */
  readonly isFinal?: (run: RunEntry) => Promise<boolean>;
  /** How long a transaction may wait for its block. */
  readonly minedTimeoutMs?: number;
  readonly pollMs?: number;
  /** After this time the chain is searched for a transaction that no node knows. */
  readonly searchAfterMs?: number;
};
