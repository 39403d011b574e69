// What an offer changes against the one before it: every term and every word, for people to compare before they sign.
import { milestoneNumber } from '../domain/task.ts';
import type { Offer } from './negotiation.ts';

export type OfferChange = {
  /** A field of the terms or of the task document. */
  readonly field: string;
  /** Null where it was absent, or is now. */
  readonly before: unknown;
  readonly after: unknown;
};

/** Hashes and the salt follow from other fields, or say nothing to people. */
const derived = ['milestonesHash', 'criteriaHash', 'settlementDigest', 'salt', 'blind', 'schema'];

/** Empty when the same terms are offered again. */
export function listChanges(before: Pick<Offer, 'terms' | 'document'>, after: typeof before): OfferChange[] {
  return [
    ...compare(before.terms, after.terms, 'milestones'),
    ...compare(before.terms.milestones, after.terms.milestones, undefined, 'milestone amount'),
    ...compare(before.document, after.document, 'milestones'),
    ...compare(before.document.milestones, after.document.milestones, undefined, 'milestone text'),
  ];
}

type Fields = Readonly<Record<string, unknown>> | readonly unknown[];

function compare(before: Fields, after: Fields, without: string | undefined, list?: string): OfferChange[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  return names.flatMap((name) => {
    const [one, other] = [old.get(name) ?? null, now.get(name) ?? null];
    if (name === without || derived.includes(name) || JSON.stringify(one) === JSON.stringify(other))
      return [];
    const field = list === undefined ? name : `${list} ${milestoneNumber(Number(name))}`;
    return [{ field, before: one, after: other }];
  });
}
