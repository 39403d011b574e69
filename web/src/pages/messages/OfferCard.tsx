// An offer with all of its terms, as people read them; what a counter-offer changes is marked.
import { milestoneNumber } from '@svc/sdk/domain';
import type { TermsDocument } from '@svc/sdk/schemas';
import { Usd } from '#components/Money.tsx';
import { compareTexts } from '#data/differences.ts';
import { showTok } from '#data/format.ts';
import { showDuration, showMoment } from '#data/time.ts';

type OfferCardProps = {
  offer: ReadableOffer;
  /** The offer that this one replaces. */
  earlier: ReadableOffer | null;
};

export function OfferCard({ offer, earlier }: OfferCardProps) {
  const rows = listRows(offer, earlier);
  const changes = rows.filter(({ before }) => before !== null).length;
  return (
    <>
      {earlier !== null && (
        <p className="small">
          {changes === 0
            ? 'The terms are the same as before.'
            : `${changes} ${changes === 1 ? 'term differs' : 'terms differ'} from the offer before.`}
        </p>
      )}
      <dl className="offer">
        {rows.map((row) => (
          <div key={row.label} data-is={row.before === null ? undefined : 'changed'}>
            <dt>{row.label}</dt>
            <dd dir="auto">
              {row.before === null ? row.value : <Changed row={row} before={row.before} />}
              {row.label === paymentLabel && <Usd wei={offer.terms.totalAmountTokWei} />}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const tags = { removed: 'del', added: 'ins', same: 'span' } as const;

function Changed({ row, before }: { row: OfferRow; before: string }) {
  return compareTexts(before, row.value).map(({ kind, text }, index) => {
    const Tag = tags[kind];
    // biome-ignore lint/suspicious/noArrayIndexKey: a message does not change
    return <Tag key={index}>{text}</Tag>;
  });
}

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

type OfferRow = { readonly label: string; readonly value: string; readonly before: string | null };

/** `before` is null in rows that did not change, and everywhere in a first offer. */
function listRows(offer: ReadableOffer, earlier: ReadableOffer | null): readonly OfferRow[] {
  const [now, then] = [readRows(offer), earlier === null ? null : readRows(earlier)];
  const labels = [...new Set([...now.keys(), ...(then?.keys() ?? [])])];
  return labels.map((label) => {
    const value = now.get(label) ?? '';
    const before = then === null || label === endLabel ? value : (then.get(label) ?? '');
    return { label, value, before: before === value ? null : before };
  });
}

const paymentLabel = 'Payment';
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
