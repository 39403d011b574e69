// What moves and what it costs, line by line, in a table.
import type { ReactNode } from 'react';
import { formatEther } from 'viem';
import type { Cost } from './plan.ts';

export function CostTable({
  costs,
  children,
}: {
  readonly costs: readonly Cost[];
  /** Further rows. */
  readonly children?: ReactNode;
}) {
  return (
    <table className="costs">
      <caption className="hidden">What moves, and what it costs</caption>
      <tbody>
        {costs.map(({ what, amount, note }) => (
          <tr key={what}>
            <th scope="row">
              {what}
              {note !== undefined && <small className="faint">{note}</small>}
            </th>
            <td>{amount}</td>
          </tr>
        ))}
        {children}
      </tbody>
    </table>
  );
}

/** Of all transactions together. */
export function gasCost(wei: bigint, count: number, source = 'the wallet says exactly'): Cost {
  const note = `${count} ${count === 1 ? 'transaction' : 'transactions'}; ${source}`;
  return { what: 'Gas', amount: `≈ ${showRoundEth(wei)} ETH`, note };
}

/** An estimate says so by having two digits. */
function showRoundEth(wei: bigint): string {
  return Number(formatEther(wei)).toLocaleString('en-US', { maximumSignificantDigits: 2 });
}
