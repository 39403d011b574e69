// The keeper: calls every exit that is open, cheapest first, for as long as it is let.
import { setTimeout as pause } from 'node:timers/promises';
import type { MarketContracts } from '#chain/contracts.ts';
import { transactionCount } from '#chain/questions.ts';
import type { Rpc } from '#chain/rpc.ts';
import type { Sender } from '#chain/send.ts';
import { SvcError } from '#domain/errors.ts';
import type { Market } from '#domain/market.ts';
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
  | { readonly kind: 'failed'; readonly exit: Exit; readonly error: unknown }
  /** Earlier transactions of this key are still to be mined; it sends no more until they are. */
  | { readonly kind: 'waiting'; readonly transactions: number }
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
  readonly pollMs?: number;
  readonly sweepMs?: number;
};

export type Round = { readonly block: bigint; readonly open: number; readonly called: number };

export type Keeper = {
  /** Looks once and calls what is open and due to be called. Throws where the chain cannot be read. */
  readonly round: () => Promise<Round>;
  /** Round after round, through all failures, until the signal; what was sent then is left to be mined. */
  readonly run: (signal: AbortSignal) => Promise<void>;
};

/** More than any exit needs; an estimate above it comes from a node that is wrong. */
const maxGas = 1_000_000n;
/** What is not mined by then may never be: its nonce is left to it and the next ones are used. */
const longestWaitMs = 180_000;
const longestPauseMs = 30_000;

type Priced = { readonly exit: Exit; readonly gas: bigint };

export function createKeeper(options: KeeperOptions): Keeper {
  const { rpc, sender, contracts, onEvent, delayMs = 0, pollMs = 2_000, sweepMs = 30_000 } = options;
  const watch = createWatch({ rpc, contracts, sweepMs });
  const patience = createPatience({ delayMs });
  let waitingSince: number | null = null;

  async function round(): Promise<Round> {
    const { block, exits } = await watch();
    const due = patience.choose(exits);
    if (due.length === 0 || (await isWaiting())) return { block, open: exits.length, called: 0 };
    const priced = (await inParallel(due, price)).filter((entry) => entry !== null);
    const cheapestFirst = priced.sort((left, right) => Number(left.gas - right.gas));
    const outcomes = await inParallel(cheapestFirst, ({ exit }) => call(exit));
    return { block, open: exits.length, called: outcomes.filter(Boolean).length };
  }

  /** Whether it was sent before a restart or an outage: to send again what may be under way costs gas for nothing. */
  async function isWaiting(): Promise<boolean> {
    const { address } = sender;
    const [mined, sent] = await rpc.askAll([
      transactionCount(address, 'latest'),
      transactionCount(address, 'pending'),
    ]);
    if (sent <= mined) {
      waitingSince = null;
      return false;
    }
    waitingSince ??= performance.now();
    if (performance.now() - waitingSince > longestWaitMs) return false;
    onEvent({ kind: 'waiting', transactions: sent - mined });
    return true;
  }

  async function price(exit: Exit): Promise<Priced | null> {
    try {
      const trial = await tryExit(rpc, sender.address, exit);
      if (trial.isOpen) return { exit, gas: trial.gas };
      patience.noteFailure(exit.phase);
      onEvent({ kind: 'closed', exit, reason: trial.reason });
    } catch (error) {
      fail(exit, error);
    }
    return null;
  }

  /** Tried once more right before it is sent: while others were called, somebody may have called this one. */
  async function call(exit: Exit): Promise<boolean> {
    const priced = await price(exit);
    if (priced === null) return false;
    const gas = (priced.gas * 12n) / 10n;
    if (gas > maxGas) {
      fail(exit, new RangeError(`an exit that needs ${gas} gas is none of ours`));
      return false;
    }
    try {
      const { to, data } = exit.call;
      const { transactionHash, gasUsed } = await sender.send({ to, data, gas });
      onEvent({ kind: 'called', exit, transaction: transactionHash, gasUsed });
      return true;
    } catch (error) {
      const isLost = error instanceof SvcError && error.code === 'TRANSACTION_REVERTED';
      if (!isLost) fail(exit, error);
      else {
        patience.noteFailure(exit.phase);
        onEvent({ kind: 'lost', exit, reason: error.message });
      }
      return false;
    }
  }

  function fail(exit: Exit, error: unknown): void {
    patience.noteFailure(exit.phase);
    onEvent({ kind: 'failed', exit, error });
  }

  return {
    round,
    run: async (signal) => {
      const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      for (let failures = 0; !signal.aborted; ) {
        const turn = round().then(
          () => {
            failures = 0;
          },
          (error: unknown) => {
            failures++;
            if (!signal.aborted) onEvent({ kind: 'blind', error });
          },
        );
        await Promise.race([turn, stopped]);
        const milliseconds = Math.min(pollMs * 2 ** failures, longestPauseMs);
        await pause(milliseconds * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
