// An offer with all of its terms; what a counter-offer changes is marked.
import { Usd } from '#components/Money.tsx';
import { compareTexts } from '#data/differences.ts';
import { listRows, type OfferRow, paymentLabel, type ReadableOffer } from './offerRows.ts';

export function OfferCard({
  offer,
  earlier,
}: {
  readonly offer: ReadableOffer;
  /** The offer that this one replaces. */
  readonly earlier: ReadableOffer | null;
}) {
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

function Changed({ row, before }: { readonly row: OfferRow; readonly before: string }) {
  return compareTexts(before, row.value).map(({ kind, text }, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: a message does not change
    if (kind === 'removed') return <del key={index}>{text}</del>;
    // biome-ignore lint/suspicious/noArrayIndexKey: a message does not change
    if (kind === 'added') return <ins key={index}>{text}</ins>;
    // biome-ignore lint/suspicious/noArrayIndexKey: a message does not change
    return <span key={index}>{text}</span>;
  });
}
