// Entry collateral of wallets: one row for each change of a deposit, with the balance after it, since when it is at or above
// the entry, and whose money it may be. A row follows from the rows before it, so a fork only removes the newest rows.
import { type Address, type Market, marketParameters, markets } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { isShown, isWhole, type LogPlace } from './chainRow.ts';
import type { Database, Query, Transaction } from './database.ts';
import { insertRows, queryColumn, queryValue, returnsRow } from './rows.ts';
import { joinSql, raw, sql } from './sql.ts';

/** How long the collateral of a wallet must be in place before it may write to a wallet without an open task or listing. */
export const settledSeconds = 86_400;

export const collateralTables: readonly string[] = [
  // place orders the changes: block, log, and the receiving side of a slashed bond. balance is the wallet's, held the sum of
  // its market. since is null below the entry. began is the place where the holding began, also where it ends. follows is the
  // place where another holding ended, if this may be its money; free is how many new holdings may still follow this end.
  `CREATE TABLE collateral (
      place BIGINT NOT NULL,
      market TEXT NOT NULL,
      wallet TEXT NOT NULL,
      block_time BIGINT NOT NULL,
      balance TEXT NOT NULL,
      held TEXT NOT NULL,
      since BIGINT,
      began BIGINT,
      follows BIGINT,
      free BIGINT NOT NULL,
      PRIMARY KEY (place)
    )`,
  'CREATE INDEX collateral_wallet ON collateral (market, wallet, place)',
  'CREATE INDEX collateral_time ON collateral (market, block_time, place)',
  'CREATE INDEX collateral_free ON collateral (block_time, place) WHERE free > 0',
  'CREATE INDEX collateral_follows ON collateral (follows) WHERE follows IS NOT NULL',
];

/** A wallet at or above the entry collateral of a market, without a break. */
export type Holding = {
  /** Unix seconds of the block that brought it there. */
  readonly since: number;
  /** Where the holding began. */
  readonly began: number;
};

type CollateralRow = {
  place: number;
  market: Market;
  wallet: string;
  blockTime: number;
  balance: string;
  held: string;
  since: number | null;
  began: number | null;
  follows: number | null;
  free: number;
};

type Change = {
  readonly place: number;
  readonly market: Market;
  readonly wallet: string;
  readonly amount: bigint;
  readonly blockTime: number;
};

/** Exact in a number: 2^32 blocks, 2^20 logs each. */
const [logsInBlock, sidesOfLog] = [2 ** 20, 2];

function placeOf({ blockNumber, logIndex }: LogPlace): number {
  return (Number(blockNumber) * logsInBlock + logIndex) * sidesOfLog;
}

function logOf(place: number): LogPlace {
  const log = Math.floor(place / sidesOfLog);
  return { blockNumber: BigInt(Math.floor(log / logsInBlock)), logIndex: log % logsInBlock };
}

const names = ['Deposited', 'Withdrawn', 'BondSlashed'] as const;

/** What is needed of an event of a vault. */
type VaultEvent = {
  market: Market;
  name: string;
  args: string;
  blockNumber: number;
  logIndex: number;
  blockTime: number;
};

/** One large withdrawal must not follow everybody who comes after it. */
const maxFreed = 20;
/** More wallets in one walk than anybody can use in a day. */
const maxHolders = 500;

/** How many events one transaction adds: a block never waits long behind old events. */
const addedAtOnce = 500;

/** Adds rows for the events that have none yet, oldest first; returns whether more are left. */
export async function addCollateral(tx: Transaction, limit = addedAtOnce): Promise<boolean> {
  const events = await loadUnadded(tx.query, limit);
  const added: Added = { lasts: new Map(), held: new Map(), unsaved: [] };
  for (const event of events) for (const change of listChanges(event)) await addChange(tx, change, added);
  await saveAdded(tx, added);
  return events.length === limit;
}

/** Removes the rows of all later blocks. */
export const rewindAbove = (tx: Transaction, block: bigint): Promise<void> =>
  rewind(tx, placeOf({ blockNumber: block + 1n, logIndex: 0 }));

/** Removes the rows from a place on; what their holdings followed is free again. */
async function rewind(tx: Transaction, from: number): Promise<void> {
  const removed = sql`place >= ${from}`;
  if (!(await returnsRow(tx.query, sql`SELECT 1 FROM collateral WHERE ${removed} LIMIT 1`))) return;
  await tx.query(
    sql`UPDATE collateral SET free = free + (SELECT COUNT(*) FROM collateral AS later
        WHERE later.follows = collateral.place AND later.place >= ${from})
      WHERE place IN (SELECT follows FROM collateral WHERE ${removed})`,
  );
  await tx.query(sql`DELETE FROM collateral WHERE ${removed}`);
}

function listChanges({ name, market, blockTime, blockNumber, logIndex, ...event }: VaultEvent): Change[] {
  const args = JSON.parse(event.args);
  const amount = BigInt(args.amount);
  const place = placeOf({ blockNumber: BigInt(blockNumber), logIndex });
  const change = (wallet: Address, sign: bigint, side = 0): Change => ({
    place: place + side,
    market,
    wallet: addressKey(wallet),
    amount: sign * amount,
    blockTime,
  });
  if (name === 'Deposited') return [change(args.agent, 1n)];
  if (name === 'Withdrawn') return [change(args.agent, -1n)];
  return [change(args.from, -1n), change(args.to, 1n, 1)];
}

/** What one transaction has added so far: most changes then need no query. */
type Added = {
  readonly lasts: Map<string, CollateralRow>;
  readonly held: Map<Market, bigint>;
  unsaved: CollateralRow[];
};

async function saveAdded(tx: Transaction, added: Added): Promise<void> {
  await insertRows(tx, 'collateral', added.unsaved);
  added.unsaved = [];
}

async function addChange(
  tx: Transaction,
  { place, market, wallet, amount, blockTime }: Change,
  added: Added,
): Promise<void> {
  const key = `${market} ${wallet}`;
  const { entryUsdc } = marketParameters[market];
  const before = added.lasts.get(key) ?? (await loadLast(tx.query, market, wallet));
  const balance = BigInt(before?.balance ?? 0) + amount;
  const held = (added.held.get(market) ?? (await loadHeld(tx.query, market))) + amount;
  const isHeld = balance >= entryUsdc;
  const state = { since: null as number | null, began: null as number | null, follows: null, free: 0 };
  if (before !== undefined && before.since !== null) {
    state.began = before.began;
    if (isHeld) state.since = before.since;
    else state.free = Math.min(maxFreed, Math.max(1, Number(-amount / entryUsdc)));
  } else if (isHeld) Object.assign(state, { since: blockTime, began: place });
  const amounts = { balance: String(balance), held: String(held) };
  const row: CollateralRow = { place, market, wallet, blockTime, ...amounts, ...state };
  if (row.began === place) {
    await saveAdded(tx, added);
    row.follows = await takeFree(tx, blockTime);
  }
  added.lasts.set(key, row);
  added.held.set(market, held);
  added.unsaved.push(row);
}

/** The oldest end of a holding that is not too old and that new holdings may still follow. */
async function takeFree(tx: Transaction, time: number): Promise<number | null> {
  const oldest = sql`SELECT place FROM collateral WHERE free > 0
    AND block_time > ${time - settledSeconds} ORDER BY block_time, place LIMIT 1`;
  const place = await queryValue<number>(tx.query, oldest);
  if (place === undefined) return null;
  await tx.query(sql`UPDATE collateral SET free = free - 1 WHERE place = ${place}`);
  return place;
}

async function loadLast(query: Query, market: Market, wallet: string): Promise<CollateralRow | undefined> {
  const [row] = await query<CollateralRow>(
    sql`SELECT * FROM collateral WHERE market = ${market} AND wallet = ${wallet}
      ORDER BY place DESC LIMIT 1`,
  );
  return row;
}

async function loadHeld(query: Query, market: Market): Promise<bigint> {
  const last = sql`SELECT held FROM collateral WHERE market = ${market}
    ORDER BY block_time DESC, place DESC LIMIT 1`;
  return BigInt((await queryValue<string>(query, last)) ?? 0);
}

/** Events after the last row, in the order of the chain. Each kind has an index of its own, so that none is read twice. */
async function loadUnadded(query: Query, limit: number): Promise<VaultEvent[]> {
  const last = await queryValue<number | null>(query, sql`SELECT MAX(place) AS last FROM collateral`);
  const { blockNumber, logIndex } = last == null ? { blockNumber: -1n, logIndex: 0 } : logOf(last);
  const block = Number(blockNumber);
  const kinds = markets.flatMap((market) => names.map((name) => ({ market, name })));
  const selects = kinds.map(
    ({ market, name }) =>
      sql`SELECT * FROM (SELECT market, name, args, block_number, log_index, block_time
        FROM events WHERE market = ${market} AND contract = 'depositVault' AND name = ${name} AND block_number >= ${block}
        AND (block_number > ${block} OR log_index > ${logIndex})
        ORDER BY block_number, log_index LIMIT ${limit}) AS one`,
  );
  return query<VaultEvent>(
    sql`SELECT * FROM (${joinSql(selects, ' UNION ALL ')}) AS found
      ORDER BY block_number, log_index LIMIT ${limit}`,
  );
}

/** What each day of a market ended with. */
export type HeldPoint = { readonly time: number; readonly held: bigint };

const daySeconds = 86_400;

export function createCollateralStore(database: Database) {
  const { query } = database;

  return {
    isShown: (): Promise<boolean> => isShown(database),

    /** The oldest holding of the wallet. */
    async findHolding(wallet: Address): Promise<Holding | null> {
      const key = addressKey(wallet);
      const lasts = markets.map(
        (market) => sql`SELECT * FROM (SELECT since, began FROM collateral WHERE ${isWhole}
          AND market = ${market} AND wallet = ${key} ORDER BY place DESC LIMIT 1) AS ${raw(market)}`,
      );
      const rows = await query<Holding>(
        sql`SELECT since, began FROM (${joinSql(lasts, ' UNION ALL ')}) AS found WHERE since IS NOT NULL
          ORDER BY since, began LIMIT 1`,
      );
      return rows[0] ?? null;
    },

    /** The wallets whose money it may be, its own first; of the time in which what they did may still count. */
    async listHolders({ since, began }: Holding): Promise<string[]> {
      const wallets = await queryColumn<string>(
        query,
        sql`WITH RECURSIVE walk (wallet, began, hop) AS (
            SELECT wallet, began, 0 FROM collateral WHERE ${isWhole} AND place = ${began}
            UNION ALL
            SELECT ended.wallet, ended.began, walk.hop + 1 FROM walk
              JOIN collateral AS first ON ${isWhole} AND first.place = walk.began
              JOIN collateral AS ended ON ${isWhole} AND ended.place = first.follows
              WHERE walk.hop < ${maxHolders} AND ended.block_time > ${since - settledSeconds})
          SELECT wallet FROM walk ORDER BY hop`,
      );
      return [...new Set(wallets)];
    },

    /** Everyone who ever had a deposit on the market: skips from wallet to wallet, however many changes each has. */
    listDepositors: (market: Market): Promise<string[]> => {
      const next = (after: string) =>
        raw(`SELECT MIN(wallet) FROM collateral WHERE market = place.market AND wallet > ${after}`);
      return queryColumn<string>(
        query,
        sql`WITH RECURSIVE place (market) AS (SELECT CAST(${market} AS TEXT) WHERE ${isWhole}),
            named (wallet) AS (SELECT (${next("''")}) FROM place
              UNION ALL SELECT (${next('named.wallet')}) FROM named, place WHERE named.wallet IS NOT NULL)
          SELECT wallet FROM named WHERE wallet IS NOT NULL`,
      );
    },

    /** Newest first. */
    async loadDays(market: Market): Promise<HeldPoint[]> {
      const points: HeldPoint[] = [];
      let before = Number.MAX_SAFE_INTEGER;
      for (;;) {
        const [row] = await query<{ blockTime: number; held: string }>(
          sql`SELECT block_time, held FROM collateral WHERE ${isWhole} AND market = ${market}
            AND block_time < ${before} ORDER BY block_time DESC, place DESC LIMIT 1`,
        );
        if (row === undefined) return points;
        points.push({ time: row.blockTime, held: BigInt(row.held) });
        before = Math.floor(row.blockTime / daySeconds) * daySeconds;
      }
    },
  };
}

export type CollateralStore = ReturnType<typeof createCollateralStore>;
