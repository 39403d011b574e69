// Sends transactions with one key: assigns nonces in order, waits for receipts, reports reverts by name.
import {
  BaseError,
  type Hex,
  keccak256,
  type PublicClient,
  parseTransaction,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem';
import { type ChainClients, createKeyClients } from '../chain/chainClient.ts';
import { findRevert, type Revert } from '../chain/revert.ts';
import type { Rpc } from '../chain/rpc.ts';
import type { Address } from '../domain/address.ts';
import { createBackoff, pollUntil } from '../domain/backoff.ts';
import { SvcError } from '../domain/errors.ts';

export type SenderCall = {
  readonly to?: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  /** Estimated unless given. The estimate also finds a revert before it costs gas. */
  readonly gas?: bigint;
};

/** A call in a series. It may depend on calls that are not mined yet, so its gas cannot be estimated. */
export type BoundCall = SenderCall & { readonly gas: bigint };

/**
 * Gas for two storage slots that are empty at the estimate and filled at the block. A reward that accrues between the
 * two is one, and a fifth of a small call does not cover it.
 */
const slotsMargin = 45_000n;

/** The gas limit for a call that was estimated at `gas`: a fifth more, and never less than two slots more. */
export function addGasMargin(gas: bigint): bigint {
  return gas + (gas / 5n > slotsMargin ? gas / 5n : slotsMargin);
}

export type SendOptions = {
  /** The highest fee to offer, in wei; without it any fee. */
  readonly maxFeePerGas?: bigint | undefined;
  /** Awaited before the transaction is sent; an error prevents sending. Implies `isSignedOnce` unless that is given. */
  readonly onSigned?: (signed: Signed) => void | Promise<void>;
  /**
   * Throws when another process with this key has used the nonce. Otherwise the call is signed again with the next
   * nonce; since a reply of a node may get lost, that is only for calls that may safely be mined twice.
   */
  readonly isSignedOnce?: boolean;
  /**
   * After an abort nothing more is sent: queued calls throw the signal's reason, sent calls that are not mined throw
   * TRANSACTION_NOT_MINED.
   */
  readonly signal?: AbortSignal | undefined;
};

export type SendAllOptions = Pick<SendOptions, 'maxFeePerGas' | 'signal'> & {
  /** Of the first call; read from the chain unless given. */
  readonly nonce?: number;
  /** Multiplies the usual fees, to replace a pending transaction with the same nonce; 1 unless given. */
  readonly feeFactor?: bigint;
  readonly onSent?: (hash: Hex, index: number) => void;
  /** Called in the order of the calls, and for none after one that reverts. */
  readonly onMined?: (receipt: TransactionReceipt, index: number) => void;
};

/** A signed transaction: it can be sent repeatedly and is mined at most once. */
export type Signed = { readonly hash: Hex; readonly raw: Hex };

export type Sender = {
  readonly address: Address;
  readonly send: (call: SenderCall, options?: SendOptions) => Promise<TransactionReceipt>;
  /** Signs and sends one call, and does not wait until it is mined. */
  readonly begin: (call: SenderCall, options?: SendOptions) => Promise<void>;
  /** Sends what was signed earlier where the node does not have it. Throws TRANSACTION_REPLACED when its nonce was used by another. */
  readonly submit: (signed: Signed) => Promise<void>;
  /**
   * Where the fee of a waiting transaction is below that of the chain, signs its call again with the same nonce and a higher
   * fee, so that one of the two is mined.
   */
  readonly raise: (signed: Signed, onSigned: (signed: Signed) => void | Promise<void>) => Promise<void>;
  /** Continues with a transaction signed earlier. Throws TRANSACTION_REPLACED when its nonce was used by another. */
  readonly resend: (call: SenderCall, signed: Signed) => Promise<TransactionReceipt>;
  /** Sends in order without waiting for each to be mined. After a revert it throws and sends no more. */
  readonly sendAll: (calls: readonly BoundCall[], options?: SendAllOptions) => Promise<TransactionReceipt[]>;
};

/** Nodes accept at least 16 pending transactions of one account. */
const maxPending = 16;
const mineTimeoutSeconds = 180;
/** How long to look for a free nonce; shorter than clients wait for a paid request. */
const nonceTimeoutMs = 5_000;
const noncePollMs = 50;

export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };
type Sent = { readonly hash: Hex; readonly call: SenderCall };

/** Sends transactions with the key of the wallet client, one nonce after the other, and waits until they are mined. */
export function createSender({ publicClient, walletClient }: ChainClients): Sender {
  const { account } = walletClient;
  const address = account.address;
  let chainId: Promise<number> | undefined;
  // One at a time: two parallel reads of the next nonce would return the same number.
  let queue: Promise<unknown> = Promise.resolve();
  const enqueue = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = queue.then(work);
    queue = result.catch(() => {});
    return result;
  };

  const broadcast = async (
    call: SenderCall,
    nonce: number,
    fees: Fees,
    onSigned?: SendOptions['onSigned'],
  ): Promise<Sent> => {
    chainId ??= readChainId();
    // The estimate may fail before it.
    chainId.catch(() => undefined);
    const gas = call.gas ?? (await estimate(call));
    const transaction = { ...call, ...fees, gas, nonce, chainId: await chainId, type: 'eip1559' } as const;
    const serializedTransaction = await account.signTransaction(transaction);
    const hash = keccak256(serializedTransaction);
    await onSigned?.({ hash, raw: serializedTransaction });
    await submit({ hash, raw: serializedTransaction });
    return { hash, call };
  };

  const submit = async ({ hash, raw }: Signed): Promise<void> => {
    try {
      await walletClient.sendRawTransaction({ serializedTransaction: raw });
    } catch (error) {
      // The node may have it anyway: the reply got lost, or the node reported its revert.
      if (isAlreadyKnown(error) || (await isKnown(hash))) return;
      const { maxFeePerGas = 0n } = parseTransaction(raw);
      throw isUnderpriced(error)
        ? new SvcError('TRANSACTION_UNDERPRICED', { hash, maxFeePerGas: String(maxFeePerGas) }, error)
        : error;
    }
  };

  const isReplaced = async ({ raw }: Signed): Promise<boolean> => {
    const { nonce = 0 } = parseTransaction(raw);
    return (await publicClient.getTransactionCount({ address })) > nonce;
  };

  /** From the wallet client where it has a chain. A failure is not cached. */
  const readChainId = async (): Promise<number> => {
    if (walletClient.chain !== undefined) return walletClient.chain.id;
    return publicClient.getChainId().catch((error: unknown) => {
      chainId = undefined;
      throw error;
    });
  };

  const estimate = async (call: SenderCall): Promise<bigint> => {
    try {
      return addGasMargin(await publicClient.estimateGas({ account: address, ...call }));
    } catch (error) {
      const revert = findRevert(error);
      throw revert === undefined ? error : toError(revert, error);
    }
  };

  const isKnown = async (hash: Hex): Promise<boolean> => {
    try {
      return (await publicClient.getTransaction({ hash })) !== undefined;
    } catch (error) {
      if (error instanceof TransactionNotFoundError) return false;
      throw error;
    }
  };

  const settle = async ({ hash, call }: Sent, signal?: AbortSignal): Promise<TransactionReceipt> => {
    const receipt = await waitForReceipt(publicClient, hash, signal);
    if (receipt.status === 'success') return receipt;
    const blockNumber = receipt.blockNumber - 1n;
    const replay = publicClient.call({ account: address, ...call, blockNumber });
    const revert = await replay.then(() => undefined, findRevert);
    throw toError(revert ?? { name: '', args: {}, sentence: `The transaction ${hash} was reverted.` });
  };

  const nextNonce = () => publicClient.getTransactionCount({ address, blockTag: 'pending' });

  /** Other processes may send with the same key, and each sees the transactions of the others with a delay. */
  const sendNext = async (call: SenderCall, options: SendOptions): Promise<Sent> => {
    const { maxFeePerGas, onSigned, isSignedOnce, signal } = options;
    const isOnce = isSignedOnce ?? onSigned !== undefined;
    const until = Date.now() + nonceTimeoutMs;
    const first = await nextNonce();
    const fees = limit(await readFees(publicClient), maxFeePerGas);
    for (let nonce: number | undefined = first; ; ) {
      signal?.throwIfAborted();
      try {
        return await broadcast(call, nonce, fees, onSigned);
      } catch (error) {
        nonce = isOnce || !isNonceTaken(error) ? undefined : await nextNonceAfter(nonce, until);
        if (nonce === undefined) throw error;
      }
    }
  };

  /** Never the same nonce again: after a rise of fees that would replace the transaction of another process. */
  const nextNonceAfter = (taken: number, until: number): Promise<number | undefined> => {
    const look = async () => {
      const nonce = await nextNonce();
      return nonce > taken ? nonce : undefined;
    };
    return pollUntil(look, { everyMs: noncePollMs, timeoutMs: until - Date.now() });
  };

  const submitAgain = (signed: Signed) =>
    enqueue(async () => {
      if (await isKnown(signed.hash)) return;
      await submit(signed).catch(async (error: unknown) => {
        throw (await isReplaced(signed))
          ? new SvcError('TRANSACTION_REPLACED', { hash: signed.hash }, error)
          : error;
      });
    });

  const raiseFees = async (signed: Signed, onSigned: NonNullable<SendOptions['onSigned']>): Promise<void> => {
    const {
      to,
      data,
      value,
      gas,
      nonce = 0,
      maxFeePerGas = 0n,
      maxPriorityFeePerGas = 0n,
    } = parseTransaction(signed.raw);
    const [block, usual] = await Promise.all([publicClient.getBlock(), readFees(publicClient)]);
    if ((block.baseFeePerGas ?? 0n) <= maxFeePerGas || to == null || gas === undefined) return;
    const raised = {
      maxFeePerGas: largest(usual.maxFeePerGas, addEighth(maxFeePerGas)),
      maxPriorityFeePerGas: largest(usual.maxPriorityFeePerGas, addEighth(maxPriorityFeePerGas)),
    };
    const call = { to, gas, ...(data !== undefined && { data }), ...(value !== undefined && { value }) };
    await broadcast(call, nonce, raised, onSigned);
  };

  return {
    address,
    send: async (call, options = {}) => settle(await enqueue(() => sendNext(call, options)), options.signal),
    begin: async (call, options = {}) => void (await enqueue(() => sendNext(call, options))),
    submit: submitAgain,
    raise: (signed, onSigned) => enqueue(() => raiseFees(signed, onSigned)),
    resend: async (call, signed) => {
      await submitAgain(signed);
      return settle({ hash: signed.hash, call });
    },
    sendAll: (calls, options = {}) =>
      enqueue(async () => {
        const { nonce: first = await nextNonce(), feeFactor = 1n, maxFeePerGas, signal } = options;
        const fees = limit(raise(await readFees(publicClient), feeFactor), maxFeePerGas);
        const receipts: Promise<TransactionReceipt>[] = [];
        const report = async (index: number, settled: Promise<TransactionReceipt>, previous: unknown) => {
          await previous;
          const receipt = await settled;
          options.onMined?.(receipt, index);
          return receipt;
        };
        for (const [index, call] of calls.entries()) {
          await receipts[index - maxPending];
          if (signal?.aborted) break;
          const sent = await broadcast(call, first + index, fees);
          options.onSent?.(sent.hash, index);
          const settled = settle(sent, signal);
          const receipt = report(index, settled, receipts.at(-1));
          for (const outcome of [settled, receipt]) outcome.catch(() => {});
          receipts.push(receipt);
        }
        const mined = await Promise.all(receipts);
        if (mined.length < calls.length) signal?.throwIfAborted();
        return mined;
      }),
  };
}

/** A sender for a key, at these endpoints. */
export function createKeySender(rpc: Pick<Rpc, 'transport'>, privateKey: string, chainId?: number): Sender {
  return createSender(createKeyClients(rpc, privateKey, chainId));
}

const largest = (one: bigint, other: bigint): bigint => (one > other ? one : other);
/** Nodes replace a pending transaction for an eighth more, and nothing less. */
const addEighth = (fee: bigint): bigint => fee + fee / 8n + 1n;

/** Twice the base fee, so that a series of transactions survives several full blocks. Only the actual fee is charged. */
export async function readFees(publicClient: PublicClient): Promise<Fees> {
  const [block, maxPriorityFeePerGas] = await Promise.all([
    publicClient.getBlock(),
    publicClient.estimateMaxPriorityFeePerGas(),
  ]);
  return { maxFeePerGas: 2n * (block.baseFeePerGas ?? 0n) + maxPriorityFeePerGas, maxPriorityFeePerGas };
}

function raise({ maxFeePerGas, maxPriorityFeePerGas }: Fees, factor: bigint): Fees {
  return { maxFeePerGas: maxFeePerGas * factor, maxPriorityFeePerGas: maxPriorityFeePerGas * factor };
}

function limit(fees: Fees, highest: bigint | undefined): Fees {
  const cap = (fee: bigint) => (highest !== undefined && highest < fee ? highest : fee);
  return { maxFeePerGas: cap(fees.maxFeePerGas), maxPriorityFeePerGas: cap(fees.maxPriorityFeePerGas) };
}

/** Checks once more after an abort. */
async function waitForReceipt(
  publicClient: PublicClient,
  hash: Hex,
  signal: AbortSignal | undefined,
): Promise<TransactionReceipt> {
  const sentAt = Date.now();
  for (const backoff = createBackoff({ firstMs: 50, longestMs: 1_000 }); ; await backoff.wait(signal)) {
    try {
      return await publicClient.getTransactionReceipt({ hash });
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    }
    const seconds = Math.floor((Date.now() - sentAt) / 1_000);
    if (signal?.aborted || seconds >= mineTimeoutSeconds)
      throw new SvcError('TRANSACTION_NOT_MINED', { hash, seconds: String(seconds) });
  }
}

function toError(revert: Revert, cause?: unknown): SvcError {
  return new SvcError('TRANSACTION_REVERTED', { sentence: revert.sentence, revert }, cause);
}

// Nodes have no common codes for these errors, so their messages are matched.

/** The fee is too low, or not enough above the fee of a pending transaction with the same nonce. */
function isUnderpriced(error: unknown): boolean {
  return hasMessage(error, /underpriced|replacement ?not ?allowed/i);
}

/** Another transaction has this nonce, mined or pending, and the node did not accept ours. */
function isNonceTaken(error: unknown): boolean {
  return hasMessage(
    error,
    /nonce (is )?too low|old ?nonce|same nonce|replacement (transaction )?underpriced|replacement ?not ?allowed/i,
  );
}

/** The node has exactly this transaction. */
function isAlreadyKnown(error: unknown): boolean {
  return hasMessage(error, /already ?known|known transaction|already imported|already in mempool/i);
}

function hasMessage(error: unknown, pattern: RegExp): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at instanceof BaseError && pattern.test(at.details)) return true;
  return false;
}

/** Sends with an account that the node itself holds, as those of the embedded chain. Returns the hash. */
export async function sendFromNode(
  { request }: { readonly request: (args: { method: string; params: unknown[] }) => Promise<unknown> },
  call: SenderCall | object,
): Promise<Hex> {
  return (await request({ method: 'eth_sendTransaction', params: [call] })) as Hex;
}
