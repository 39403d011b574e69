// The log of a policy's decisions, in one file of the data folder. Rows are only added. A decision and what it spends are
// one transaction, so that processes which share the folder cannot exceed a limit together, and each row is on disk before
// anything is signed.
import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { createSqliteFile, inMemory } from '../store/localFiles.ts';
import type { Spending } from './judge.ts';

/**
 * `reserved`: the wallet may sign, and it counts from now on; `promised`: the same for terms, which count until they became a
 * task (`used`) or nobody can use them any more; `settled`: it was done; `released`: it was not signed or can no longer be used,
 * and no longer counts; `exceeded`: the owner has to decide; `asked`: the request that asks the owner; `refused`: nobody is
 * asked; `tried`: a dry run, which signs nothing.
 */
export type EntryKind =
  | 'reserved'
  | 'promised'
  | 'used'
  | 'settled'
  | 'released'
  | 'exceeded'
  | 'asked'
  | 'refused'
  | 'tried';

export type EntryDraft = {
  readonly kind: EntryKind;
  readonly wallet: Address;
  readonly requestId: string;
  /** The wallet that signs. */
  readonly holder: 'key' | 'mcp';
  readonly form: 'calls' | 'signature';
  /** As the caller named it; what it really does is in `spendings`. */
  readonly action: string;
  readonly spendings: readonly Spending[];
  readonly reasons: readonly string[];
};

export type Entry = EntryDraft & { readonly number: number; readonly at: number };

export type Ledger = ReturnType<typeof createLedger>;

export const windowMs = 24 * 3_600_000;
/** No promise counts for longer, wherever the clocks of machine and chain stood. */
const longestPromiseMs = 30 * windowMs;
const counting: readonly EntryKind[] = ['reserved', 'promised'];

const schema = `
  CREATE TABLE IF NOT EXISTS entry (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    wallet TEXT NOT NULL,
    kind TEXT NOT NULL,
    request TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS entry_wallet ON entry (wallet, at);
  CREATE INDEX IF NOT EXISTS entry_promise ON entry (wallet, at) WHERE kind = 'promised';
  CREATE INDEX IF NOT EXISTS entry_request ON entry (request, kind);
  CREATE TRIGGER IF NOT EXISTS entry_unchanged BEFORE UPDATE ON entry
    BEGIN SELECT RAISE(ABORT, 'rows of the log are never changed'); END;
  CREATE TRIGGER IF NOT EXISTS entry_kept BEFORE DELETE ON entry
    BEGIN SELECT RAISE(ABORT, 'rows of the log are never deleted'); END;`;

/** The file is created with the first decision, and only its owner may read it. `now` is in milliseconds. */
export function createLedger(path = inMemory, now: () => number = Date.now) {
  const { all, run, transaction, close } = createSqliteFile(path, schema);
  const select = (sql: string, ...values: (string | number)[]): Entry[] =>
    all(`SELECT number, at, text FROM entry ${sql}`, ...values).map(parseEntry);

  /** Of the newest block, in milliseconds. */
  let chainTime = Number.POSITIVE_INFINITY;

  /**
   * Never after the chain's time and never before the newest row: a clock that was set ahead or back opens no new day. Where the
   * chain's clock is behind, what was spent counts for that much longer.
   */
  const readTime = (): number => {
    const [newest] = all('SELECT MAX(at) AS at FROM entry');
    return Math.max(Math.min(now(), chainTime), Number(newest?.at ?? 0));
  };

  const findEnd = (requestId: string, ...kinds: readonly EntryKind[]): Entry | undefined =>
    select(
      `WHERE request = ? AND kind IN (${kinds.map(() => '?')}) ORDER BY number LIMIT 1`,
      requestId,
      ...kinds,
    )[0];

  /** When the money left, at the latest. */
  const spentAt = (entry: Entry): number => {
    if (entry.kind !== 'promised') return entry.at;
    const latest = Math.max(...entry.spendings.map(({ terms }) => (terms?.acceptBy ?? 0) * 1_000));
    return Math.max(entry.at, findEnd(entry.requestId, 'used')?.at ?? latest);
  };

  const loadSpent = (wallet: Address, kinds: readonly EntryKind[]): Entry[] => {
    const dayAgo = readTime() - windowMs;
    const own = (where: string, since: number) =>
      select(
        `WHERE wallet = ? AND at > ? AND ${where}
         AND NOT EXISTS (SELECT 1 FROM entry AS other WHERE other.request = entry.request AND other.kind = 'released')`,
        addressKey(wallet),
        since,
      );
    const others = kinds.filter((kind) => kind !== 'promised').map((kind) => `'${kind}'`);
    return [
      ...own(`kind IN (${others})`, dayAgo),
      ...(kinds.includes('promised') ? own("kind = 'promised'", dayAgo - longestPromiseMs) : []),
    ]
      .filter((entry) => spentAt(entry) > dayAgo)
      .sort((one, other) => one.number - other.number);
  };

  const insert = (draft: EntryDraft): void =>
    void run(
      'INSERT INTO entry (at, wallet, kind, request, text) VALUES (?, ?, ?, ?, ?)',
      ...[readTime(), addressKey(draft.wallet), draft.kind, draft.requestId, formatEntry(draft)],
    );

  const isEnded = (requestId: string): boolean => findEnd(requestId, 'settled', 'released') !== undefined;

  return {
    /** Asked before a decision. */
    noteChainTime: (time: number): void => {
      chainTime = time;
    },

    add: (draft: EntryDraft): void => transaction(() => insert(draft)),

    /** Judges and writes the row in one transaction. `judge` gets what was spent in the last 24 hours. */
    decide: (
      wallet: Address,
      isDryRun: boolean,
      judge: (spent: readonly Spending[]) => EntryDraft,
    ): EntryDraft =>
      transaction(() => {
        const kinds = isDryRun ? [...counting, 'tried' as const] : counting;
        const draft = judge(loadSpent(wallet, kinds).flatMap(({ spendings }) => spendings));
        insert(draft);
        return draft;
      }),

    /** What counts in the last 24 hours. */
    loadSpent: (wallet: Address): Entry[] => loadSpent(wallet, counting),

    /** Promises of which nobody knows what became of them. */
    loadPromises: (wallet: Address): Entry[] =>
      loadSpent(wallet, ['promised']).filter(({ requestId }) => findEnd(requestId, 'used') === undefined),

    /** Reservations whose end is unknown. */
    loadOpen: (wallet: Address, holder: 'key' | 'mcp'): Entry[] =>
      loadSpent(wallet, counting).filter((entry) => entry.holder === holder && !isEnded(entry.requestId)),

    /** Undefined where there is none, or it has ended. */
    findOpen: (requestId: string): Entry | undefined =>
      isEnded(requestId) ? undefined : findEnd(requestId, ...counting),

    /** The newest, oldest first. */
    list: (limit: number): Entry[] => select('ORDER BY number DESC LIMIT ?', limit).reverse(),

    /** Wallets that the log knows. */
    listWallets: (): Address[] =>
      all('SELECT DISTINCT wallet FROM entry ORDER BY wallet').map(({ wallet }) => wallet as Address),

    close,
  };
}

function formatEntry(draft: EntryDraft): string {
  return JSON.stringify(draft, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

function parseEntry(row: unknown): Entry {
  const { number, at, text } = row as { number: number; at: number; text: string };
  const draft = JSON.parse(text) as EntryDraft;
  const spendings = draft.spendings.map((one) => ({
    ...one,
    tok: BigInt(one.tok),
    usdc: BigInt(one.usdc),
    taskTok: one.taskTok === null ? null : BigInt(one.taskTok),
  }));
  return { ...draft, spendings, number, at };
}
