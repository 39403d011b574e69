// The milestones of a task as they may be given: amounts in TOK, or amounts with what each is for.
import * as z from 'zod';
import { protocolConstants } from '#domain/parameters.ts';
import { textArgument, tokArgument, tokWeiArgument } from './arguments.ts';

export type Milestone = { readonly amount: bigint; readonly description?: string | undefined };

const described = z
  .strictObject({ amountTokWei: tokWeiArgument, description: textArgument.optional() })
  .transform(({ amountTokWei, description }): Milestone => ({ amount: amountTokWei, description }));

const plain = tokArgument.transform((amount): Milestone => ({ amount }));

/** A list of one is the same as none, and the contracts know only the latter. */
export const milestonesArgument = z
  .array(z.union([plain, described], { error: 'must be amounts in TOK' }), {
    error: 'must be a list of amounts',
  })
  .max(protocolConstants.maxMilestones, `are at most ${protocolConstants.maxMilestones}`)
  .default([])
  .describe('amounts in TOK that add up to the total, such as 300,700');

export function readPayment(
  total: bigint | undefined,
  given: readonly Milestone[],
): { readonly total: bigint | undefined; readonly milestones: readonly Milestone[] } {
  const sum = given.length === 0 ? undefined : given.reduce((all, { amount }) => all + amount, 0n);
  return { total: total ?? sum, milestones: given.length === 1 && (total ?? sum) === sum ? [] : given };
}
