// Sends transactions with one key: nonces in order, receipts awaited, reverts told by their names.
import {
  type Chain,
  type Hex,
  keccak256,
  type LocalAccount,
  type PublicClient,
  parseTransaction,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type Transport,
  type WalletClient,
} from 'viem';
import type { Address } from '#domain/address.ts';
import { sleep } from '#domain/backoff.ts';
import { SvcError } from '#domain/errors.ts';
import { isNonceTaken, isTakenAlready, isUnderpriced } from './nodeWords.ts';
import { findRevert, type Revert } from './revert.ts';

export type ChainClients = {
  readonly publicClient: PublicClient;
  /** With a key of its own: transactions are signed here, so their hashes are known before they are sent. */
  readonly walletClient: WalletClient<Transport, Chain | undefined, LocalAccount>;
};

export type SenderCall = {
  readonly to?: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  /** Estimated where missing, which also finds a revert before it costs anything. */
  readonly gas?: bigint;
};

/** A call of a row: it may depend on calls that are not mined yet, so its gas cannot be estimated. */
export type BoundCall = SenderCall & { readonly gas: bigint };

export type SendOptions = {
  /** Offered at most, in wei; any fee unless given. */
  readonly maxFeePerGas?: bigint | undefined;
  /** Told before anybody else sees the transaction; what it throws keeps it from being sent. Implies `isSignedOnce`. */
  readonly onSigned?: (signed: Signed) => void;
  /**
   * Throws where another process with this key has taken the nonce; else the call is signed anew for the next one. An
   * answer may get lost between nodes, so that is for calls that do no harm when they are mined twice.
   */
  readonly isSignedOnce?: boolean;
  /**
   * Once aborted nothing more is sent: what waits for its turn throws the signal's reason, what is sent and not mined
   * TRANSACTION_NOT_MINED.
   */
  readonly signal?: AbortSignal | undefined;
};

export type SendAllOptions = Pick<SendOptions, 'maxFeePerGas' | 'signal'> & {
  /** Of the first call; asked from the chain where missing. */
  readonly nonce?: number;
  /** How many times the usual fees are offered, so as to replace what waits under the same nonce; once unless given. */
  readonly feeFactor?: bigint;
  readonly onSent?: (hash: Hex, index: number) => void;
  /** Told in the order of the calls, and of none behind one that reverts. */
  readonly onMined?: (receipt: TransactionReceipt, index: number) => void;
};

/** A transaction that can be sent again and again, and is mined once at most. */
export type Signed = { readonly hash: Hex; readonly raw: Hex };

export type Sender = {
  readonly address: Address;
  readonly send: (call: SenderCall, options?: SendOptions) => Promise<TransactionReceipt>;
  /** Goes on with what was signed before. Throws TRANSACTION_REPLACED where its place is taken. */
  readonly resend: (call: SenderCall, signed: Signed) => Promise<TransactionReceipt>;
  /** Sends in order without waiting for each to be mined. Throws on a revert and then sends no more. */
  readonly sendAll: (calls: readonly BoundCall[], options?: SendAllOptions) => Promise<TransactionReceipt[]>;
};

/** Nodes promise room for no more than 16 waiting transactions of one account. */
const maxWaiting = 16;
const mineTimeoutSeconds = 180;
/** Less than whoever pays for a request waits for it. */
const placeTimeoutMs = 5_000;
const placePauseMs = 50;

export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };
type Sent = { readonly hash: Hex; readonly call: SenderCall };

export function createSender({ publicClient, walletClient }: ChainClients): Sender {
  const { account } = walletClient;
  const address = account.address;
  let chainId: Promise<number> | undefined;
  // One at a time: two that ask the chain for the next nonce at once would get the same.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  };

  const broadcast = async (
    call: SenderCall,
    nonce: number,
    fees: Fees,
    onSigned?: (signed: Signed) => void,
  ): Promise<Sent> => {
    chainId ??= readChainId();
    const gas = call.gas ?? (await estimate(call));
    const transaction = { ...call, ...fees, gas, nonce, chainId: await chainId, type: 'eip1559' } as const;
    const serializedTransaction = await account.signTransaction(transaction);
    const hash = keccak256(serializedTransaction);
    onSigned?.({ hash, raw: serializedTransaction });
    await put({ hash, raw: serializedTransaction });
    return { hash, call };
  };

  const put = async ({ hash, raw }: Signed): Promise<void> => {
    try {
      await walletClient.sendRawTransaction({ serializedTransaction: raw });
    } catch (error) {
      // An answer that got lost, or a node that reports the revert right away: the chain has it all the same.
      if (isTakenAlready(error) || (await isKnown(hash))) return;
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

  /** Known beforehand where the wallet knows its chain; a failure is not remembered. */
  const readChainId = async (): Promise<number> => {
    if (walletClient.chain !== undefined) return walletClient.chain.id;
    return publicClient.getChainId().catch((error: unknown) => {
      chainId = undefined;
      throw error;
    });
  };

  const estimate = async (call: SenderCall): Promise<bigint> => {
    try {
      return ((await publicClient.estimateGas({ account: address, ...call })) * 12n) / 10n;
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

  /** Other processes may send with the same key, and each sees what the others sent a moment late. */
  const place = async (call: SenderCall, options: SendOptions): Promise<Sent> => {
    const { maxFeePerGas, onSigned, isSignedOnce, signal } = options;
    const isOnce = isSignedOnce === true || onSigned !== undefined;
    const until = Date.now() + placeTimeoutMs;
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

  /** Never the same once more: fees that have risen would push out what another process sent. */
  const nextNonceAfter = async (taken: number, until: number): Promise<number | undefined> => {
    while (Date.now() < until) {
      const nonce = await nextNonce();
      if (nonce > taken) return nonce;
      await sleep(placePauseMs);
    }
    return undefined;
  };

  return {
    address,
    send: async (call, options = {}) => settle(await inTurn(() => place(call, options)), options.signal),
    resend: async (call, signed) => {
      await inTurn(async () => {
        if (await isKnown(signed.hash)) return;
        await put(signed).catch(async (error: unknown) => {
          throw (await isReplaced(signed))
            ? new SvcError('TRANSACTION_REPLACED', { hash: signed.hash }, error)
            : error;
        });
      });
      return settle({ hash: signed.hash, call });
    },
    sendAll: (calls, options = {}) =>
      inTurn(async () => {
        const { nonce: first = await nextNonce(), feeFactor = 1n, maxFeePerGas, signal } = options;
        const fees = limit(raise(await readFees(publicClient), feeFactor), maxFeePerGas);
        const receipts: Promise<TransactionReceipt>[] = [];
        const tell = async (index: number, settled: Promise<TransactionReceipt>, previous: unknown) => {
          await previous;
          const receipt = await settled;
          options.onMined?.(receipt, index);
          return receipt;
        };
        for (const [index, call] of calls.entries()) {
          await receipts[index - maxWaiting];
          if (signal?.aborted) break;
          const sent = await broadcast(call, first + index, fees);
          options.onSent?.(sent.hash, index);
          const settled = settle(sent, signal);
          const receipt = tell(index, settled, receipts.at(-1));
          for (const outcome of [settled, receipt]) outcome.catch(() => {});
          receipts.push(receipt);
        }
        const mined = await Promise.all(receipts);
        if (mined.length < calls.length) signal?.throwIfAborted();
        return mined;
      }),
  };
}

/** Twice the base fee, so that a row of transactions outlives some full blocks; what is not needed is not charged. */
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

function limit(fees: Fees, most: bigint | undefined): Fees {
  const least = (fee: bigint) => (most !== undefined && most < fee ? most : fee);
  return {
    maxFeePerGas: least(fees.maxFeePerGas),
    maxPriorityFeePerGas: least(fees.maxPriorityFeePerGas),
  };
}

/** Looks once more when it is told to stop. */
async function waitForReceipt(
  publicClient: PublicClient,
  hash: Hex,
  signal: AbortSignal | undefined,
): Promise<TransactionReceipt> {
  const sentAt = Date.now();
  for (let pause = 25; ; pause = Math.min(2 * pause, 1_000)) {
    try {
      return await publicClient.getTransactionReceipt({ hash });
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    }
    const seconds = Math.floor((Date.now() - sentAt) / 1_000);
    if (signal?.aborted || seconds >= mineTimeoutSeconds)
      throw new SvcError('TRANSACTION_NOT_MINED', { hash, seconds: String(seconds) });
    await sleep(pause, signal);
  }
}

function toError(revert: Revert, cause?: unknown): SvcError {
  return new SvcError('TRANSACTION_REVERTED', { sentence: revert.sentence, revert }, cause);
}
