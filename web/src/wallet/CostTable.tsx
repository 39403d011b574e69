// The table of costs and payments.
import type { ReactNode } from 'react';
import { formatEther } from 'viem';
import type { Cost } from './plan.ts';

export function CostTable({
  costs,
  children,
}: {
  readonly costs: readonly Cost[];
  readonly children?: ReactNode;
}) {
  return (
    <table className="costs">
      <caption className="hidden">Costs and payments</caption>
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
export function gasCost(wei: bigint, count: number, source = 'your wallet shows the exact cost'): Cost {
  const note = `${count} ${count === 1 ? 'transaction' : 'transactions'}; ${source}`;
  return { what: 'Gas', amount: `≈ ${showRoundEth(wei)} ETH`, note };
}

/** Two digits, because it is an estimate. */
function showRoundEth(wei: bigint): string {
  return Number(formatEther(wei)).toLocaleString('en-US', { maximumSignificantDigits: 2 });
}
