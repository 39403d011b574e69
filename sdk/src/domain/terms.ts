// The terms both parties accept, and the digests that bind them: EIP-712 typed data, equal to what the contracts compute.
import { concat, type Hex, hashTypedData, keccak256, numberToHex, stringToBytes } from 'viem';
import type { Address } from './address.ts';
import { indexOf, type Scope, scopes, type TaskState, taskStates } from './state.ts';

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
  readonly workerBps: number;
  readonly validUntil: bigint;
};

/** Where a signature counts: one registry on one chain. */
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
  { name: 'workerBps', type: 'uint16' },
  { name: 'validUntil', type: 'uint64' },
] as const;

/** What a wallet is asked to sign. */
export function buildTermsTypedData(terms: TaskTerms, place: SigningPlace) {
  return {
    domain: buildDomain(place),
    types: { TaskTerms: taskTermsFields },
    primaryType: 'TaskTerms',
    message: { ...terms, scope: indexOf(scopes, terms.scope) },
  } as const;
}

export function buildSettlementTypedData(settlement: MutualSettlement, place: SigningPlace) {
  return {
    domain: buildDomain(place),
    types: { MutualSettlement: mutualSettlementFields },
    primaryType: 'MutualSettlement',
    message: { ...settlement, state: indexOf(taskStates, settlement.state) },
  } as const;
}

/** The settlement digest: `TaskRegistry.hashTerms` of the same terms. */
export function hashTerms(terms: TaskTerms, place: SigningPlace): Hex {
  return hashTypedData(buildTermsTypedData(terms, place));
}

/** `TaskRegistry.hashSettlement` of a task that stands as the settlement says. */
export function hashSettlement(settlement: MutualSettlement, place: SigningPlace): Hex {
  return hashTypedData(buildSettlementTypedData(settlement, place));
}

/**
 * Of the amounts as 32-byte words. One single milestone is written as no list at all: a list of one would hash
 * differently although it means the same, and the contracts refuse it.
 */
export function hashMilestones(amounts: readonly bigint[]): Hex {
  return keccak256(concat(amounts.map((amount) => numberToHex(amount, { size: 32 }))));
}

export function hashCriteria(criteria: string): Hex {
  return keccak256(stringToBytes(criteria));
}

/** The salt of an open task's digest: it changes with every re-listing, so an old acceptance never fits again. */
export function buildOpenSalt(taskId: bigint, round: number): Hex {
  return numberToHex((taskId << 32n) | BigInt(round), { size: 32 });
}

/** What the contracts keep as TERMS_TYPEHASH and SETTLE_TYPEHASH. */
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
