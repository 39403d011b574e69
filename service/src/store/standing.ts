// Who has a part in the market, from the rows alone: entry collateral, tasks and arbitrators. No RPC.
import { type Address, type Market, marketParameters, markets, SvcError, type Task } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { loadWholeGeneration, shownGeneration } from './chainRow.ts';
import { type Database, jsonText } from './database.ts';
import { type EventRow, parseEventRow } from './eventRows.ts';
import { keepFor } from './keepFor.ts';
import { decodeTask } from './taskRow.ts';

export type StandingStore = ReturnType<typeof createStandingStore>;

/** Every message asks; blocks come every two seconds. */
const maxAgeMs = 2_000;

const ofMarket = `generation = ${shownGeneration(1)} AND market = $2`;

type Members = {
  /** Wallets with the entry collateral of this market. */
  readonly depositors: ReadonlySet<string>;
  /** Everyone who was ever named to decide a dispute, or registered for it. */
  readonly arbitrators: ReadonlySet<string>;
};

/** `judges` decide disputes without being registered: the first fallback arbitrator. Later ones are in the events. */
export function createStandingStore(database: Database, identity: string, judges: readonly Address[]) {
  const judgeOf = jsonText(database.dialect, 'task', 'dispute.judge');
  const rulerOf = jsonText(database.dialect, 'args', 'arbitrator');
  const membersOf: Readonly<Record<Market, () => Promise<Members>>> = {
    standard: keepFor(maxAgeMs, () => loadMembers('standard')),
    micro: keepFor(maxAgeMs, () => loadMembers('micro')),
  };

  async function loadMembers(market: Market): Promise<Members> {
    const rows = await database.query<EventRow>(
      `SELECT * FROM events WHERE ${ofMarket}
         AND (contract = 'depositVault' AND name IN ('Deposited', 'Withdrawn', 'BondSlashed')
           OR contract = 'disputeCourt' AND name IN ('ArbitratorRegistered', 'ArbitratorAssigned', 'FallbackAccepted'))
       ORDER BY block_number, log_index`,
      [identity, market],
    );
    const events = rows.map(parseEventRow);
    const balances = sumBalances(events.filter(({ contract }) => contract === 'depositVault'));
    const { entryUsdc } = marketParameters[market];
    const depositors = [...balances].filter(([, balance]) => balance >= entryUsdc).map(([wallet]) => wallet);
    const arbitrators = events
      .filter(({ contract }) => contract === 'disputeCourt')
      .map(({ args }) => keyOf(args.arbitrator));
    return { depositors: new Set(depositors), arbitrators: new Set([...arbitrators, ...judges.map(keyOf)]) };
  }

  async function isIn(which: keyof Members, wallet: Address): Promise<boolean> {
    for (const market of markets) if ((await membersOf[market]())[which].has(addressKey(wallet))) return true;
    return false;
  }

  /** Tasks in which one of them is poster or worker, and the other is poster, worker, judge, or the judge who has ruled. */
  async function loadShared(left: Address, right: Address): Promise<Task[]> {
    const asParties = `SELECT task FROM tasks WHERE ${ofMarket} AND poster = $3 AND worker = $4`;
    const asJudge = (party: string) =>
      `SELECT task FROM tasks WHERE ${ofMarket} AND ${party} = $3 AND (lower(${judgeOf}) = $4
         OR EXISTS (SELECT 1 FROM events WHERE ${ofMarket} AND task_number = tasks.number
           AND name = 'DisputeResolved' AND lower(${rulerOf}) = $4))`;
    const found: Task[] = [];
    for (const market of markets) {
      const { arbitrators } = await membersOf[market]();
      for (const [one, other] of [
        [addressKey(left), addressKey(right)],
        [addressKey(right), addressKey(left)],
      ] as const) {
        const sql = arbitrators.has(other)
          ? [asParties, asJudge('poster'), asJudge('worker')].join(' UNION ')
          : asParties;
        const rows = await database.query<{ task: string }>(sql, [identity, market, one, other]);
        found.push(...rows.map(({ task }) => decodeTask(task)));
      }
    }
    return found;
  }

  /** Until the whole history is read, a wallet without rows may still have a part in the market. */
  async function requireHistory(): Promise<void> {
    if (!(await isHistoryKnown())) throw new SvcError('NOT_READY', {});
  }

  async function isHistoryKnown(): Promise<boolean> {
    return (await loadWholeGeneration(database, identity)) !== null;
  }

  return {
    loadShared,
    isHistoryKnown,

    /** Entry collateral, or a task shared with the other party. Throws NOT_READY while the rows are incomplete. */
    async hasStandingWith(wallet: Address, other: Address): Promise<boolean> {
      if (await isIn('depositors', wallet)) return true;
      if ((await loadShared(wallet, other)).length > 0) return true;
      await requireHistory();
      return false;
    },

    /** Throws NOT_READY while the rows cannot tell. */
    async hasCollateral(wallet: Address): Promise<boolean> {
      if (await isIn('depositors', wallet)) return true;
      await requireHistory();
      return false;
    },

    /** Collateral, a task, or a place among the arbitrators. Throws NOT_READY while the rows are incomplete. */
    async isMember(wallet: Address): Promise<boolean> {
      if ((await isIn('depositors', wallet)) || (await isIn('arbitrators', wallet))) return true;
      for (const market of markets) {
        const rows = await database.query(
          `SELECT number FROM tasks WHERE ${ofMarket} AND poster = $3
           UNION SELECT number FROM tasks WHERE ${ofMarket} AND worker = $3 LIMIT 1`,
          [identity, market, addressKey(wallet)],
        );
        if (rows.length > 0) return true;
      }
      await requireHistory();
      return false;
    },
  };
}

function sumBalances(events: readonly ChainEvent[]): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  const add = (wallet: unknown, amount: bigint) =>
    balances.set(keyOf(wallet), (balances.get(keyOf(wallet)) ?? 0n) + amount);
  for (const { name, args } of events) {
    const amount = BigInt(String(args.amount));
    if (name === 'Deposited') add(args.agent, amount);
    else if (name === 'Withdrawn') add(args.agent, -amount);
    else {
      add(args.from, -amount);
      add(args.to, amount);
    }
  }
  return balances;
}

function keyOf(wallet: unknown): string {
  return addressKey(wallet as Address);
}
