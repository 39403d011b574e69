// The terms of an offer as rows that people read, and what changed since the offer before.
import { milestoneNumber } from '@svc/sdk/domain';
import type { TermsDocument } from '@svc/sdk/schemas';
import { showTok } from '#data/format.ts';
import { showDuration, showMoment } from '#data/time.ts';

export type OfferWords = {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly criteria?: string | undefined;
  readonly milestones?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
};

export type ReadableOffer = {
  readonly terms: TermsDocument;
  readonly words: OfferWords;
  /** As it came with the offer; its hash is in the terms. */
  readonly document?: unknown;
};

export type OfferRow = { readonly label: string; readonly value: string; readonly before: string | null };

/** `before` is null in rows that did not change, and everywhere in a first offer. */
export function listRows(offer: ReadableOffer, earlier: ReadableOffer | null): readonly OfferRow[] {
  const [now, then] = [readRows(offer), earlier === null ? null : readRows(earlier)];
  const labels = [...new Set([...now.keys(), ...(then?.keys() ?? [])])];
  return labels.map((label) => {
    const value = now.get(label) ?? '';
    const before = then === null || label === endLabel ? value : (then.get(label) ?? '');
    return { label, value, before: before === value ? null : before };
  });
}

export const paymentLabel = 'Payment';
/** Every offer has another end, so that is no change of the terms. */
const endLabel = 'Accept until';

function readRows({ terms, words }: ReadableOffer): ReadonlyMap<string, string> {
  const rows = new Map<string, string>();
  const add = (label: string, value: string | undefined) => {
    if (value !== undefined && value !== '') rows.set(label, value);
  };
  add('Title', words.title);
  add('Description', words.description);
  add('Acceptance criteria', words.criteria);
  add(paymentLabel, `${showTok(terms.totalAmountTokWei)} TOK`);
  for (const [index, { amountTokWei }] of terms.milestones.entries()) {
    const text = words.milestones?.[index] ?? '';
    add(
      `Milestone ${milestoneNumber(index)}`,
      `${showTok(amountTokWei)} TOK${text === '' ? '' : `: ${text}`}`,
    );
  }
  add('Deadline', showMoment(terms.deadline));
  add('Review', `${showDuration(terms.reviewPeriod)} for each delivery`);
  add(endLabel, showMoment(terms.acceptBy));
  add('Public?', terms.scope === 'open' ? 'open: the words go on chain' : 'private: only hashes go on chain');
  return rows;
}

/** The words travel beside the terms; the envelope's check has compared them with the hash in the terms. */
export function readOffer(payload: Readonly<Record<string, unknown>>): ReadableOffer {
  const terms = payload.terms as TermsDocument;
  const document = (payload.document ?? {}) as Readonly<Record<string, unknown>>;
  const textOf = (name: string) => (typeof document[name] === 'string' ? document[name] : undefined);
  const listOf = (name: string) => (Array.isArray(document[name]) ? document[name].map(String) : undefined);
  return {
    terms,
    document: payload.document,
    words: {
      title: textOf('title'),
      description: textOf('description'),
      criteria: textOf('criteria'),
      milestones: listOf('milestones'),
      tags: listOf('tags'),
    },
  };
}
