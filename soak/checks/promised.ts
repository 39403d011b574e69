// Checks of what the servers promise: nobody pays for nothing or gets for nothing, and /health is true.
import pg from 'pg';
import { testUsdcAbi } from '#contracts/generated/abi/testUsdc.ts';
import { usdcAddress } from '#service/devnet/canonical.ts';
import type { Answer, Journal } from '../journal.ts';
import type { Setup } from '../setup.ts';
import { type Check, seconds } from './recorded.ts';

export type JudgedPayment = Journal['payments'][number] & {
  /** Whether the chain has taken the money. */
  readonly isCharged: boolean;
  /** The state of its row, and the authorization whose money it took over. */
  readonly state: string | null;
  readonly paidNonce: string | null;
};

export async function collectPayments(
  { client, databaseUrl }: Setup,
  { payments }: Pick<Journal, 'payments'>,
): Promise<JudgedPayment[]> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const { rows } = await database.query('SELECT payer, nonce, state, paid_nonce FROM own.payments');
  await database.end();
  const rowOf = new Map(rows.map((row) => [`${row.payer} ${row.nonce}`, row]));
  return Promise.all(
    payments.map(async (payment) => {
      const args = [payment.payer, payment.nonce] as const;
      const usdc = { address: usdcAddress, abi: testUsdcAbi, functionName: 'authorizationState' } as const;
      const row = rowOf.get(`${payment.payer} ${payment.nonce}`.toLowerCase());
      const isCharged = await client.readContract({ ...usdc, args });
      return { ...payment, isCharged, state: row?.state ?? null, paidNonce: row?.paid_nonce ?? null };
    }),
  );
}

/** A payment of these states was answered, pays for something else, waits for its payer, or goes back. */
const keptStates = ['settling', 'settled', 'answered', 'moved', 'refunding', 'refunded'];

export function checkPayments(
  payments: readonly JudgedPayment[],
  { forked }: Pick<Journal, 'forked'>,
): Check {
  const charged = payments.filter(({ isCharged }) => isCharged);
  const lost = charged.filter(({ isGranted, state }) => !isGranted && !keptStates.includes(state ?? ''));
  const free = payments.filter(
    ({ isGranted, isCharged, paidNonce }) => isGranted && !isCharged && paidNonce === null,
  );
  // One block confirms a payment here, so a fork may take it back.
  const isForked = ({ at }: JudgedPayment) => forked.some(({ from, to }) => from <= at.to && at.from <= to);
  const wrong = free.filter((payment) => !isForked(payment));
  const tell = (what: string) => (payment: JudgedPayment) =>
    `${seconds(payment.at.from)} ${payment.payer}, ${payment.nonce}: ${what}, its row is ${payment.state}`;
  return {
    name: 'Nobody is charged without an answer or a credit, and nobody gets for nothing',
    violations: [
      ...lost.map(tell('charged for nothing')),
      ...wrong.map(tell('granted without payment')),
      ...(payments.length === 0 ? ['nobody paid, so nothing is proven'] : []),
    ],
    basis: `${payments.length} payments, ${charged.length} charged; ${charged.filter(({ isGranted }) => !isGranted).length} of them kept for their payer; a fork took back ${free.length - wrong.length} that were granted`,
  };
}

/** Reads of rows: everything else may need a chain that is broken. */
const rowReads = /^GET \/api\/(market\/|get-market-ledger|posting\/quota)/;
/** /health looks again every few seconds. */
const graceMs = 6_000;

/** A server whose reads of rows keep failing says that it is not ready. */
export function checkHealth({ answers, health }: Pick<Journal, 'answers' | 'health'>): Check {
  const violations: string[] = [];
  for (const [server, samples] of Map.groupBy(health, ({ server: name }) => name)) {
    const reads = answers
      .filter((answer) => answer.server === server && rowReads.test(answer.what) && answer.status > 0)
      .toSorted((left, right) => left.to - right.to);
    let failingSince: number | null = null;
    for (const { to, status, what } of reads as Answer[]) {
      failingSince = status < 500 ? null : (failingSince ?? to);
      if (failingSince === null || to - failingSince < graceMs) continue;
      const from = failingSince + graceMs / 2;
      const meanwhile = samples.filter(({ at }) => at >= from && at <= to);
      if (meanwhile.length > 1 && meanwhile.every(({ isReady }) => isReady))
        violations.push(`${seconds(to)} ${server} says that it is ready, and ${what} is ${status}`);
    }
  }
  const notReady = health.filter(({ isReady }) => !isReady).length;
  return {
    name: 'No server says that it is ready while its reads fail',
    violations,
    basis: `${health.length} answers of /health, ${notReady} of them not ready`,
  };
}
