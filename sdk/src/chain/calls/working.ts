// Working on a task: starting, delivering, accepting, completing.
import type { Hex } from 'viem';
import { type CallContracts, type EncodedCalls, encodeCall } from './encode.ts';
import { registryOf } from './registry.ts';

/** `expectedDigest` is the task's settlement digest, so that a pending start cannot hit another worker. */
export function encodeStartWork(
  contracts: CallContracts,
  { number, expectedDigest }: { readonly number: bigint; readonly expectedDigest: Hex },
): EncodedCalls {
  const summary = `Start the work on task ${number}`;
  return encodeCall(registryOf(contracts), 'startWork', [number, expectedDigest], summary);
}

export function encodeSubmitProof(
  contracts: CallContracts,
  { number, proofHash, uri }: { readonly number: bigint; readonly proofHash: Hex; readonly uri: string },
): EncodedCalls {
  const summary = `Deliver the current milestone of task ${number}`;
  return encodeCall(registryOf(contracts), 'submitProof', [number, proofHash, uri], summary);
}

/** `milestone` is its index, counted from 0. */
export function encodeAcceptMilestone(
  contracts: CallContracts,
  { number, milestone }: { readonly number: bigint; readonly milestone: number },
): EncodedCalls {
  const summary = `Accept and pay milestone ${milestone + 1} of task ${number}`;
  return encodeCall(registryOf(contracts), 'acceptMilestone', [number, milestone], summary);
}

export function encodeCompleteTask(contracts: CallContracts, number: bigint): EncodedCalls {
  const summary = `Pay everything that is held for task ${number} to its worker and end it`;
  return encodeCall(registryOf(contracts), 'completeTask', [number], summary);
}
