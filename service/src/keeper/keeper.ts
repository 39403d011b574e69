// The keeper: calls every open exit, cheapest first, until it is stopped.
import type { MarketContracts, Rpc, Sender } from '@svc/sdk/chain';
import { type Address, type Market, SvcError } from '@svc/sdk/domain';
import { gasPrice, transactionCount } from '@svc/sdk/internal/chain/rpcRequests';
import { createBackoff, settledOrAborted } from '@svc/sdk/internal/domain/backoff';
import type { BoundCall } from '@svc/sdk/internal/send/keySender';
import { addGasMargin } from '@svc/sdk/internal/send/keySender';
import { inParallel } from '../store/inParallel.ts';
import type { Exit } from './exit.ts';
import { createTrySchedule } from './schedule.ts';
import { exitsAtOnce, tryExit } from './trial.ts';
import { createWatch } from './watch.ts';

export type KeeperEvent =
  | { readonly kind: 'called'; readonly exit: Exit; readonly transaction: string; readonly gasUsed: bigint }
  /** Found closed before anything was sent. */
  | { readonly kind: 'closed'; readonly exit: Exit; readonly reason: string }
  /** Sent and reverted: another caller's transaction was mined just before. */
  | { readonly kind: 'lost'; readonly exit: Exit; readonly reason: string }
  /** Sent, and not mined when the keeper was stopped. */
  | { readonly kind: 'left'; readonly exit: Exit; readonly transaction: string }
  | { readonly kind: 'failed'; readonly exit: Exit; readonly error: unknown }
  /** Earlier transactions of this key are pending; nothing is sent until they are mined. */
  | { readonly kind: 'waiting'; readonly transactions: number }
  /** They were pending too long, so their nonces are used again with higher fees. */
  | { readonly kind: 'stuck'; readonly transactions: number }
  /** They cannot be replaced: a higher fee would exceed the cap. */
  | { readonly kind: 'capped'; readonly transactions: number }
  /** Gas costs more than the cap; nothing is sent until the price falls. */
  | { readonly kind: 'expensive'; readonly exits: number; readonly gasPriceWei: bigint }
  /** The chain could not be read; the keeper tries again. */
  | { readonly kind: 'unreadable'; readonly error: unknown };

export type KeeperOptions = {
  readonly rpc: Rpc;
  readonly sender: Sender;
  readonly contracts: Readonly<Record<Market, MarketContracts>>;
  readonly onEvent: (event: KeeperEvent) => void;
  /** The longest random delay before an exit is called, so that several keepers do not collide. */
  readonly delayMs?: number;
  /** The highest price per unit of gas, in wei; any price unless given. */
  readonly maxGasPriceWei?: bigint | undefined;
  readonly onRound?: (round: Round) => void;
  readonly pollMs?: number;
  readonly sweepMs?: number;
  /** How long transactions may be pending before they are replaced. */
  readonly waitMs?: number;
};

export type Round = { readonly block: bigint; readonly open: number; readonly called: number };

export type Keeper = ReturnType<typeof createKeeper>;

/** More than any exit needs; a higher estimate is a fault of the node. */
const maxGas = 1_000_000n;
/** Nodes replace a transaction only for a clearly higher fee. */
const replacementFeeFactor = 2n;
const longestPollMs = 30_000;

type Priced = { readonly exit: Exit; readonly gas: bigint };

export function createKeeper(options: KeeperOptions) {
  const { rpc, sender, contracts, onEvent, delayMs = 0, pollMs = 2_000 } = options;
  const { sweepMs = 30_000, waitMs = 180_000, maxGasPriceWei, onRound } = options;
  const watch = createWatch({ rpc, contracts, sweepMs });
  const schedule = createTrySchedule(delayMs);
  const readBacklog = createBacklogReader(rpc, sender.address, waitMs);

  /**
   * Reads once and calls what is due. Throws where the chain cannot be read. After the signal nothing more is sent, and
   * pending transactions are left to be mined; throws its reason where nothing was sent yet.
   */
  async function round(signal?: AbortSignal): Promise<Round> {
    signal?.throwIfAborted();
    const { block, exits } = await watch(signal);
    const due = schedule.choose(exits);
    const called = due.length === 0 ? 0 : await callAll(due, signal);
    const outcome = { block, open: exits.length, called };
    onRound?.(outcome);
    return outcome;
  }

  async function callAll(due: readonly Exit[], signal: AbortSignal | undefined): Promise<number> {
    if (maxGasPriceWei !== undefined) {
      const gasPriceWei = await rpc.ask(gasPrice());
      if (gasPriceWei > maxGasPriceWei) {
        onEvent({ kind: 'expensive', exits: due.length, gasPriceWei });
        return 0;
      }
    }
    const backlog = await readBacklog();
    if (backlog.kind !== 'clear') onEvent({ kind: backlog.kind, transactions: backlog.transactions });
    if (backlog.kind === 'waiting') return 0;
    const tried = await inParallel(due, exitsAtOnce, (exit) => price(exit, signal));
    const priced = tried.filter((entry) => entry !== null);
    signal?.throwIfAborted();
    const cheapestFirst = priced.sort((left, right) => Number(left.gas - right.gas));
    if (backlog.kind === 'stuck')
      return replace(cheapestFirst.slice(0, backlog.transactions), backlog.nonce, signal);
    const outcomes = await inParallel(cheapestFirst, exitsAtOnce, ({ exit }) => call(exit, signal));
    return outcomes.filter(Boolean).length;
  }

  async function price(exit: Exit, signal: AbortSignal | undefined): Promise<Priced | null> {
    if (signal?.aborted) return null;
    try {
      const trial = await tryExit(rpc, sender.address, exit);
      if (trial.isOpen) return { exit, gas: trial.gas };
      schedule.noteFailure(exit.phase);
      onEvent({ kind: 'closed', exit, reason: trial.reason });
    } catch (error) {
      // The connection may be closed together with the keeper.
      if (!signal?.aborted) fail(exit, error);
    }
    return null;
  }

  /** Tries again right before sending: another caller may have been faster in the meantime. */
  async function call(exit: Exit, signal: AbortSignal | undefined): Promise<boolean> {
    const priced = await price(exit, signal);
    if (priced === null) return false;
    try {
      // Signed once: another process with this key may have taken the nonce for the same call. The next round checks.
      const options = { maxFeePerGas: maxGasPriceWei, isSignedOnce: true, signal };
      const { transactionHash, gasUsed } = await sender.send(bound(priced), options);
      onEvent({ kind: 'called', exit, transaction: transactionHash, gasUsed });
      return true;
    } catch (error) {
      const left = signal?.aborted ? findUnmined(error) : undefined;
      if (left !== undefined) onEvent({ kind: 'left', exit, transaction: left });
      else if (!isStop(error, signal)) fail(exit, error);
      return false;
    }
  }

  /** The exits that are open now take the nonces of the stuck transactions. */
  async function replace(
    entries: readonly Priced[],
    nonce: number,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    const sent: string[] = [];
    let called = 0;
    try {
      await sender.sendAll(entries.map(bound), {
        nonce,
        feeFactor: replacementFeeFactor,
        maxFeePerGas: maxGasPriceWei,
        signal,
        onSent: (hash) => sent.push(hash),
        onMined: ({ transactionHash, gasUsed }, index) => {
          const { exit } = entries[index] as Priced;
          called++;
          onEvent({ kind: 'called', exit, transaction: transactionHash, gasUsed });
        },
      });
    } catch (error) {
      if (isStop(error, signal) || (signal?.aborted && findUnmined(error) !== undefined)) {
        for (const [index, transaction] of sent.entries())
          if (index >= called) onEvent({ kind: 'left', exit: (entries[index] as Priced).exit, transaction });
      } else if (isAtCap(error)) {
        for (const { exit } of entries) schedule.noteFailure(exit.phase);
        onEvent({ kind: 'capped', transactions: entries.length });
      } else for (const { exit } of entries.slice(called, called + 1)) fail(exit, error);
    }
    return called;
  }

  function isAtCap(error: unknown): boolean {
    if (!(error instanceof SvcError) || error.code !== 'TRANSACTION_UNDERPRICED') return false;
    return error.details.maxFeePerGas === String(maxGasPriceWei);
  }

  function fail(exit: Exit, error: unknown): void {
    schedule.noteFailure(exit.phase);
    const isLost = error instanceof SvcError && error.code === 'TRANSACTION_REVERTED';
    onEvent(isLost ? { kind: 'lost', exit, reason: error.message } : { kind: 'failed', exit, error });
  }

  return {
    round,
    /** Runs rounds until the signal aborts; failures do not end it. */
    run: async (signal: AbortSignal): Promise<void> => {
      // The random part of the delay keeps several keepers apart; on average it is about one poll.
      const backoff = createBackoff({ firstMs: pollMs * 1.25, longestMs: longestPollMs });
      while (!signal.aborted) {
        const running = round(signal).then(backoff.reset, (error: unknown) => {
          if (!signal.aborted) onEvent({ kind: 'unreadable', error });
        });
        await settledOrAborted(running, signal);
        await backoff.wait(signal);
      }
    },
  };
}

/** The hash of a transaction that was sent and not mined. */
function findUnmined(error: unknown): string | undefined {
  const isUnmined = error instanceof SvcError && error.code === 'TRANSACTION_NOT_MINED';
  return isUnmined ? String(error.details.hash) : undefined;
}

function isStop(error: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && error === signal.reason;
}

/** Adds a margin to the estimate: an earlier transaction may change the cost. */
function bound({ exit, gas }: Priced): BoundCall {
  const limit = addGasMargin(gas);
  if (limit > maxGas) throw new RangeError(`an exit cannot need ${gas} gas`);
  return { to: exit.call.to, data: exit.call.data, gas: limit };
}

type Backlog =
  | { readonly kind: 'clear' }
  | { readonly kind: 'waiting'; readonly transactions: number }
  /** Pending too long to be mined as they are; `nonce` is that of the first. */
  | { readonly kind: 'stuck'; readonly transactions: number; readonly nonce: number };

/** Reads which transactions of the account are pending. `waitMs` starts again whenever one of them is mined. */
function createBacklogReader(rpc: Rpc, address: Address, waitMs: number): () => Promise<Backlog> {
  let first: { readonly nonce: number; readonly seenAt: number } | null = null;
  return async () => {
    const [nonce, next] = await rpc.askAll([
      transactionCount(address, 'latest'),
      transactionCount(address, 'pending'),
    ]);
    const transactions = next - nonce;
    if (transactions <= 0) {
      first = null;
      return { kind: 'clear' };
    }
    if (first?.nonce !== nonce) first = { nonce, seenAt: performance.now() };
    const isStuck = performance.now() - first.seenAt >= waitMs;
    return isStuck ? { kind: 'stuck', transactions, nonce } : { kind: 'waiting', transactions };
  };
}
