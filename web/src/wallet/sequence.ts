// What becomes of a sequence that stopped when it is tried again: no call that went out may go out twice.

import type { Call, EncodedCalls } from '@svc/sdk/chain';
import type { Hex } from 'viem';

/** A sequence that has begun. */
export type Course = {
  readonly calls: EncodedCalls;
  /** Of the calls that went out, in order; grows as others follow. */
  hashes: Hex[];
  /** How many of those are mined. */
  minedCount: number;
};

/**
 * `on`: the calls as they were, from the first that is not out. `anew`: what is planned now. `settle`: neither yet, for
 * what is planned may hold what went out already.
 */
export type Way = 'on' | 'anew' | 'settle';

export function chooseWay(course: Course | undefined, planned: EncodedCalls): Way {
  if (course === undefined || course.hashes.length === 0) return 'anew';
  const { calls, hashes, minedCount } = course;
  const outCalls = calls.calls.slice(0, hashes.length);
  if (outCalls.length === calls.calls.length) return 'on';
  if (isSame(calls.calls.at(-1), planned.calls.at(-1))) return 'on';
  const isRepeated = planned.calls.some((call) => outCalls.some((out) => isSame(call, out)));
  return minedCount < hashes.length || isRepeated ? 'settle' : 'anew';
}

function isSame(left: Call | undefined, right: Call | undefined): boolean {
  return left?.to === right?.to && left?.data === right?.data && left?.value === right?.value;
}
