// TOK that a market's events move for a wallet: what it earned, paid, got back and was charged.
import type { Address, Market } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import type { MoveKind } from '@svc/sdk/internal/domain/moveKinds';
import type { Hex } from 'viem';
import { isWhole, type LogPlace } from './chainRow.ts';
import type { Database, Transaction } from './database.ts';
import { insertRows, queryByKeys } from './rows.ts';
import { raw, type Sql, sql } from './sql.ts';

/** The argument that names the wallet, and what the move is to it. */
const movesOf: Readonly<Record<string, readonly [wallet: string, kind: MoveKind]>> = {
  'escrowVault.Released': ['to', 'earned'],
  'escrowVault.Funded': ['payer', 'funded'],
  'escrowVault.Refunded': ['to', 'refunded'],
  'paymentGateway.AccessFeePaid': ['payer', 'accessFee'],
  'escrowVault.FeePaid': ['to', 'fromDispute'],
  'disputeCourt.DisputeBond': ['payer', 'disputeBond'],
  'disputeCourt.DisputeBondPaid': ['to', 'fromDispute'],
};

/** An amount is stored as units × 10^13 + rest: databases add both exactly, and JavaScript reads both as numbers. */
const unit = 10n ** 13n;

export async function saveMoves(tx: Transaction, events: readonly ChainEvent[]): Promise<void> {
  const rows = events.flatMap(({ contract, name, args, market, taskNumber, ...place }) => {
    const [wallet, kind] = movesOf[`${contract}.${name}`] ?? [];
    // A fee paid in credits moves no TOK.
    if (wallet === undefined || kind === undefined || args.withCredits === true) return [];
    const amount = BigInt(String(args.amount));
    return {
      blockNumber: Number(place.blockNumber),
      logIndex: place.logIndex,
      blockTime: place.blockTime,
      market,
      taskNumber: Number(taskNumber),
      account: addressKey(String(args[wallet]) as Address),
      kind,
      units: Number(amount / unit),
      rest: Number(amount % unit),
    };
  });
  await insertRows(tx, 'moves', rows, {});
}

/** Columns with the sum of the moves that a statement groups; `readSum` reads them. */
export const sumColumns = raw('CAST(SUM(units) AS TEXT) AS units, CAST(SUM(rest) AS TEXT) AS rest');

export type SumRow = { readonly units: string | number; readonly rest: string | number };

export function readSum({ units, rest }: SumRow): bigint {
  return BigInt(units) * unit + BigInt(rest);
}

const addUp = <T extends SumRow>({ units, rest, ...row }: T) => ({
  ...row,
  amount: readSum({ units, rest }),
});

export type DaySum = {
  /** Days since 1970. */
  readonly day: number;
  readonly kind: MoveKind;
  readonly amount: bigint;
  /** A block of these moves. */
  readonly blockHash: Hex;
};

export type TaskSum = { readonly taskNumber: number; readonly kind: MoveKind; readonly amount: bigint };

export type Move = {
  readonly blockNumber: number;
  readonly blockTime: number;
  readonly logIndex: number;
  readonly taskNumber: number;
  readonly txHash: Hex;
  readonly blockHash: Hex;
  readonly kind: MoveKind;
  readonly amount: bigint;
};

type Wallet = { readonly market: Market; readonly address: Address };

const day = raw('moves.block_time / 86400');
const monthSeconds = 30 * 86_400;
/** More than any block has: a place is one number. */
const logsInBlock = raw(2 ** 20);

const withEvent = raw(
  `JOIN events ON events.block_number = moves.block_number AND events.log_index = moves.log_index`,
);

export function createMoveStore(database: Database) {
  const ofWallet = ({ market, address }: Wallet) =>
    sql`${isWhole} AND moves.market = ${market}
      AND account = ${addressKey(address)}`;

  return {
    /** What moved on each day since `from`, by kind. A month at a time: a wallet may have very many moves. */
    async loadDaySums(wallet: Wallet, from: number, to: number): Promise<DaySum[]> {
      const rows: (SumRow & Omit<DaySum, 'amount'>)[] = [];
      for (let start = from; start <= to; start += monthSeconds)
        rows.push(
          ...(await database.query<(typeof rows)[number]>(
            sql`SELECT sums.day, sums.kind, sums.units, sums.rest, block_hash FROM (
                SELECT ${day} AS day, kind, MAX(block_number * ${logsInBlock} + log_index) AS place, ${sumColumns}
                FROM moves WHERE ${ofWallet(wallet)} AND block_time >= ${start}
                  AND block_time < ${start + monthSeconds} GROUP BY ${day}, kind
              ) AS sums JOIN events ON ${isWhole}
                AND events.block_number = sums.place / ${logsInBlock} AND events.log_index = sums.place % ${logsInBlock}
              ORDER BY sums.day, sums.kind`,
          )),
        );
      return rows.map(addUp);
    },

    /** What these tasks have moved for the wallet, by kind. */
    async loadTaskSums(wallet: Wallet, numbers: readonly number[]): Promise<TaskSum[]> {
      const select = (
        list: Sql,
      ) => sql`SELECT task_number, kind, ${sumColumns} FROM moves WHERE ${ofWallet(wallet)}
            AND task_number IN ${list}
          GROUP BY task_number, kind ORDER BY task_number, kind`;
      const rows = await queryByKeys<SumRow & Omit<TaskSum, 'amount'>>(database, numbers, select);
      return rows.map(addUp);
    },

    /** Newest first. */
    async loadMoves(
      wallet: Wallet,
      { before, limit }: { readonly before: LogPlace | null; readonly limit: number },
    ): Promise<Move[]> {
      const { blockNumber, logIndex } = before ?? { blockNumber: Number.MAX_SAFE_INTEGER, logIndex: 0 };
      const rows = await database.query<SumRow & Omit<Move, 'amount'>>(
        sql`SELECT moves.block_number, moves.log_index, moves.block_time, moves.task_number, tx_hash,
          block_hash, kind, units, rest
          FROM moves ${withEvent} WHERE ${ofWallet(wallet)}
            AND (moves.block_number, moves.log_index) < (${Number(blockNumber)}, ${logIndex})
          ORDER BY moves.block_number DESC, moves.log_index DESC LIMIT ${limit}`,
      );
      return rows.map(addUp);
    },
  };
}

export type MoveStore = ReturnType<typeof createMoveStore>;
