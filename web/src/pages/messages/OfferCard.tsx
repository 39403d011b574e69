// An offer with all of its terms, as people read them; what a counter-offer changes is marked.
import { type Address, isSameAddress, milestoneNumber } from '@svc/sdk/domain';
import type { Offer, SignedEnvelope } from '@svc/sdk/negotiation';
import { Usd } from '../../components/Money.tsx';
import { Fold } from '../../components/Sheet.tsx';
import { compareTexts } from '../../data/differences.ts';
import { showExactDuration, showMoment, showTok } from '../../data/format.ts';
import { useWallet } from '../../wallet/useWallet.tsx';

/** `earlier` is the offer that this one replaces. */
type OfferCardProps = { offer: ReadableOffer; earlier: ReadableOffer | null };

export function OfferCard({ offer, earlier }: OfferCardProps) {
  const rows = listRows(offer, earlier, useWallet()?.address);
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
      {changes === 0 ? (
        <OfferRows rows={rows} offer={offer} />
      ) : (
        <>
          <OfferRows rows={rows.filter(({ before }) => before !== null)} offer={offer} />
          <Fold title={<span className="small">The terms that stay</span>}>
            <OfferRows rows={rows.filter(({ before }) => before === null)} offer={offer} />
          </Fold>
        </>
      )}
    </>
  );
}

function OfferRows({ rows, offer }: { rows: readonly OfferRow[]; offer: ReadableOffer }) {
  return (
    <dl className="rows offer">
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

/** An offer, or its payload in a message. */
export type ReadableOffer = Pick<Offer, 'terms' | 'document'>;

type OfferRow = { readonly label: string; readonly value: string; readonly before: string | null };

/** `before` is null in rows that did not change, and everywhere in a first offer. */
function listRows(
  offer: ReadableOffer,
  earlier: ReadableOffer | null,
  own: Address | undefined,
): readonly OfferRow[] {
  const [now, then] = [readRows(offer, own), earlier === null ? null : readRows(earlier, own)];
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

function readRows({ terms, document }: ReadableOffer, own?: Address): ReadonlyMap<string, string> {
  const rows = new Map<string, string>();
  const add = (label: string, value: string) => {
    if (value !== '') rows.set(label, value);
  };
  add('Title', document.title);
  // Whoever writes the offer chooses the sides.
  if (own !== undefined && isSameAddress(terms.poster as Address, own))
    add('You are', 'the poster: you pay the worker');
  if (own !== undefined && isSameAddress(terms.worker as Address, own))
    add('You are', 'the worker: the poster pays you');
  add(paymentLabel, `${showTok(terms.totalAmountTokWei)} TOK`);
  add('Description', document.description);
  add('Acceptance criteria', document.criteria);
  for (const [index, { amountTokWei }] of terms.milestones.entries()) {
    const text = document.milestones[index] ?? '';
    add(
      `Milestone ${milestoneNumber(index)}`,
      `${showTok(amountTokWei)} TOK${text === '' ? '' : `: ${text}`}`,
    );
  }
  add('Market', terms.market);
  add('Deadline', showMoment(terms.deadline));
  add(
    'Review',
    `${showExactDuration(terms.reviewPeriod)} for each delivery; after that it counts as accepted`,
  );
  add(endLabel, showMoment(terms.acceptBy));
  add('Public?', terms.scope === 'open' ? 'open: the words go on chain' : 'private: only hashes go on chain');
  return rows;
}

/** Of an offer's message: the code that read it from the mailbox has checked its payload. */
export function readOffer({ payload }: SignedEnvelope['envelope']): ReadableOffer {
  return payload as unknown as ReadableOffer;
}
