// Disputes: opening one, naming an arbitrator, ruling, handing on and ending what timed out.
import type { Hex } from 'viem';
import type { Address } from '#domain/address.ts';
import { courtOf } from './court.ts';
import { type CallContracts, type EncodedCalls, encodeCall } from './encode.ts';
import { registryOf } from './registry.ts';

export function encodeOpenDispute(
  contracts: CallContracts,
  { number, evidenceHash }: { readonly number: bigint; readonly evidenceHash: Hex },
): EncodedCalls {
  const summary = `Dispute the delivery of task ${number}`;
  return encodeCall(registryOf(contracts), 'openDispute', [number, evidenceHash], summary);
}

export function encodeProposeArbitrator(
  contracts: CallContracts,
  { number, arbitrator }: { readonly number: bigint; readonly arbitrator: Address },
): EncodedCalls {
  const summary = `Name ${arbitrator} to decide the dispute of task ${number}`;
  return encodeCall(courtOf(contracts), 'proposeArbitrator', [number, arbitrator], summary);
}

export type RulingArguments = {
  readonly number: bigint;
  /** The worker's share of the disputed milestone, 0 to 10000. */
  readonly workerBps: number;
  readonly reasonHash: Hex;
};

export function encodeResolveDispute(contracts: CallContracts, ruling: RulingArguments): EncodedCalls {
  const { number, workerBps, reasonHash } = ruling;
  const summary = `Rule on task ${number}: ${workerBps / 100} % of the disputed milestone to the worker`;
  return encodeCall(courtOf(contracts), 'resolveDispute', [number, workerBps, reasonHash], summary);
}

export function encodeEscalate(contracts: CallContracts, number: bigint): EncodedCalls {
  const summary = `Hand the dispute of task ${number} to the fallback arbitrator`;
  return encodeCall(courtOf(contracts), 'escalate', [number], summary);
}

/** On the court: an escalated case that nobody decided is halved. */
export function encodeResolveTimedOutDispute(contracts: CallContracts, number: bigint): EncodedCalls {
  const summary = `Halve the disputed milestone of task ${number}, which nobody has decided in time`;
  return encodeCall(courtOf(contracts), 'resolveTimedOut', [number], summary);
}
