// The ways out of a task: leaving, dismissing, cancelling, ending what timed out, settling together.
import type { Hex } from 'viem';
import { courtOf } from './court.ts';
import { type CallContracts, type EncodedCalls, encodeCall } from './encode.ts';
import { registryOf } from './registry.ts';

export function encodeLeaveTask(contracts: CallContracts, number: bigint): EncodedCalls {
  return encodeCall(registryOf(contracts), 'leaveTask', [number], `Give task ${number} back`);
}

export function encodeDismissWorker(contracts: CallContracts, number: bigint): EncodedCalls {
  const summary = `Dismiss the worker of task ${number}; once work has started, give a day's notice first`;
  return encodeCall(registryOf(contracts), 'dismissWorker', [number], summary);
}

export function encodeCancelTask(contracts: CallContracts, number: bigint): EncodedCalls {
  const summary = `Withdraw task ${number}, which nobody has claimed`;
  return encodeCall(registryOf(contracts), 'cancelTask', [number], summary);
}

export function encodeResolveTimedOut(contracts: CallContracts, number: bigint): EncodedCalls {
  const summary = `End the phase of task ${number} whose time is over`;
  return encodeCall(registryOf(contracts), 'resolveTimedOut', [number], summary);
}

export type SettleArguments = {
  readonly number: bigint;
  /** The worker's share of everything held, 0 to 10000. */
  readonly workerBps: number;
  readonly validUntil: number;
  /** `0x` for a party that sends the call itself. */
  readonly posterSignature: Hex;
  readonly workerSignature: Hex;
};

export function encodeMutualSettle(contracts: CallContracts, settle: SettleArguments): EncodedCalls {
  const { number, workerBps, validUntil, posterSignature, workerSignature } = settle;
  return encodeCall(
    courtOf(contracts),
    'mutualSettle',
    [number, workerBps, BigInt(validUntil), posterSignature, workerSignature],
    `Settle task ${number} by agreement: ${workerBps / 100} % of what is held to the worker`,
  );
}
