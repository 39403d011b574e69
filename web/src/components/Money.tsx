// Amounts of money: exact TOK, approximate USD in grey, and a bar that shows where a task's money is.
import { useTokPrice } from '#data/client.ts';
import { describeEscrow, type Escrow, type Part, partsOf } from '#data/escrow.ts';
import { showTok, showUsd, toTok } from '#data/format.ts';

export function Tok({ wei, hasUsd = false }: { readonly wei: string | bigint; readonly hasUsd?: boolean }) {
  const price = useTokPrice();
  return (
    <span className="tok">
      {showTok(wei)} <span className="unit">TOK</span>
      {hasUsd && price !== null && <span className="usd"> ≈ {showUsd(toTok(wei) * price)}</span>}
    </span>
  );
}

/** The bar alone, for table rows; the label lists its parts. */
export function MoneyBar({ escrow }: { readonly escrow: Escrow }) {
  const parts = partsOf(escrow);
  const total = BigInt(escrow.totalAmountTokWei);
  const label = describeEscrow(escrow);
  return (
    <span className="bar" role="img" aria-label={label} title={label}>
      {parts.map(({ name, wei }) => (
        <span key={name} data-part={name} style={{ width: `${shareOf(wei, total)}%` }} />
      ))}
    </span>
  );
}

/** The bar with its figures. */
export function MoneyTable({ escrow }: { readonly escrow: Escrow }) {
  const total = BigInt(escrow.totalAmountTokWei);
  const missing = total - BigInt(escrow.fundedTokWei);
  return (
    <div className="money">
      <p className="total">
        <Tok wei={total} hasUsd />
      </p>
      <MoneyBar escrow={escrow} />
      <dl>
        {partsOf(escrow).map(({ name, wei }) => (
          <div key={name}>
            <dt data-part={name}>{partNames[name]}</dt>
            <dd>
              <Tok wei={wei} />
            </dd>
          </div>
        ))}
        {missing > 0n && (
          <div>
            <dt data-part="missing">Not funded</dt>
            <dd>
              <Tok wei={missing} />
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}

const partNames: Readonly<Record<Part, string>> = {
  released: 'Paid to the worker',
  locked: 'Locked in escrow',
  refunded: 'Back to the poster',
  fees: 'Fee of a dispute',
};

function shareOf(wei: bigint, total: bigint): number {
  return total === 0n ? 0 : Number((wei * 10_000n) / total) / 100;
}
