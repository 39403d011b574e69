// The table of costs and payments.
import type { ReactNode } from 'react';
import { Usd } from '../components/Money.tsx';
import type { CostLine } from './costLines.ts';

export function CostTable({ costs, children }: { costs: readonly CostLine[]; children?: ReactNode }) {
  return (
    <table className="costs">
      <caption className="hidden">Costs and payments</caption>
      <tbody>
        {costs.map(({ what, amount, note, tokWei }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two payments may have the same words
          <tr key={index}>
            <th scope="row">
              {what}
              {note !== undefined && <small className="faint">{note}</small>}
            </th>
            <td>
              {amount}
              {tokWei !== undefined && <Usd wei={tokWei} />}
            </td>
          </tr>
        ))}
        {children}
      </tbody>
    </table>
  );
}
