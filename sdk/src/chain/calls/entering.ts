// Entering a task: posting it, making one that both parties agreed on, claiming and funding it.
import type { Hex } from 'viem';
import { formatTok } from '#domain/amount.ts';
import { indexOf, scopes } from '#domain/state.ts';
import type { TaskTerms } from '#domain/terms.ts';
import { type CallContracts, type EncodedCalls, encodeCall } from './encode.ts';
import { registryOf } from './registry.ts';

export type PostArguments = {
  readonly totalAmountTokWei: bigint;
  /** Unix seconds. */
  readonly deadline: number;
  readonly reviewPeriod: number;
  readonly criteriaHash: Hex;
  /** Empty for one single milestone: the contracts refuse a list of one. */
  readonly milestonesTokWei: readonly bigint[];
  readonly uri: string;
  readonly fundNowTokWei: bigint;
};

export function encodePostTask(contracts: CallContracts, post: PostArguments): EncodedCalls {
  const params = {
    totalAmount: post.totalAmountTokWei,
    deadline: BigInt(post.deadline),
    reviewPeriod: post.reviewPeriod,
    criteriaHash: post.criteriaHash,
    milestones: post.milestonesTokWei,
    uri: post.uri,
    fundNow: post.fundNowTokWei,
  };
  const summary = `Post a task of ${formatTok(post.totalAmountTokWei)} TOK${describeFunding(post.fundNowTokWei)}`;
  return encodeCall(registryOf(contracts), 'postTask', [params], summary);
}

export type CreateArguments = {
  readonly terms: TaskTerms;
  readonly milestonesTokWei: readonly bigint[];
  /** `0x` for the party that sends the call. */
  readonly posterSignature: Hex;
  readonly workerSignature: Hex;
  /** Empty for a private task, and when the worker sends the call. */
  readonly uri: string;
  readonly fundNowTokWei: bigint;
};

export function encodeCreateTask(contracts: CallContracts, create: CreateArguments): EncodedCalls {
  const { terms, milestonesTokWei, posterSignature, workerSignature, uri, fundNowTokWei } = create;
  const encoded = { ...terms, scope: indexOf(scopes, terms.scope) };
  const summary =
    `Create the agreed task of ${formatTok(terms.totalAmount)} TOK between ${terms.poster} and ${terms.worker}` +
    describeFunding(fundNowTokWei);
  return encodeCall(
    registryOf(contracts),
    'createTask',
    [encoded, milestonesTokWei, posterSignature, workerSignature, uri, fundNowTokWei],
    summary,
  );
}

/** `expectedDigest` is `openDigest(taskId, worker)` as read: the claim accepts those terms and no others. */
export function encodeClaimTask(
  contracts: CallContracts,
  { number, expectedDigest }: { readonly number: bigint; readonly expectedDigest: Hex },
): EncodedCalls {
  return encodeCall(registryOf(contracts), 'claimTask', [number, expectedDigest], `Claim task ${number}`);
}

export function encodeFundTask(
  contracts: CallContracts,
  { number, amountTokWei }: { readonly number: bigint; readonly amountTokWei: bigint },
): EncodedCalls {
  const summary = `Put ${formatTok(amountTokWei)} TOK into escrow for task ${number}`;
  return encodeCall(registryOf(contracts), 'fundTask', [number, amountTokWei], summary);
}

function describeFunding(amountTokWei: bigint): string {
  return amountTokWei === 0n ? '' : `, with ${formatTok(amountTokWei)} TOK into escrow at once`;
}
