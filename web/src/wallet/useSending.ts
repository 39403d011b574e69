// The state of a sequence of calls on its way through the wallet; tried again, it goes on where it stopped.

import type { EncodedCalls } from '@svc/sdk/chain';
import { useEffect, useRef, useState } from 'react';
import type { Hex, TransactionReceipt } from 'viem';
import { client as market, queries } from '../data/client.ts';
import { awaitMarket } from './awaitMarket.ts';
import { explainFailure, type Memory, type Progress, sendCalls } from './send.ts';
import { type Course, chooseWay } from './sequence.ts';
import { requireClient, useWallet, type WalletClient } from './useWallet.ts';

type State = {
  /** Null before anything was sent. */
  readonly progress: Progress | null;
  /** The calls as they were when the sequence began; what is planned may change while they are on their way. */
  readonly calls: EncodedCalls | null;
  readonly failure: string | null;
};

export type Sending = State & {
  readonly isBusy: boolean;
  readonly isDone: boolean;
  /** Everything is signed and sent: trying again only waits. */
  readonly isAllOut: boolean;
  /** Whether what is sent next are the calls that have begun, and not those that are planned now. */
  readonly goesOn: (planned: EncodedCalls) => boolean;
  /** Answers the receipts of all calls. `recall` says which went out before, and who is to remember the others. */
  readonly start: (
    calls: EncodedCalls,
    recall?: (client: WalletClient) => Promise<{ readonly hashes: readonly Hex[]; readonly memory: Memory }>,
  ) => Promise<readonly TransactionReceipt[] | null>;
};

const untouched: State = { progress: null, calls: null, failure: null };
const leftWords = 'You left before everything was signed. Go on from here.';
const settledWords = 'What you signed before is mined, and the rest has changed. Read it again, then go on.';

export function useSending(): Sending {
  const wallet = useWallet();
  const owner = wallet?.address ?? '';
  // Each account has its own: what one has sent is not sent by another, nor twice when its owner switches back.
  const [states, setStates] = useState<Readonly<Record<string, State>>>({});
  const courses = useRef(new Map<string, Course>());
  const stop = useRef<AbortController | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account stops what this one has begun
  useEffect(() => {
    return () => stop.current?.abort(new Error(leftWords));
  }, [owner]);
  const state = states[owner] ?? untouched;
  const course = courses.current.get(owner);
  const isDone = state.progress?.stage === 'seen' || state.progress?.stage === 'unseen';
  const change = (changes: Partial<State>) =>
    setStates((all) => ({ ...all, [owner]: { ...(all[owner] ?? untouched), ...changes } }));

  return {
    ...state,
    isDone,
    isBusy: state.progress !== null && state.failure === null && !isDone,
    isAllOut: course !== undefined && course.hashes.length === course.calls.calls.length,
    goesOn: (planned) => chooseWay(course, planned) === 'on',
    start: async (planned, recall) => {
      let client: WalletClient;
      try {
        client = requireClient(wallet);
      } catch (error) {
        change({ failure: explainFailure(error) });
        return null;
      }
      const way = chooseWay(course, planned);
      const begun = course === undefined || way === 'anew' ? createCourse(planned) : course;
      courses.current.set(owner, begun);
      stop.current = new AbortController();
      const { signal } = stop.current;
      change({ failure: null, calls: begun.calls, progress: { step: begun.hashes.length, stage: 'trying' } });
      const onProgress = (progress: Progress) => {
        if (progress.stage === 'mined') begun.minedCount = progress.step + 1;
        change({ progress });
      };
      try {
        if (way === 'settle') {
          const out = begun.calls.calls.slice(0, begun.hashes.length);
          await sendCalls(client, out, begun.hashes, { onProgress, signal });
          await queries.refetchQueries({ queryKey: ['wallet'] }, { throwOnError: true });
          courses.current.delete(owner);
          change({ ...untouched, failure: settledWords });
          return null;
        }
        const recalled = await recall?.(client);
        if (recalled !== undefined) begun.hashes = [...recalled.hashes];
        const memory = recalled?.memory;
        const receipts = await sendCalls(client, begun.calls.calls, begun.hashes, {
          onProgress,
          signal,
          memory,
        });
        await tell(receipts, onProgress);
        return receipts;
      } catch (error) {
        // Whoever closes this and begins anew plans with what the calls before have changed.
        await queries.invalidateQueries({ queryKey: ['wallet'] });
        change({ failure: explainFailure(error) });
        return null;
      }
    },
  };
}

function createCourse(calls: EncodedCalls): Course {
  return { calls, hashes: [], minedCount: 0 };
}

/** Says whether the market shows the last of them, and lets every part of the page ask it anew. */
async function tell(
  receipts: readonly TransactionReceipt[],
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const last = receipts.at(-1);
  if (last === undefined) return;
  const isSeen = await awaitMarket(last.blockNumber, async () => (await market.health()).block);
  await queries.invalidateQueries();
  const stage = isSeen ? 'seen' : 'unseen';
  onProgress({ step: receipts.length - 1, stage, hash: last.transactionHash });
}
