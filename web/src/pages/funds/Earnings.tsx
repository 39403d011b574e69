// What the wallet received and paid in each month, and every payment as a file.
import { type Address, type Market, markets } from '@svc/sdk/domain';
import { useQueries } from '@tanstack/react-query';
import { Button, Failure } from '../../components/Form.tsx';
import { marketNames } from '../../components/MarketHeader.tsx';
import { Tok } from '../../components/Money.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { type Column, DataTable } from '../../components/StatsTable.tsx';
import { client } from '../../data/client.ts';
import { type MonthMoney, sumMonths, writePaymentsCsv } from '../../data/earnings.ts';
import { showUsd, toTok } from '../../data/format.ts';
import { earningsQuery } from '../../data/market.ts';
import { saveFile } from '../../data/saveFile.ts';
import { useAttempt } from '../../wallet/useAttempt.ts';

export function Earnings({ address }: { address: Address }) {
  const answers = useQueries({ queries: markets.map((market) => earningsQuery(market, address)) });
  const known = answers.flatMap(({ data }) => data ?? []);
  const months = sumMonths(known);
  if (known.length < markets.length || months.length === 0) return null;
  return (
    <Sheet title="Received and paid" note="TOK of both markets, by month">
      <DataTable
        caption={<caption className="hidden">Received and paid by month</caption>}
        columns={columns}
        rows={months}
        keyOf={({ month }) => month}
      />
      <div className="row small">
        Every payment, as CSV:
        {markets.map((market) => (
          <SaveButton key={market} market={market} address={address} />
        ))}
      </div>
    </Sheet>
  );
}

const columns: readonly Column<MonthMoney>[] = [
  { name: 'Month', value: ({ month }) => nameMonth(month) },
  {
    name: 'Received',
    value: ({ received }) => toTok(received),
    show: ({ received }) => <Tok wei={received} />,
  },
  {
    name: 'Paid',
    value: ({ paid }) => toTok(paid),
    show: ({ paid }) => <Tok wei={paid} />,
  },
  {
    name: 'Net',
    value: ({ net }) => toTok(net),
    show: ({ net }) => <Tok wei={net} />,
  },
  {
    name: 'Net, dollars of the day',
    value: ({ netUsd }) => netUsd ?? 0,
    show: ({ netUsd }) => (netUsd === null ? 'price not known' : showUsd(netUsd)),
  },
];

function nameMonth(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  return date.toLocaleDateString('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
}

function SaveButton({ market, address }: { market: Market; address: Address }) {
  const saving = useAttempt(async () => {
    const payments = [];
    let cursor: string | undefined;
    do {
      const page = await client.earnings(address, { market, limit: 100, cursor });
      payments.push(...page.payments);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    saveFile(new TextEncoder().encode(writePaymentsCsv(payments)), `svc-${market}-${address}.csv`);
  });
  return (
    <>
      <Button run={saving} busyLabel="Reading…">
        {marketNames[market]}
      </Button>
      <Failure text={saving.failure} className="error" />
    </>
  );
}
