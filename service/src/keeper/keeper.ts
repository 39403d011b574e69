// The keeper: calls every exit that is open, cheapest first, for as long as it is let.
import { setTimeout as pause } from 'node:timers/promises';
import type { BoundCall, MarketContracts, Rpc, Sender } from '@svc/sdk/chain';
import { gasPrice } from '@svc/sdk/chain';
import type { Market } from '@svc/sdk/domain';
import { SvcError, settledOrAborted } from '@svc/sdk/domain';
import { createBacklog } from './backlog.ts';
import type { Exit } from './exit.ts';
import { inParallel } from './parallel.ts';
import { createPatience } from './patience.ts';
import { tryExit } from './trial.ts';
import { createWatch } from './watch.ts';

export type KeeperEvent =
  | { readonly kind: 'called'; readonly exit: Exit; readonly transaction: string; readonly gasUsed: bigint }
  /** Found closed before anything was sent. */
  | { readonly kind: 'closed'; readonly exit: Exit; readonly reason: string }
  /** Sent and refused all the same: somebody else's call was mined just before. */
  | { readonly kind: 'lost'; readonly exit: Exit; readonly reason: string }
  /** Sent, and not mined when the keeper was told to stop. */
  | { readonly kind: 'left'; readonly exit: Exit; readonly transaction: string }
  | { readonly kind: 'failed'; readonly exit: Exit; readonly error: unknown }
  /** Earlier transactions of this key are still to be mined; it sends no more until they are. */
  | { readonly kind: 'waiting'; readonly transactions: number }
  /** They were not mined for so long that the same nonces are used again, with higher fees. */
  | { readonly kind: 'stuck'; readonly transactions: number }
  /** They offer too nearly what the cap allows to be replaced below it; they are waited for. */
  | { readonly kind: 'capped'; readonly transactions: number }
  /** Gas costs more than the cap; nothing is sent until it is cheaper. */
  | { readonly kind: 'dear'; readonly exits: number; readonly gasPriceWei: bigint }
  /** A look at the chain failed; there will be another. */
  | { readonly kind: 'blind'; readonly error: unknown };

export type KeeperOptions = {
  /** For reading and trying. */
  readonly rpc: Rpc;
  readonly sender: Sender;
  readonly contracts: Readonly<Record<Market, MarketContracts>>;
  readonly onEvent: (event: KeeperEvent) => void;
  /** The longest while that chance lets pass before an exit is called, so that several keepers do not meet. */
  readonly delayMs?: number;
  /** What is offered for a unit of gas at most, in wei; any price unless given. */
  readonly maxGasPriceWei?: bigint | undefined;
  /** Told after each look. */
  readonly onRound?: (round: Round) => void;
  readonly pollMs?: number;
  readonly sweepMs?: number;
  /** How long transactions may take to be mined before they are replaced. */
  readonly waitMs?: number;
};

export type Round = { readonly block: bigint; readonly open: number; readonly called: number };

export type Keeper = {
  /**
   * Looks once and calls what is open and due to be called. Throws where the chain cannot be read. The signal lets it send
   * nothing more, and leave what was sent to be mined; throws its reason where it came before anything was sent.
   */
  readonly round: (signal?: AbortSignal) => Promise<Round>;
  /** Round after round, through all failures, until the signal. */
  readonly run: (signal: AbortSignal) => Promise<void>;
};

/** More than any exit needs; an estimate above it comes from a node that is wrong. */
const maxGas = 1_000_000n;
/** Nodes let a transaction replace another only for a fee that is clearly higher. */
const replacementFeeFactor = 2n;
const longestPauseMs = 30_000;

type Priced = { readonly exit: Exit; readonly gas: bigint };

export function createKeeper(options: KeeperOptions): Keeper {
  const { rpc, sender, contracts, onEvent, delayMs = 0, pollMs = 2_000 } = options;
  const { sweepMs = 30_000, waitMs = 180_000, maxGasPriceWei, onRound } = options;
  const watch = createWatch({ rpc, contracts, sweepMs });
  const patience = createPatience({ delayMs });
  const lookBack = createBacklog(rpc, sender.address, waitMs);

  async function round(signal?: AbortSignal): Promise<Round> {
    signal?.throwIfAborted();
    const { block, exits } = await watch(signal);
    const due = patience.choose(exits);
    const called = due.length === 0 ? 0 : await callAll(due, signal);
    const outcome = { block, open: exits.length, called };
    onRound?.(outcome);
    return outcome;
  }

  async function callAll(due: readonly Exit[], signal: AbortSignal | undefined): Promise<number> {
    if (maxGasPriceWei !== undefined) {
      const gasPriceWei = await rpc.ask(gasPrice());
      if (gasPriceWei > maxGasPriceWei) {
        onEvent({ kind: 'dear', exits: due.length, gasPriceWei });
        return 0;
      }
    }
    const backlog = await lookBack();
    if (backlog.kind !== 'clear') onEvent({ kind: backlog.kind, transactions: backlog.transactions });
    if (backlog.kind === 'waiting') return 0;
    const priced = (await inParallel(due, (exit) => price(exit, signal))).filter((entry) => entry !== null);
    signal?.throwIfAborted();
    const cheapestFirst = priced.sort((left, right) => Number(left.gas - right.gas));
    if (backlog.kind === 'stuck')
      return replace(cheapestFirst.slice(0, backlog.transactions), backlog.nonce, signal);
    const outcomes = await inParallel(cheapestFirst, ({ exit }) => call(exit, signal));
    return outcomes.filter(Boolean).length;
  }

  async function price(exit: Exit, signal: AbortSignal | undefined): Promise<Priced | null> {
    if (signal?.aborted) return null;
    try {
      const trial = await tryExit(rpc, sender.address, exit);
      if (trial.isOpen) return { exit, gas: trial.gas };
      patience.noteFailure(exit.phase);
      onEvent({ kind: 'closed', exit, reason: trial.reason });
    } catch (error) {
      // Whoever stops a keeper may take its connection away as well.
      if (!signal?.aborted) fail(exit, error);
    }
    return null;
  }

  /** Tried once more right before it is sent: while others were called, somebody may have called this one. */
  async function call(exit: Exit, signal: AbortSignal | undefined): Promise<boolean> {
    const priced = await price(exit, signal);
    if (priced === null) return false;
    try {
      // Where another process with this key was quicker, it may have called the same: the next round looks again.
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

  /** Whatever the stuck transactions were to do: what is open now takes their nonces. */
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
        for (const { exit } of entries) patience.noteFailure(exit.phase);
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
    patience.noteFailure(exit.phase);
    const isLost = error instanceof SvcError && error.code === 'TRANSACTION_REVERTED';
    onEvent(isLost ? { kind: 'lost', exit, reason: error.message } : { kind: 'failed', exit, error });
  }

  return {
    round,
    run: async (signal) => {
      for (let failures = 0; !signal.aborted; ) {
        const turn = round(signal).then(
          () => {
            failures = 0;
          },
          (error: unknown) => {
            failures++;
            if (!signal.aborted) onEvent({ kind: 'blind', error });
          },
        );
        await settledOrAborted(turn, signal);
        const milliseconds = Math.min(pollMs * 2 ** failures, longestPauseMs);
        await pause(milliseconds * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
      }
    },
  };
}

/** The transaction that was sent and waited for in vain. */
function findUnmined(error: unknown): string | undefined {
  const isUnmined = error instanceof SvcError && error.code === 'TRANSACTION_NOT_MINED';
  return isUnmined ? String(error.details.hash) : undefined;
}

function isStop(error: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && error === signal.reason;
}

/** With some room above the estimate, for what another transaction may change before. */
function bound({ exit, gas }: Priced): BoundCall {
  const limit = (gas * 12n) / 10n;
  if (limit > maxGas) throw new RangeError(`an exit that needs ${gas} gas is none of ours`);
  return { to: exit.call.to, data: exit.call.data, gas: limit };
}
