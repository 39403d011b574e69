// Who has a part in the market, from the rows alone: entry collateral, tasks and arbitrators. No RPC.
import { type Address, type Market, markets, SvcError, type Task } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { isShown, isWhole, ofMarket } from './chainRow.ts';
import { createCollateralStore, type Holding } from './collateral.ts';
import { type Database, type Dialect, jsonText } from './database.ts';
import { keepFor } from './keepFor.ts';
import { queryColumn, returnsRow } from './rows.ts';
import { joinSql, raw, sql } from './sql.ts';
import { decodeTask } from './taskRow.ts';

export type StandingStore = ReturnType<typeof createStandingStore>;

/** Every message asks: the rows are read once for each block. The time limit is for a process that sees no new block. */
const maxAgeMs = 2_000;

const arbitratorOf = (dialect: Dialect) => `lower(${jsonText(dialect, 'args', 'arbitrator')})`;
const namesArbitrator = `name IN ('ArbitratorRegistered', 'ArbitratorAssigned', 'FallbackAccepted')`;

/** Who was ever named to decide a dispute, or registered for it, is found by its wallet. */
export function indexArbitrators(dialect: Dialect): string {
  return `CREATE INDEX events_arbitrator ON events (market, (${arbitratorOf(dialect)}))
    WHERE contract = 'disputeCourt' AND ${namesArbitrator}`;
}

/** What lets a wallet open a conversation with another. */
export type Standing =
  /** They share a task, as parties or as party and judge. */
  | { readonly kind: 'shared' }
  | {
      readonly kind: 'collateral';
      /** Unix seconds: at or above the entry without a break since then. */
      readonly since: number;
      /** The wallets whose money it may be, this one first. */
      readonly holders: readonly string[];
      /** Whether the other wallet has an open task or a live listing: it looks for people whom it does not know. */
      readonly isLookedFor: boolean;
    };

/**
 * `judges` decide disputes without being registered: the first fallback arbitrator. Later ones are in the events. `blockOf`
 * names the newest block whose rows are here: a wallet that has just paid in must not be refused by what was read before.
 */
export function createStandingStore(database: Database, judges: readonly Address[], blockOf: () => unknown) {
  const keep = <T>(read: () => Promise<T>) => keepFor(maxAgeMs, read, blockOf);
  const judgeOf = raw(jsonText(database.dialect, 'task', 'dispute.judge'));
  const rulerOf = raw(jsonText(database.dialect, 'args', 'arbitrator'));
  const of = (market: Market) => ofMarket(market);
  const arbitrator = raw(arbitratorOf(database.dialect));
  const judgeKeys = new Set(judges.map(addressKey));
  const collateral = createCollateralStore(database);
  const isCollateralKnown = keep(collateral.isShown);
  const disputes = keep(loadDisputes);

  /** The pairs of poster, worker and judge in live disputes, in both orders. */
  async function loadDisputes(): Promise<ReadonlySet<string>> {
    const pairs = new Set<string>();
    for (const market of markets) {
      const rows = await database.query<{ poster: string; worker: string | null; judge: string | null }>(
        sql`SELECT poster, worker, lower(${judgeOf}) AS judge FROM tasks WHERE ${of(market)}
          AND state = 'DISPUTED' AND state IN ('POSTED', 'CLAIMED', 'ACTIVE', 'DELIVERED', 'DISPUTED')`,
      );
      for (const { poster, worker, judge } of rows) {
        const wallets = [poster, worker, judge].filter((wallet) => wallet !== null);
        for (const one of wallets) for (const other of wallets) pairs.add(`${one} ${other}`);
      }
    }
    return pairs;
  }

  /** Whether it was ever named to decide a dispute of the market, or registered for it. */
  async function isArbitrator(wallet: Address, market: Market): Promise<boolean> {
    const key = addressKey(wallet);
    if (judgeKeys.has(key)) return true;
    const named = sql`SELECT 1 FROM events WHERE ${of(market)} AND contract = 'disputeCourt'
      AND ${raw(namesArbitrator)} AND ${arbitrator} = ${key} LIMIT 1`;
    return returnsRow(database.query, named);
  }

  /** Null where there is none. Throws NOT_READY while the rows cannot tell. */
  async function findHolding(wallet: Address): Promise<Holding | null> {
    if (!(await isCollateralKnown())) throw new SvcError('NOT_READY', {});
    return collateral.findHolding(wallet);
  }

  /** Whether anybody may write to it with a question: it has an open task or a live listing. */
  async function isLookedFor(wallet: Address): Promise<boolean> {
    const poster = addressKey(wallet);
    // The + keeps SQLite on the index by poster.
    return returnsRow(
      database.query,
      sql`SELECT 1 FROM tasks WHERE ${isWhole} AND market IN ('standard', 'micro')
          AND poster = ${poster} AND state = 'POSTED' AND scope = 'open'
          AND +deadline >= (SELECT head_time FROM chain)
        UNION ALL SELECT 1 FROM listings WHERE poster = ${poster} AND is_live = 1
        LIMIT 1`,
    );
  }

  /** Tasks in which one of them is poster or worker, and the other is poster, worker, judge, or the judge who has ruled. */
  async function loadShared(left: Address, right: Address): Promise<Task[]> {
    const found: Task[] = [];
    for (const market of markets) {
      for (const [one, other] of [
        [addressKey(left), addressKey(right)],
        [addressKey(right), addressKey(left)],
      ] as const) {
        const asParties = sql`SELECT task FROM tasks WHERE ${of(market)} AND poster = ${one}
          AND worker = ${other}`;
        const asJudge = (party: string) =>
          sql`SELECT task FROM tasks WHERE ${of(market)} AND ${raw(party)} = ${one}
            AND (lower(${judgeOf}) = ${other}
             OR EXISTS (SELECT 1 FROM events WHERE ${of(market)} AND task_number = tasks.number
               AND name = 'DisputeResolved' AND lower(${rulerOf}) = ${other}))`;
        const selects = (await isArbitrator(other, market))
          ? [asParties, asJudge('poster'), asJudge('worker')]
          : [asParties];
        const tasks = await queryColumn<string>(database.query, joinSql(selects, ' UNION '));
        found.push(...tasks.map(decodeTask));
      }
    }
    return found;
  }

  return {
    loadShared,
    isShown: () => isShown(database),

    /** Null where the wallet has neither. Throws NOT_READY while the rows are incomplete. */
    async findStanding(wallet: Address, other: Address): Promise<Standing | null> {
      if ((await loadShared(wallet, other)).length > 0) return { kind: 'shared' };
      const holding = await findHolding(wallet);
      if (holding === null) return null;
      return {
        kind: 'collateral',
        since: holding.since,
        holders: await collateral.listHolders(holding),
        isLookedFor: await isLookedFor(other),
      };
    },

    /** Whether the wallet has proposed to a live listing of the other one. */
    hasProposed: (wallet: Address, poster: Address): Promise<boolean> =>
      returnsRow(
        database.query,
        sql`SELECT 1 FROM listing_proposers JOIN listings USING (id) WHERE wallet = ${addressKey(wallet)} AND poster = ${addressKey(poster)} AND is_live = 1 LIMIT 1`,
      ),

    /** Whether the two are parties, or party and judge, of a live dispute. */
    isInDispute: async (one: Address, other: Address): Promise<boolean> =>
      (await disputes()).has(`${addressKey(one)} ${addressKey(other)}`),

    /** Throws NOT_READY while the rows cannot tell. */
    hasCollateral: async (wallet: Address): Promise<boolean> => (await findHolding(wallet)) !== null,

    /** Collateral, a task, or a place among the arbitrators. Throws NOT_READY while the rows are incomplete. */
    async isMember(wallet: Address): Promise<boolean> {
      for (const market of markets) {
        if (await isArbitrator(wallet, market)) return true;
        const ofParty = (party: string) =>
          sql`SELECT number FROM tasks WHERE ${of(market)} AND ${raw(party)} = ${addressKey(wallet)}`;
        const own = sql`${ofParty('poster')} UNION ALL ${ofParty('worker')} LIMIT 1`;
        if (await returnsRow(database.query, own)) return true;
      }
      return (await findHolding(wallet)) !== null;
    },
  };
}
