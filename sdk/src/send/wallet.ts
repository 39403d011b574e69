// What a wallet is to the runner: it sees bytes, never an action, so that a policy is a wallet around a wallet.
import type { Hex } from 'viem';
import type { Call } from '../chain/encodeCall.ts';
import type { Address } from '../domain/address.ts';

/** EIP-712, as JSON. */
export type TypedDataJson = Readonly<Record<string, unknown>>;

/** What the asker says about the bytes. A wallet may show it to its owner as such, and decides nothing by it. */
export type AskedWords = {
  readonly action: string;
  readonly summary: string;
  /** One for each call. */
  readonly steps: readonly object[];
  readonly estimatedGas?: string | null;
  readonly estimatedGasCostWei?: string | null;
};

/** What is to be signed: calls, or typed data. */
export type AskedBytes = { readonly calls: readonly Call[]; readonly typedData: TypedDataJson | null };

/** What became of what a wallet was asked for. */
export type Asked =
  /** Proven: nothing was sent or signed under this id, and nothing will be. It may be asked for again. */
  | { readonly is: 'none' }
  /** The wallet does not know, or the answer got lost: the chain has to be searched, and nothing may be sent again. */
  | { readonly is: 'unknown'; readonly reason?: string }
  | { readonly is: 'waiting'; readonly approvalUrl?: string | null; readonly because?: readonly string[] }
  /** `isPartial`: something may have happened all the same, so that nothing of it should be tried again. */
  | { readonly is: 'rejected'; readonly reason?: string; readonly isPartial?: boolean }
  /** With `exact` the wallet names all transactions that it has signed with this nonce: another one under it is not its own. */
  | {
      readonly is: 'sent';
      readonly hashes: readonly Hex[];
      readonly exact?: { readonly nonce: number; readonly signed: readonly Hex[] };
    }
  | { readonly is: 'signed'; readonly signature: Hex };

/** A key, a provider (EIP-1193, EIP-5792), or an owner who decides later; or a policy before one of them. */
export type Wallet = {
  readonly address: Address;
  /** `later`: an owner decides, perhaps tomorrow and in another process. */
  readonly answers: 'now' | 'later';
  /** Whether it executes several calls together or none of them. */
  readonly batches: () => Promise<'atomic' | 'none'>;
  /**
   * Called with all that is left of a plan before its first call is asked for. Null goes on; an answer is that to all of them,
   * such as an owner who was asked instead. Throws where nobody may sign it.
   */
  readonly review?: (id: string, bytes: AskedBytes, words: AskedWords) => Promise<Asked | null>;
  /** An `id` is asked once; a wallet that remembers it answers again without sending again. */
  readonly send: (id: string, calls: readonly Call[], words: AskedWords) => Promise<Asked>;
  readonly sign: (id: string, typedData: TypedDataJson, words: AskedWords) => Promise<Asked>;
  /** What became of it, also after a restart. Never sends. */
  readonly find: (id: string) => Promise<Asked>;
  /** Brings what was signed under this id into a block: sends the same bytes again, or replaces them under their nonce. */
  readonly keep?: (id: string) => Promise<void>;
};

/** The owner's page: what a guarded wallet asks where its policy does not allow it. */
export type Owner = Wallet & { readonly answers: 'later' };
