// The state of a sequence of calls on its way through the wallet; a retry continues where it stopped.

import type { EncodedCalls } from '@svc/sdk/chain';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Hex } from 'viem';
import { client as market, queries } from '#data/client.ts';
import {
  askForBatch,
  awaitBatch,
  type CallReceipt,
  canBatch,
  isSameBatch,
  loadBatch,
  NoBatch,
} from './batch.ts';
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
  /** All calls were or are signed together: they share their progress. */
  readonly isBatch: boolean;
};

export type Sending = State & {
  /** Of the calls sent one after another so far, in order. */
  readonly hashes: readonly Hex[];
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
  ) => Promise<readonly CallReceipt[] | null>;
};

const idle: State = { progress: null, calls: null, failure: null, isBatch: false };
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

  /** One signature for everything; `sequence` where the wallet asks for each call. */
  const startBatch = async (client: WalletClient, planned: EncodedCalls, signal: AbortSignal) => {
    const onProgress = (progress: Progress) => change({ progress });
    const earlier = loadBatch(owner);
    try {
      if (earlier === null && (planned.calls.length < 2 || !(await loadCanBatch(client)))) return 'sequence';
      const stage = earlier === null ? 'signing' : 'mining';
      change({ failure: null, isBatch: true, calls: planned, progress: { step: 0, stage } });
      const batch = earlier ?? (await askForBatch(client, planned));
      onProgress({ step: 0, stage: 'mining' });
      const receipts = await awaitBatch(client, batch, signal);
      if (!isSameBatch(batch, planned.calls)) {
        await queries.refetchQueries({ queryKey: ['wallet'] }, { throwOnError: true });
        change({ ...idle, failure: changedMessage });
        return null;
      }
      await waitUntilShown(receipts, planned.calls.length, onProgress);
      return receipts;
    } catch (error) {
      if (error instanceof NoBatch) {
        queries.setQueryData(batchingKey(owner), false);
        return 'sequence';
      }
      await queries.invalidateQueries({ queryKey: ['wallet'] });
      change({ failure: explainError(error) });
      return null;
    }
  };

  return {
    ...state,
    isDone,
    hashes: sequence?.hashes ?? [],
    isBusy: state.progress !== null && state.failure === null && !isDone,
    isAllSent:
      loadBatch(owner) !== null
        ? state.progress?.stage !== 'signing'
        : sequence !== undefined && sequence.hashes.length === sequence.calls.calls.length,
    continues: (planned) => {
      const batch = loadBatch(owner);
      return (
        chooseRetry(sequence, planned) === 'continue' || (batch !== null && isSameBatch(batch, planned.calls))
      );
    },
    start: async (planned, loadSent) => {
      let client: WalletClient;
      try {
        client = requireClient(wallet);
      } catch (error) {
        change({ failure: explainError(error) });
        return null;
      }
      stop.current = new AbortController();
      const { signal } = stop.current;
      const retry = chooseRetry(sequence, planned);
      if (loadSent === undefined && retry === 'restart') {
        const receipts = await startBatch(client, planned, signal);
        if (receipts !== 'sequence') return receipts;
      }
      const started: Sequence =
        sequence === undefined || retry === 'restart'
          ? { calls: planned, hashes: [], minedCount: 0 }
          : sequence;
      sequences.current.set(owner, started);
      change({
        failure: null,
        isBatch: false,
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
        await waitUntilShown(receipts, receipts.length, onProgress);
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

const batchingKey = (owner: string) => ['batching', owner];

function batchingQuery(client: WalletClient) {
  return {
    queryKey: batchingKey(client.account.address),
    staleTime: 60_000,
    queryFn: () => canBatch(client),
  };
}

function loadCanBatch(client: WalletClient): Promise<boolean> {
  return queries.fetchQuery(batchingQuery(client));
}

/** Whether the connected wallet will sign several calls at once. */
export function useCanBatch(): boolean {
  const client = useWallet()?.client ?? null;
  const { data = false } = useQuery({
    queryKey: ['batching', null],
    queryFn: () => false,
    ...(client !== null && batchingQuery(client)),
  });
  return data;
}

/** Waits until the market shows the last call, then refetches everything on the page. */
async function waitUntilShown(
  receipts: readonly CallReceipt[],
  stepCount: number,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const last = receipts.at(-1);
  if (last === undefined) return;
  const isIndexed = await waitForMarket(last.blockNumber, async () => (await market.health()).block);
  await queries.invalidateQueries();
  const stage = isIndexed ? 'indexed' : 'unindexed';
  onProgress({ step: stepCount - 1, stage, hash: last.transactionHash });
}
