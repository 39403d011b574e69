// Compares what contracts answer with what they should, in as few requests as possible.

import type { Address } from '@svc/sdk/domain';
import { type Abi, BaseError, CallExecutionError, type ContractFunctionName, type PublicClient } from 'viem';

export type Check = {
  /** What is asked, such as `standard.escrowVault.registry`. */
  readonly subject: string;
  readonly address: Address;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
  readonly expected: unknown;
};

export type Mismatch = { readonly subject: string; readonly expected: string; readonly found: string };

/** One check for each getter and the value it should answer. */
export function expectGetters<const Contract extends Abi>(
  contract: string,
  address: Address,
  abi: Contract,
  expected: { readonly [Getter in ContractFunctionName<Contract, 'view' | 'pure'>]?: unknown },
): Check[] {
  return Object.entries(expected).map(([functionName, value]) =>
    expectCall(`${contract}.${functionName}`, address, abi, functionName, [], value),
  );
}

export function expectCall(
  subject: string,
  address: Address,
  abi: Abi,
  functionName: string,
  args: readonly unknown[],
  expected: unknown,
): Check {
  return { subject, address, abi, functionName, args, expected };
}

/** Throws where the chain cannot be asked; a contract that does not answer is a mismatch. */
export async function runChecks(publicClient: PublicClient, checks: readonly Check[]): Promise<Mismatch[]> {
  // Deployless: the chain need not have a multicall contract, and all answers come from few blocks.
  const answers = await publicClient.multicall({ contracts: checks, deployless: true, batchSize: 2_048 });
  return checks.flatMap(({ subject, expected }, index) => {
    const answer = answers[index];
    const found = answer?.status === 'success' ? print(answer.result) : explain(answer?.error);
    return found === print(expected) ? [] : [{ subject, expected: print(expected), found }];
  });
}

export function describeMismatch({ subject, expected, found }: Mismatch): string {
  return `${subject}: expected ${expected}, found ${found}`;
}

/** A failure of the request itself says nothing about the contracts. */
function explain(error: unknown): string {
  if (!(error instanceof BaseError) || error.walk((cause) => cause instanceof CallExecutionError))
    throw error;
  return 'no answer';
}

/** One spelling for each value, so that equal ones compare equal: addresses and hashes in lower case. */
function print(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return print(Object.values(value));
  return typeof value === 'string' && value.startsWith('0x') ? value.toLowerCase() : String(value);
}
