// An offer with all of its terms; what a counter-offer changes is marked.
import { Usd } from '#components/Money.tsx';
import { compareTexts } from '#data/differences.ts';
import { listRows, type OfferRow, paymentLabel, type ReadableOffer } from './offerRows.ts';

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
