// Whether the times that a provider tells can be true. The hash of a header would prove its time, but which fields it covers
// changes with each upgrade of a chain. So times are compared with each other and with the clock of this machine.

import type { Rpc } from '@svc/sdk/chain';
import { type Block, blockAt, type RawLog } from '@svc/sdk/internal/chain/rpcRequests';
import { OperatorError } from '../errors/operatorError.ts';

/** Chains date their blocks a few seconds ahead at most; the rest is for a clock that is wrong. */
const maxAheadSeconds = 900;
const attempts = 4;

type Stretch = { readonly first: Block; readonly end: Block; readonly earlierTime?: number | undefined };

export function createTimeCheck(
  rpc: Pick<Rpc, 'ask' | 'blame'>,
  clock: () => number = () => Date.now() / 1_000,
) {
  /** The last block of the stretch that was checked last. */
  let last: Block | null = null;
  /** How far the chain is known to be ahead: one for trials may have been moved into the future. */
  let knownAhead = 0;

  function blame(number: bigint): OperatorError {
    const error = new OperatorError('CHAIN_TIME_WRONG', { block: String(number) });
    rpc.blame(error);
    // It may have been the one that was wrong.
    last = null;
    return error;
  }

  return {
    /**
     * Throws CHAIN_TIME_WRONG where a log has another time than its block, or a block an earlier one than a block before it.
     * `first` and `end` are the headers of the stretch, `times` those of its blocks as far as they are known, and `earlierTime`
     * is the time of its end in an earlier answer.
     */
    checkOrder(
      times: ReadonlyMap<bigint, number>,
      logs: readonly RawLog[],
      { first, end, earlierTime = end.time }: Stretch,
    ): void {
      if (earlierTime !== end.time) throw blame(end.number);
      for (const { blockNumber, blockTime } of logs)
        if (blockTime !== null && blockTime !== times.get(blockNumber)) throw blame(blockNumber);
      let before = last?.hash === first.parentHash ? last.time : 0;
      const all = new Map([...times, [first.number, first.time], [end.number, end.time]]);
      for (const [number, time] of [...all].sort(([left], [right]) => Number(left - right))) {
        if (time < before) throw blame(number);
        before = time;
      }
      last = end;
    },

    /** As above, for old blocks of which only those with logs are known. */
    checkLogs(times: ReadonlyMap<bigint, number>, logs: readonly RawLog[]): void {
      for (const { blockNumber, blockTime } of logs)
        if (blockTime !== null && blockTime !== times.get(blockNumber)) throw blame(blockNumber);
      let before = 0;
      for (const [number, time] of [...times].sort(([left], [right]) => Number(left - right))) {
        if (time < before) throw blame(number);
        before = time;
      }
    },

    /**
     * Throws CHAIN_TIME_WRONG where a time is far ahead of the clock and a second answer, of another endpoint if there is one,
     * says otherwise. A node that lags has no answer: a few are asked.
     */
    async checkClock(block: Block): Promise<void> {
      const ahead = block.time - clock();
      if (ahead <= knownAhead + maxAheadSeconds) return;
      const error = blame(block.number);
      for (let attempt = 0; attempt < attempts; attempt++) {
        const again = await rpc.ask(blockAt(block.number));
        if (again?.hash !== block.hash) continue;
        if (again.time !== block.time) throw error;
        knownAhead = ahead;
        return;
      }
    },
  };
}
