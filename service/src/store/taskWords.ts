// The words by which tasks are found: an FTS5 table on SQLite, text search vectors on PostgreSQL. What is a word is decided
// by our own code for both (sdk/domain/searchWords.ts), so that both find the same tasks.
import { setImmediate } from 'node:timers/promises';
import { type Market, markets, type TaskKey } from '@svc/sdk/domain';
import { listTaskWords, type SearchTerm, tagKey } from '@svc/sdk/internal/domain/searchWords';
import type { Dialect, Transaction } from './database.ts';
import { markWord } from './matchWords.ts';
import { insertRows, removeRows } from './rows.ts';
import { type Sql, sql } from './sql.ts';
import type { StoredTask } from './taskRow.ts';

/** More than any inline document of 4 KiB has. */
const maxWords = 1_000;

/** The column `words` of a task: its own words, then the marks that lists and filters ask for. */
function buildWords({ task, words }: StoredTask): string {
  const { title, description, criteria, tags = [] } = words ?? {};
  const own = [...listTaskWords({ ...task, title, description, criteria, tags })].slice(0, maxWords);
  const marks = [markWord(task.scope), markWord(task.state), ...tags.map(tagMark)];
  return [...new Set([...own, ...marks])].join(' ');
}

/** Every character is kept in it, so that C++ is another tag than C. */
function tagMark(tag: string): string {
  const key = [...tagKey(tag)].slice(0, 60);
  return `§${key.map((sign) => (/[\p{L}\p{N}]/u.test(sign) ? sign : `§${sign.codePointAt(0)?.toString(36)}§`)).join('')}`;
}

export type WordsQuery = {
  readonly terms: readonly SearchTerm[];
  readonly tags: readonly string[];
  /** Only tasks in public lists, or in this state. */
  readonly isPublic: boolean;
  readonly state: string | null;
};

/** The same question in the language of either database. Words have no quotes, spaces or operators in them. */
export function formatWordsQuery(dialect: Dialect, query: WordsQuery): string {
  const marks = [
    ...query.tags.map(tagMark),
    ...(query.isPublic ? [markWord('open')] : []),
    ...(query.state === null ? [] : [markWord(query.state)]),
  ].map((word) => ({ word, isPrefix: false }));
  const parts = [...query.terms, ...marks];
  return dialect === 'sqlite'
    ? parts.map(({ word, isPrefix }) => `"${word}"${isPrefix ? '*' : ''}`).join(' AND ')
    : parts.map(({ word, isPrefix }) => `'${word}'${isPrefix ? ':*' : ''}`).join(' & ');
}

/** Numbers of a market's tasks that match, newest first. */
export function selectByWords(
  dialect: Dialect,
  market: Market,
  { words, before, limit }: { readonly words: string; readonly before: number; readonly limit: number },
): Sql {
  if (dialect === 'postgres')
    return sql`SELECT number FROM task_words WHERE market = ${market}
      AND lexemes @@ CAST(${words} AS tsquery) AND number < ${before} ORDER BY number DESC LIMIT ${limit}`;
  const base = sql`${markets.indexOf(market) * numberRoom}`;
  return sql`SELECT rowid - ${base} AS number FROM task_words WHERE task_words MATCH ${words}
      AND rowid > ${base} AND rowid < ${base} + MIN(${before}, ${numberRoom}) ORDER BY rowid DESC LIMIT ${limit}`;
}

/** How many tasks of one market have a rowid. */
const numberRoom = 2 ** 32;

function rowidOf({ market, number }: TaskKey): number {
  return markets.indexOf(market) * numberRoom + Number(number);
}

const rowsAtOnce = 128;

export async function saveWords(tx: Transaction, tasks: readonly StoredTask[]): Promise<void> {
  if (tx.dialect === 'postgres') {
    const rows = tasks.map((stored) => ({
      market: stored.task.market,
      number: Number(stored.task.number),
      words: buildWords(stored),
    }));
    return insertRows(tx, 'task_words', rows, { key: ['market', 'number'] });
  }
  for (const [at, stored] of tasks.entries()) {
    await tx.query(
      sql`INSERT OR REPLACE INTO task_words (rowid, words)
        VALUES (${rowidOf(stored.task)}, ${buildWords(stored)})`,
    );
    // SQLite works in this thread: other requests are answered between two parts.
    if (at % rowsAtOnce === rowsAtOnce - 1) await setImmediate();
  }
}

export async function removeWords(tx: Transaction, key: TaskKey): Promise<void> {
  // Of this table SQLite returns nothing that it deletes.
  if (tx.dialect === 'sqlite') await tx.query(sql`DELETE FROM task_words WHERE rowid = ${rowidOf(key)}`);
  else await removeRows(tx.query, 'task_words', { market: key.market, number: Number(key.number) });
}
