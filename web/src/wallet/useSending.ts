// The state of a sequence of calls on its way through the wallet.
import { useState } from 'react';
import type { TransactionReceipt } from 'viem';
import type { EncodedCalls } from '#chain/calls/encode.ts';
import { explainFailure, type Progress, sendCalls } from './send.ts';
import { useWallet } from './useWallet.ts';

export type Sending = {
  /** Null before anything was sent. */
  readonly progress: Progress | null;
  /** The calls as they were when the sequence began; what is planned may change while they are on their way. */
  readonly calls: EncodedCalls | null;
  readonly isBusy: boolean;
  readonly isDone: boolean;
  readonly failure: string | null;
  readonly start: (calls: EncodedCalls) => Promise<readonly TransactionReceipt[] | null>;
};

export function useSending(): Sending {
  const wallet = useWallet();
  const [progress, setProgress] = useState<Progress | null>(null);
  const [calls, setCalls] = useState<EncodedCalls | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const isDone = progress?.stage === 'seen';
  return {
    progress,
    calls,
    failure,
    isDone,
    isBusy: progress !== null && failure === null && !isDone,
    start: async (planned) => {
      const client = wallet?.client;
      if (client === null || client === undefined) {
        setFailure('The wallet is not connected any more; connect it again.');
        return null;
      }
      setFailure(null);
      setCalls(planned);
      try {
        return await sendCalls(client, planned.calls, setProgress);
      } catch (error) {
        setFailure(explainFailure(error));
        return null;
      }
    },
  };
}
