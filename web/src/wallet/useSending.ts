// The state of a sequence of calls on its way through the wallet; a retry continues where it stopped.

import type { EncodedCalls } from '@svc/sdk/chain';
import { useEffect, useRef, useState } from 'react';
import type { Hex, TransactionReceipt } from 'viem';
import { client as market, queries } from '#data/client.ts';
import {
  chooseRetry,
  explainError,
  type Progress,
  type SentLog,
  type Sequence,
  sendCalls,
  waitForMarket,
} from './send.ts';
import { requireClient, useWallet, type WalletClient } from './useWallet.tsx';

type State = {
  /** Null before the start. */
  readonly progress: Progress | null;
  /** The calls at the start; the plan may change while they are being sent. */
  readonly calls: EncodedCalls | null;
  readonly failure: string | null;
};

export type Sending = State & {
  readonly isBusy: boolean;
  readonly isDone: boolean;
  /** Everything is signed and sent: a retry only waits. */
  readonly isAllSent: boolean;
  /** Whether the next start continues the calls that were started instead of sending the planned ones. */
  readonly continues: (planned: EncodedCalls) => boolean;
  /** Returns the receipts of all calls, or null after a failure. `loadSent` finds the calls sent earlier. */
  readonly start: (
    calls: EncodedCalls,
    loadSent?: (client: WalletClient) => Promise<{ readonly hashes: readonly Hex[]; readonly log: SentLog }>,
  ) => Promise<readonly TransactionReceipt[] | null>;
};

const idle: State = { progress: null, calls: null, failure: null };
const leftMessage = 'You left before everything was signed. Continue from here.';
const changedMessage =
  'The calls that you signed are mined, and the remaining ones have changed. Check them, then continue.';

export function useSending(): Sending {
  const wallet = useWallet();
  const owner = wallet?.address ?? '';
  // One state for each account: calls of one account must not be sent by another, or twice after switching back.
  const [states, setStates] = useState<Readonly<Record<string, State>>>({});
  const sequences = useRef(new Map<string, Sequence>());
  const stop = useRef<AbortController | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: switching the account stops the sequence of the previous one
  useEffect(() => {
    return () => stop.current?.abort(new Error(leftMessage));
  }, [owner]);
  const state = states[owner] ?? idle;
  const sequence = sequences.current.get(owner);
  const isDone = state.progress?.stage === 'indexed' || state.progress?.stage === 'unindexed';
  const change = (changes: Partial<State>) =>
    setStates((all) => ({ ...all, [owner]: { ...(all[owner] ?? idle), ...changes } }));

  return {
    ...state,
    isDone,
    isBusy: state.progress !== null && state.failure === null && !isDone,
    isAllSent: sequence !== undefined && sequence.hashes.length === sequence.calls.calls.length,
    continues: (planned) => chooseRetry(sequence, planned) === 'continue',
    start: async (planned, loadSent) => {
      let client: WalletClient;
      try {
        client = requireClient(wallet);
      } catch (error) {
        change({ failure: explainError(error) });
        return null;
      }
      const retry = chooseRetry(sequence, planned);
      const started: Sequence =
        sequence === undefined || retry === 'restart'
          ? { calls: planned, hashes: [], minedCount: 0 }
          : sequence;
      sequences.current.set(owner, started);
      stop.current = new AbortController();
      const { signal } = stop.current;
      change({
        failure: null,
        calls: started.calls,
        progress: { step: started.hashes.length, stage: 'simulating' },
      });
      const onProgress = (progress: Progress) => {
        if (progress.stage === 'mined') started.minedCount = progress.step + 1;
        change({ progress });
      };
      try {
        if (retry === 'wait') {
          const sent = started.calls.calls.slice(0, started.hashes.length);
          await sendCalls(client, sent, started.hashes, { onProgress, signal });
          await queries.refetchQueries({ queryKey: ['wallet'] }, { throwOnError: true });
          sequences.current.delete(owner);
          change({ ...idle, failure: changedMessage });
          return null;
        }
        const earlier = await loadSent?.(client);
        if (earlier !== undefined) started.hashes = [...earlier.hashes];
        const receipts = await sendCalls(client, started.calls.calls, started.hashes, {
          onProgress,
          signal,
          log: earlier?.log,
        });
        await waitUntilShown(receipts, onProgress);
        return receipts;
      } catch (error) {
        // A new plan must see what the mined calls have changed.
        await queries.invalidateQueries({ queryKey: ['wallet'] });
        change({ failure: explainError(error) });
        return null;
      }
    },
  };
}

/** Waits until the market shows the last call, then refetches everything on the page. */
async function waitUntilShown(
  receipts: readonly TransactionReceipt[],
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const last = receipts.at(-1);
  if (last === undefined) return;
  const isIndexed = await waitForMarket(last.blockNumber, async () => (await market.health()).block);
  await queries.invalidateQueries();
  const stage = isIndexed ? 'indexed' : 'unindexed';
  onProgress({ step: receipts.length - 1, stage, hash: last.transactionHash });
}
