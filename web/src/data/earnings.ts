// What a wallet received and paid: in each task, by month, and as a file.
import { formatTok, parseTok } from '@svc/sdk/domain';
import type { Earnings } from '@svc/sdk/internal/client/createMarketClient';
import { moveSigns } from '@svc/sdk/internal/domain/moveKinds';
import type { Concern } from './ownTasks.ts';

/** What came back out of escrow, or of the own dispute bond, was not paid; what came beyond the bond is income. */
export function readMoney(moved: Concern['moved']) {
  const sum = (kind: Concern['moved'][number]['kind']) =>
    moved.reduce((total, one) => (one.kind === kind ? total + parseTok(one.amount) : total), 0n);
  const positive = (value: bigint) => (value > 0n ? value : 0n);
  const [returned, bond] = [sum('refunded'), sum('fromDispute') - sum('disputeBond')];
  return {
    received: sum('earned') + positive(bond),
    paid: positive(sum('funded') - returned) + sum('accessFee') + positive(-bond),
    /** Out of escrow. */
    returned,
  };
}

export type MonthMoney = ReturnType<typeof sumMonths>[number];

/** Both markets together, newest first. What came back to a poster is no income, it was paid less. */
export function sumMonths(earnings: readonly Earnings[]) {
  const byMonth = Map.groupBy(
    earnings.flatMap(({ months }) => months),
    ({ month }) => month,
  );
  return [...byMonth]
    .map(([month, parts]) => {
      const sum = (read: (part: Earnings['months'][number]) => bigint) =>
        parts.reduce((total, part) => total + read(part), 0n);
      return {
        /** Such as 2026-11. */
        month,
        received: sum((part) => BigInt(part.earnedTokWei) + BigInt(part.fromDisputeTokWei)),
        paid: sum(
          (part) =>
            BigInt(part.fundedTokWei) -
            BigInt(part.refundedTokWei) +
            BigInt(part.accessFeeTokWei) +
            BigInt(part.disputeBondTokWei),
        ),
        net: sum(({ netTokWei }) => BigInt(netTokWei)),
        /** Null where a price of that month is not known. */
        netUsd: parts.some(({ netUsd }) => netUsd === null)
          ? null
          : parts.reduce((total, { netUsd }) => total + (netUsd ?? 0), 0),
      };
    })
    .sort((one, other) => other.month.localeCompare(one.month));
}

type Payment = Earnings['payments'][number];

const columns = ['time', 'task', 'kind', 'TOK', 'dollars of the day', 'transaction'];

/** One row for each payment. No field holds words of users, so none needs quotes or could be a formula. */
export function writePaymentsCsv(payments: readonly Payment[]): string {
  const rows = payments.map(({ time, taskId, kind, amountTokWei, usd, txHash }) => {
    const sign = moveSigns[kind] < 0 ? '-' : '';
    const dollars = usd === null ? '' : `${sign}${usd.toFixed(2)}`;
    return [
      new Date(time * 1_000).toISOString(),
      taskId,
      kind,
      sign + formatTok(BigInt(amountTokWei)),
      dollars,
      txHash,
    ];
  });
  return [columns, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}
