// The state of a sequence of calls on its way through the wallet; tried again, it goes on where it stopped.
import { useRef, useState } from 'react';
import type { Hex, TransactionReceipt } from 'viem';
import type { EncodedCalls } from '#chain/calls/encode.ts';
import { queries } from '../data/client.ts';
import { explainFailure, type Memory, type Progress, sendCalls } from './send.ts';
import { useWallet, type WalletClient } from './useWallet.ts';

export type Sending = {
  /** Null before anything was sent. */
  readonly progress: Progress | null;
  /** The calls as they were when the sequence began; what is planned may change while they are on their way. */
  readonly calls: EncodedCalls | null;
  readonly isBusy: boolean;
  readonly isDone: boolean;
  readonly failure: string | null;
  /** Answers the receipts of all calls. `recall` says which went out before, and who is to remember the others. */
  readonly start: (
    calls: EncodedCalls,
    recall?: (client: WalletClient) => Promise<{ readonly hashes: readonly Hex[]; readonly memory: Memory }>,
  ) => Promise<readonly TransactionReceipt[] | null>;
};

export function useSending(): Sending {
  const wallet = useWallet();
  const [progress, setProgress] = useState<Progress | null>(null);
  const [calls, setCalls] = useState<EncodedCalls | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const hashes = useRef<Hex[]>([]);
  const isDone = progress?.stage === 'seen';
  return {
    progress,
    calls,
    failure,
    isDone,
    isBusy: progress !== null && failure === null && !isDone,
    start: async (planned, recall) => {
      const client = wallet?.client;
      if (client === null || client === undefined) {
        setFailure('The wallet is not connected any more; connect it again.');
        return null;
      }
      // The same once more goes on where it stopped; anything else is a sequence of its own.
      const isSame = calls !== null && calls.calls.at(-1)?.data === planned.calls.at(-1)?.data;
      const begun = isSame && hashes.current.length > 0 ? calls : planned;
      if (begun === planned) hashes.current = [];
      setFailure(null);
      setCalls(begun);
      setProgress({ step: hashes.current.length, stage: 'trying' });
      try {
        const recalled = await recall?.(client);
        if (recalled !== undefined) hashes.current = [...recalled.hashes];
        return await sendCalls(client, begun.calls, hashes.current, setProgress, recalled?.memory);
      } catch (error) {
        // Whoever closes this and begins anew plans with what the calls before have changed.
        await queries.invalidateQueries({ queryKey: ['wallet'] });
        setFailure(explainFailure(error));
        return null;
      }
    },
  };
}
