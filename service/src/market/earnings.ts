// What a wallet received and paid in TOK, month by month and payment by payment, with the dollars of the day.
import { formatTaskId, type Market } from '@svc/sdk/domain';
import { type MoveKind, moveKinds, moveSigns } from '@svc/sdk/internal/domain/moveKinds';
import type { Hex } from 'viem';
import type { DaySum, Move, MoveStore } from '../store/moves.ts';
import type { PriceStore } from '../store/prices.ts';
import { cutPage, formatLogPlace, parseLogPlace, type WalletPage } from './listPages.ts';
import { buildMeta } from './taskLists.ts';

export type EarningsSource = {
  readonly moves: MoveStore;
  readonly prices: PriceStore;
  /** What the oracle said at a block; rejects where no node remembers it. */
  readonly readPriceAt: (blockHash: Hex) => Promise<{ readonly priceE8: bigint } | null>;
  readonly now: () => number;
};

const monthsShown = 12;
const daySeconds = 86_400;
/** Days whose price is asked for in one request. Every day is asked for once, for all who want to know. */
const askedAtOnce = 31;
/** After a day for which no node had an answer. */
const askAgainSeconds = 3_600;

export function createEarnings(source: EarningsSource) {
  const findPrices = createPriceSearch(source);
  return (request: WalletPage) => buildEarnings(source, findPrices, request);
}

async function buildEarnings(
  { moves, now }: EarningsSource,
  findPrices: ReturnType<typeof createPriceSearch>,
  request: WalletPage,
) {
  const { market, limit, cursor } = request;
  const from = firstSecond(now(), monthsShown - 1);
  const [sums, found] = await Promise.all([
    moves.loadDaySums(request, from, now()),
    moves.loadMoves(request, {
      before: cursor === undefined ? null : parseLogPlace(cursor),
      limit: limit + 1,
    }),
  ]);
  // The payments of the page first: they may be older than the months.
  const days = [
    ...found.map(({ blockTime, blockHash }) => ({ day: dayOf(blockTime), blockHash })),
    ...sums.toReversed(),
  ];
  const prices = await findPrices(days, Math.min(from, found.at(-1)?.blockTime ?? from));
  const { shown, nextCursor } = cutPage(found, limit, formatLogPlace);
  return {
    account: request.address,
    months: buildMonths(sums, prices),
    payments: shown.map((move) => buildPayment(market, move, prices)),
    count: shown.length,
    nextCursor,
    meta: buildMeta(market),
  };
}

type Prices = ReadonlyMap<number, bigint>;
type Day = Pick<DaySum, 'day' | 'blockHash'>;

function createPriceSearch({ prices, readPriceAt, now }: EarningsSource) {
  const failedAt = new Map<number, number>();

  /** The prices that are known, after asking for some that are not. */
  return async (days: readonly Day[], from: number): Promise<Prices> => {
    const known = await prices.loadPrices(dayOf(from));
    const isMissing = ({ day }: Day) => !known.has(day) && now() - (failedAt.get(day) ?? 0) > askAgainSeconds;
    const missing = new Map(days.filter(isMissing).map(({ day, blockHash }) => [day, blockHash]));
    const fresh = new Map<number, bigint>();
    const ask = async ([day, hash]: [number, Hex]) => {
      const price = await readPriceAt(hash).catch(() => null);
      if (price === null) failedAt.set(day, now());
      else fresh.set(day, price.priceE8);
    };
    await Promise.all([...missing].slice(0, askedAtOnce).map(ask));
    if (fresh.size > 0) await prices.savePrices(fresh);
    return new Map([...known, ...fresh]);
  };
}

function buildMonths(sums: readonly DaySum[], prices: Prices) {
  const byMonth = Map.groupBy(sums, ({ day }) => monthOf(day * daySeconds));
  return [...byMonth]
    .map(([month, days]) => {
      const totals = Object.fromEntries(
        moveKinds.map((kind) => [
          kind,
          days.filter((one) => one.kind === kind).reduce((sum, { amount }) => sum + amount, 0n),
        ]),
      ) as Record<MoveKind, bigint>;
      const net = moveKinds.reduce((sum, kind) => sum + totals[kind] * BigInt(moveSigns[kind]), 0n);
      const cents = days.map(({ day, kind, amount }) => {
        const price = prices.get(day);
        return price === undefined ? null : amount * price * BigInt(moveSigns[kind]);
      });
      return {
        month,
        ...Object.fromEntries(moveKinds.map((kind) => [`${kind}TokWei`, String(totals[kind])])),
        netTokWei: String(net),
        netUsd: cents.includes(null)
          ? null
          : toUsd(cents.reduce<bigint>((sum, one) => sum + (one ?? 0n), 0n)),
      };
    })
    .toReversed();
}

function buildPayment(market: Market, move: Move, prices: Prices) {
  const { kind, amount, blockTime, taskNumber, txHash } = move;
  const price = prices.get(dayOf(blockTime));
  return {
    taskId: formatTaskId({ market, number: BigInt(taskNumber) }),
    kind,
    amountTokWei: String(amount),
    usd: price === undefined ? null : toUsd(amount * price),
    time: blockTime,
    txHash,
  };
}

/** An amount in wei times a price with eight decimals, in dollars and cents. */
function toUsd(product: bigint): number {
  return Number(product / 10n ** 24n) / 100;
}

function dayOf(time: number): number {
  return Math.floor(time / daySeconds);
}

function monthOf(time: number): string {
  return new Date(time * 1_000).toISOString().slice(0, 7);
}

/** The first second of the month that lies this many months back. */
function firstSecond(now: number, monthsBefore: number): number {
  const date = new Date(now * 1_000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsBefore, 1) / 1_000;
}
