// The terms that both parties accept, and their digests: EIP-712 typed data, equal to what the contracts compute.
import { concat, type Hex, hashTypedData, keccak256, numberToHex, stringToBytes } from 'viem';
import type { Address } from './address.ts';
import { formatMoment } from './amount.ts';
import { protocolConstants } from './parameters.ts';
import {
  type DisputePhase,
  disputePhases,
  indexOf,
  type Scope,
  scopes,
  type TaskState,
  taskStates,
} from './state.ts';

export type TaskTerms = {
  readonly poster: Address;
  readonly worker: Address;
  readonly totalAmount: bigint;
  readonly milestonesHash: Hex;
  readonly criteriaHash: Hex;
  /** Unix seconds, as is `acceptBy`. */
  readonly deadline: bigint;
  readonly reviewPeriod: number;
  readonly scope: Scope;
  readonly salt: Hex;
  readonly acceptBy: bigint;
};

export type MutualSettlement = {
  readonly taskId: bigint;
  readonly poster: Address;
  readonly worker: Address;
  readonly round: number;
  readonly milestone: number;
  readonly state: TaskState;
  readonly updatedAt: bigint;
  readonly held: bigint;
  /** NONE while nothing is disputed. */
  readonly phase: DisputePhase;
  readonly workerBps: number;
  readonly validUntil: bigint;
};

/** Why the contracts would take no signature under terms with this end, in Unix seconds; null where they take it. */
export function findAcceptanceMistake(acceptBy: number, now: number): string | null {
  const { maxAcceptanceSeconds } = protocolConstants;
  if (acceptBy <= now) return `must be later than now, which is ${formatMoment(now)} on the chain`;
  return acceptBy > now + maxAcceptanceSeconds
    ? `must be within ${maxAcceptanceSeconds / 86_400} days`
    : null;
}

/** The registry and chain that a signature is for. */
export type SigningPlace = { readonly chainId: number; readonly registry: Address };

export const domainName = 'TaskMarket';
export const domainVersion = '2';

export const taskTermsFields = [
  { name: 'poster', type: 'address' },
  { name: 'worker', type: 'address' },
  { name: 'totalAmount', type: 'uint96' },
  { name: 'milestonesHash', type: 'bytes32' },
  { name: 'criteriaHash', type: 'bytes32' },
  { name: 'deadline', type: 'uint64' },
  { name: 'reviewPeriod', type: 'uint32' },
  { name: 'scope', type: 'uint8' },
  { name: 'salt', type: 'bytes32' },
  { name: 'acceptBy', type: 'uint64' },
] as const;

export const mutualSettlementFields = [
  { name: 'taskId', type: 'uint256' },
  { name: 'poster', type: 'address' },
  { name: 'worker', type: 'address' },
  { name: 'round', type: 'uint32' },
  { name: 'milestone', type: 'uint8' },
  { name: 'state', type: 'uint8' },
  { name: 'updatedAt', type: 'uint64' },
  { name: 'held', type: 'uint96' },
  { name: 'phase', type: 'uint8' },
  { name: 'workerBps', type: 'uint16' },
  { name: 'validUntil', type: 'uint64' },
] as const;

/** What a wallet signs. */
export function buildTermsTypedData(terms: TaskTerms, place: SigningPlace) {
  return {
    domain: buildDomain(place),
    types: { TaskTerms: taskTermsFields },
    primaryType: 'TaskTerms',
    message: { ...terms, scope: indexOf(scopes, terms.scope) },
  } as const;
}

/** What both parties sign to settle a task by agreement. */
export function buildSettlementTypedData(settlement: MutualSettlement, place: SigningPlace) {
  return {
    domain: buildDomain(place),
    types: { MutualSettlement: mutualSettlementFields },
    primaryType: 'MutualSettlement',
    message: {
      ...settlement,
      state: indexOf(taskStates, settlement.state),
      phase: indexOf(disputePhases, settlement.phase),
    },
  } as const;
}

/** The settlement digest: `TaskRegistry.hashTerms` of the same terms. */
export function hashTerms(terms: TaskTerms, place: SigningPlace): Hex {
  return hashTypedData(buildTermsTypedData(terms, place));
}

/** `TaskRegistry.hashSettlement` of a task in the state that the settlement describes. */
export function hashSettlement(settlement: MutualSettlement, place: SigningPlace): Hex {
  return hashTypedData(buildSettlementTypedData(settlement, place));
}

/**
 * Hashes the amounts as 32-byte words. A single milestone is an empty list: a list of one means the same but has another
 * hash, and the contracts refuse it.
 */
export function hashMilestones(amounts: readonly bigint[]): Hex {
  return keccak256(concat(amounts.map((amount) => numberToHex(amount, { size: 32 }))));
}

/** keccak256 of a text in UTF-8, as the contracts hash acceptance criteria. */
export function hashCriteria(criteria: string): Hex {
  return keccak256(stringToBytes(criteria));
}

/** The salt of an open task's digest. It changes with every new listing, so that an old acceptance is never valid again. */
export function buildOpenSalt(taskId: bigint, round: number): Hex {
  return numberToHex((taskId << 32n) | BigInt(round), { size: 32 });
}

/** TERMS_TYPEHASH and SETTLE_TYPEHASH of the contracts. */
export const termsTypeHash = hashType('TaskTerms', taskTermsFields);
export const settlementTypeHash = hashType('MutualSettlement', mutualSettlementFields);

function buildDomain({ chainId, registry }: SigningPlace) {
  return { name: domainName, version: domainVersion, chainId, verifyingContract: registry } as const;
}

function hashType(name: string, fields: readonly { name: string; type: string }[]): Hex {
  return keccak256(
    stringToBytes(`${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`),
  );
}
