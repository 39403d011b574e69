// The words by which profiles and listings are found, each with the rank of what has it.
import { tagKey } from '@svc/sdk/internal/domain/searchWords';
import type { Database, Transaction } from './database.ts';
import { insertRows, removeRows } from './rows.ts';
import { joinSql, raw, type Sql, sql } from './sql.ts';

export type MatchKind = 'profile' | 'listing';

/** The place of a subject in its list: the highest rank first, then the newest. */
export type MatchPlace = { readonly rank: number; readonly at: number; readonly subject: string };

export type MatchPage = { readonly places: readonly MatchPlace[]; readonly next: MatchPlace | null };

/** Every subject has it. */
const anyWord = '';
/** More words are ignored. */
const maxWords = 300;
/** How many places one page looks at; what is left comes with the next page. */
const maxScanned = 1_000;

/** A tag matches as a whole. The first sign is in no word. */
export function tagWord(tag: string): string {
  return `§${tagKey(tag)}`;
}

/** A property such as the kind of a profile or the state of a task. The first sign is in no word. */
export function markWord(mark: string): string {
  return `¤${mark.toLowerCase()}`;
}

export async function saveMatchWords(
  tx: Transaction,
  kind: MatchKind,
  place: MatchPlace,
  words: Iterable<string>,
): Promise<void> {
  await removeRows(tx.query, 'match_words', { kind, subject: place.subject });
  const { rank, at, subject } = place;
  const all = [...new Set([anyWord, ...words])].slice(0, maxWords);
  await insertRows(
    tx,
    'match_words',
    all.map((word) => ({ kind, word, subject, rank, at })),
  );
}

/**
 * The first places of a word after another place, in the order of lists. An OR instead of NOT would read all places before it,
 * too.
 */
const selectPlaces = ({ ofKind, after }: Asked, word: string, most: number): Sql =>
  sql`SELECT subject, rank, at FROM match_words WHERE ${ofKind} AND word = ${word}
    AND (rank, at) <= (${after.rank}, ${after.at})
      AND NOT (rank = ${after.rank} AND at = ${after.at} AND subject <= ${after.subject})
    ORDER BY rank DESC, at DESC, subject LIMIT ${most}`;

/** What has all of these words, after a place. A page may be short, or empty, where there are more. */
export async function findMatches(
  database: Database,
  kind: MatchKind,
  { words, after, limit }: { words: readonly string[]; after: MatchPlace | null; limit: number },
): Promise<MatchPage> {
  const asked = {
    ofKind: sql`kind = ${kind}`,
    after: after ?? { rank: maxPlace, at: maxPlace, subject: '' },
  };
  const all = words.length === 0 ? [anyWord] : words;
  const ahead = all.length === 1 ? limit + 1 : 8 * limit;
  const { fitting, counts } = await mergeLists(database, asked, all, ahead);
  const fewest = Math.min(...counts);
  if (fitting.length > limit || all.length === 1) return toPage(fitting, limit, null);
  const isRare = fewest < ahead;
  // Half a page is enough where there may be more.
  if (!isRare && 2 * fitting.length >= limit) return toPage(fitting, limit, fitting.at(-1) ?? null);
  // A rare word, or words that are rarely together: each place of the rarest word is looked at.
  const most = isRare ? ahead : Math.max(maxScanned, ahead);
  const known = isRare ? counts : await countWords(database, asked, all, most);
  const rarest = known.indexOf(Math.min(...known));
  const others = all.filter((_, index) => index !== rarest);
  const rows = await lookUp(database, asked, all[rarest] as string, others, most);
  const found = rows.filter(({ fits }) => Boolean(fits));
  return toPage(found, limit, rows.length < most ? null : (rows.at(-1) ?? null));
}

const maxPlace = Number.MAX_SAFE_INTEGER;
type Asked = { readonly ofKind: Sql; readonly after: MatchPlace };

function toPage(found: readonly MatchPlace[], limit: number, last: MatchPlace | null): MatchPage {
  const places = found.slice(0, limit);
  return { places, next: found.length > limit ? (places.at(-1) ?? null) : last };
}

/**
 * The first places of each word side by side: those that stand in every list have all words. Where all words are frequent that is
 * a page, read in order; to look up one place after the other takes PostgreSQL ten times as long, and longer the more there are.
 */
async function mergeLists(database: Database, asked: Asked, words: readonly string[], ahead: number) {
  const lists = words.map(
    (word, at) => sql`${listOf(at)} AS MATERIALIZED (${selectPlaces(asked, word, ahead)})`,
  );
  const all = words.map((_, at) => sql`SELECT * FROM ${listOf(at)}`);
  const sizes = words.map((_, at) => raw(`UNION ALL SELECT '', COUNT(*), 0, ${at} FROM list${at}`));
  const rows = await database.query<MatchPlace & { readonly list: number }>(
    sql`WITH ${joinSql(lists, ', ')} SELECT subject, rank, at, -1 AS list FROM (${joinSql(all, ' UNION ALL ')}
      ) AS found GROUP BY subject, rank, at HAVING COUNT(*) = ${words.length} ${joinSql(sizes, ' ')}
      ORDER BY list, rank DESC, at DESC, subject`,
  );
  const counts = rows.filter(({ list }) => list >= 0).map(({ rank }) => rank);
  return { fitting: rows.filter(({ list }) => list < 0), counts };
}

const listOf = (at: number): Sql => raw(`list${at}`);

/** The places of a word, and whether each has the other words. */
function lookUp(database: Database, asked: Asked, word: string, others: readonly string[], most: number) {
  const has = others.map(
    (other) =>
      // Not EXISTS: PostgreSQL would read all that have the word, and remember them.
      sql`(SELECT 1 FROM match_words AS other WHERE ${asked.ofKind} AND other.word = ${other}
         AND other.subject = found.subject LIMIT 1) IS NOT NULL`,
  );
  return database.query<MatchPlace & { readonly fits: unknown }>(
    sql`SELECT subject, rank, at, ${joinSql(has, ' AND ')} AS fits
      FROM (${selectPlaces(asked, word, most)}) AS found
      ORDER BY rank DESC, at DESC, subject`,
  );
}

/** How many have each word, no further than `most`. */
async function countWords(
  database: Database,
  { ofKind }: Asked,
  words: readonly string[],
  most: number,
): Promise<number[]> {
  const counted = words.map(
    (word, at) => sql`(SELECT COUNT(*) FROM (SELECT 1 FROM match_words
       WHERE ${ofKind} AND word = ${word} LIMIT ${most}) AS counted) AS word${raw(`${at}`)}`,
  );
  const [row] = await database.query<Record<string, number>>(sql`SELECT ${joinSql(counted, ', ')}`);
  return words.map((_, at) => row?.[`word${at}`] ?? 0);
}
