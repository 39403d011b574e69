// The state of a sequence of calls on its way through the wallet; a retry continues where it stopped.

import type { EncodedCalls } from '@svc/sdk/internal/chain/encodeCall';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Hex } from 'viem';
import { client as market, queries } from '../data/client.ts';
import { askForBatch, awaitBatch, type CallReceipt, canBatch, loadBatch, NoBatch } from './batch.ts';
import { explainError, nothingSent } from './explainError.ts';
import {
  chooseRetry,
  hasSameEnd,
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

export type Sending = ReturnType<typeof useSending>;

type SendOptions = {
  /** Finds the calls sent earlier. */
  readonly loadSent?: (
    client: WalletClient,
  ) => Promise<{ readonly hashes: readonly Hex[]; readonly log: SentLog }>;
  /** Before each signature; throws a sentence where it should not be asked for any more. */
  readonly check?: (step: number) => Promise<void>;
};

const idle: State = { progress: null, calls: null, failure: null, isBatch: false };
const leftMessage = 'You left before everything was signed. Continue from here.';
const changedMessage =
  'The calls that you signed are mined, and the remaining ones have changed. Check them, then continue.';

export function useSending() {
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
  /** Everything is signed and sent: a retry only waits. */
  const isAllSent =
    loadBatch(owner) !== null
      ? state.progress?.stage !== 'signing'
      : sequence !== undefined && sequence.hashes.length === sequence.calls.calls.length;
  const change = (changes: Partial<State>) =>
    setStates((all) => ({ ...all, [owner]: { ...(all[owner] ?? idle), ...changes } }));

  const onProgress = (progress: Progress) => change({ progress });

  /** Null where the wallet asks for each call; `changed` if an earlier batch did something else. */
  const signBatch = async (
    client: WalletClient,
    planned: EncodedCalls,
    signal: AbortSignal,
    { check }: SendOptions,
  ) => {
    const earlier = loadBatch(owner);
    if (earlier === null) {
      const isOffered = planned.calls.length > 1 && (await queries.fetchQuery(batchingQuery(client)));
      if (!isOffered) return null;
    }
    const stage = earlier === null ? 'signing' : 'mining';
    change({ failure: null, isBatch: true, calls: planned, progress: { step: 0, stage } });
    try {
      if (earlier === null) await check?.(0);
      const batch = earlier ?? (await askForBatch(client, planned));
      onProgress({ step: 0, stage: 'mining' });
      const receipts = await awaitBatch(client, batch, signal);
      return hasSameEnd(batch.calls, planned.calls) ? receipts : 'changed';
    } catch (error) {
      if (!(error instanceof NoBatch)) throw error;
      queries.setQueryData(batchingQuery(client).queryKey, false);
      return null;
    }
  };

  /** One signature for each call. `changed` if the rest of the calls must be planned again. */
  const signEach = async (
    client: WalletClient,
    planned: EncodedCalls,
    signal: AbortSignal,
    { loadSent, check }: SendOptions,
  ) => {
    const retry = chooseRetry(sequence, planned);
    const started =
      sequence === undefined || retry === 'restart'
        ? { calls: planned, hashes: [], minedCount: 0 }
        : sequence;
    sequences.current.set(owner, started);
    const step = started.hashes.length;
    change({ failure: null, isBatch: false, calls: started.calls, progress: { step, stage: 'simulating' } });
    const options = {
      signal,
      check,
      onProgress: (progress: Progress) => {
        if (progress.stage === 'mined') started.minedCount = progress.step + 1;
        change({ progress });
      },
    };
    if (retry === 'wait') {
      await sendCalls(client, started.calls.calls.slice(0, step), started.hashes, options);
      return 'changed';
    }
    const earlier = await loadSent?.(client);
    if (earlier !== undefined) started.hashes = [...earlier.hashes];
    return sendCalls(client, started.calls.calls, started.hashes, { ...options, log: earlier?.log });
  };

  return {
    ...state,
    isDone,
    /** Of the calls sent one after another so far, in order. */
    hashes: sequence?.hashes ?? [],
    isBusy: state.progress !== null && state.failure === null && !isDone,
    isAllSent,
    /** Whether the wallet may still be asked for a signature. */
    mayAsk: !isAllSent && !isEnding(state),
    /** Whether the next start continues the calls that were started instead of sending the planned ones. */
    continues: (planned: EncodedCalls) => {
      const batch = loadBatch(owner);
      return (
        chooseRetry(sequence, planned) === 'continue' ||
        (batch !== null && hasSameEnd(batch.calls, planned.calls))
      );
    },
    /** Returns the receipts of all calls, or null after a failure. */
    start: async (
      planned: EncodedCalls,
      options: SendOptions = {},
    ): Promise<readonly CallReceipt[] | null> => {
      stop.current = new AbortController();
      const { signal } = stop.current;
      try {
        const client = requireClient(wallet);
        const mayBatch = options.loadSent === undefined && chooseRetry(sequence, planned) === 'restart';
        const batched = mayBatch ? await signBatch(client, planned, signal, options) : null;
        const receipts = batched ?? (await signEach(client, planned, signal, options));
        if (receipts === 'changed') {
          await queries.refetchQueries({ queryKey: ['wallet'] }, { throwOnError: true });
          // Only now: a plan from before the refetch could repeat a call that is mined.
          sequences.current.delete(owner);
          change({ ...idle, failure: changedMessage });
          return null;
        }
        const stepCount = batched === null ? receipts.length : planned.calls.length;
        await waitUntilShown(receipts, stepCount, onProgress);
        return receipts;
      } catch (error) {
        // A new plan must see what the mined calls have changed.
        await queries.invalidateQueries({ queryKey: ['wallet'] });
        const isBegun = (sequences.current.get(owner)?.hashes.length ?? 0) > 0;
        const failure = explainError(error);
        change({
          failure: isBegun ? failure.replace(nothingSent, 'What you signed before stays sent.') : failure,
        });
        return null;
      }
    },
  };
}

/** The last call, or the whole batch, is sent. */
function isEnding({ progress, calls, failure, isBatch }: State): boolean {
  if (progress === null || failure !== null) return false;
  const isSent = progress.stage !== 'simulating' && progress.stage !== 'signing';
  return isSent && (isBatch || progress.step + 1 === calls?.calls.length);
}

function batchingQuery(client: WalletClient | null) {
  return queryOptions({
    queryKey: ['batching', client?.account.address],
    enabled: client !== null,
    staleTime: 60_000,
    queryFn: async () => client !== null && (await canBatch(client)),
  });
}

/** Whether the connected wallet will sign several calls at once. */
export function useCanBatch(): boolean {
  return useQuery(batchingQuery(useWallet()?.client ?? null)).data ?? false;
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
  market.expectBlock(last.blockNumber);
  await queries.invalidateQueries();
  const stage = isIndexed ? 'indexed' : 'unindexed';
  onProgress({ step: stepCount - 1, stage, hash: last.transactionHash });
}
