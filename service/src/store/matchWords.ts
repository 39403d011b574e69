// The words by which profiles and listings are found, each with the rank of what has it.
import { tagKey } from '@svc/sdk/internal/domain/searchWords';
import type { Database, Transaction } from './database.ts';
import { insertRows, removeRows } from './rows.ts';

export type MatchKind = 'profile' | 'listing';

/** The place of a subject in its list: the highest rank first, then the newest. */
export type MatchPlace = { readonly rank: number; readonly at: number; readonly subject: string };

export type MatchPage = { readonly places: readonly MatchPlace[]; readonly next: MatchPlace | null };

/** Every subject has it. */
const anyWord = '';
/** More words say nothing. */
const maxWords = 300;
/** How many places one page looks at; what is left comes with the next page. */
const maxScanned = 1_000;

/** A tag matches as a whole. The first sign is in no word. */
export function tagWord(tag: string): string {
  return `§${tagKey(tag)}`;
}

/** A property such as the kind of a profile. */
export function markWord(mark: string): string {
  return `¤${mark}`;
}

export async function saveMatchWords(
  tx: Transaction,
  identity: string,
  kind: MatchKind,
  place: MatchPlace,
  words: Iterable<string>,
): Promise<void> {
  await removeRows(tx.query, 'match_words', { identity, kind, subject: place.subject });
  const { rank, at, subject } = place;
  const all = [...new Set([anyWord, ...words])].slice(0, maxWords);
  await insertRows(
    tx,
    'match_words',
    all.map((word) => ({ identity, kind, word, subject, rank, at })),
  );
}

/** Places after another one, in the order of lists; $3 to $5 are that place. An OR would read all places before it, too. */
const inOrder = `(rank, at) <= ($3, $4) AND NOT (rank = $3 AND at = $4 AND subject <= $5)
  ORDER BY rank DESC, at DESC, subject`;

/** What has all of these words, after a place. A page may be short, or empty, where there are more. */
export async function findMatches(
  database: Database,
  identity: string,
  kind: MatchKind,
  { words, after, limit }: { words: readonly string[]; after: MatchPlace | null; limit: number },
): Promise<MatchPage> {
  const { rank, at, subject } = after ?? { rank: maxPlace, at: maxPlace, subject: '' };
  const asked = [identity, kind, rank, at, subject] as const;
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
  const known = isRare ? counts : await countWords(database, identity, kind, all, most);
  const rarest = known.indexOf(Math.min(...known));
  const others = all.filter((_, index) => index !== rarest);
  const rows = await lookUp(database, asked, all[rarest] as string, others, most);
  const found = rows.filter(({ fits }) => Boolean(fits));
  return toPage(found, limit, rows.length < most ? null : (rows.at(-1) ?? null));
}

const maxPlace = Number.MAX_SAFE_INTEGER;
type Asked = readonly [identity: string, kind: string, rank: number, at: number, subject: string];

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
    (_, index) => `list${index} AS MATERIALIZED (SELECT subject, rank, at FROM match_words
       WHERE identity = $1 AND kind = $2 AND word = $${index + 6} AND ${inOrder} LIMIT ${ahead})`,
  );
  const rows = await database.query<MatchPlace & { readonly list: number }>(
    `WITH ${lists} SELECT subject, rank, at, -1 AS list FROM (
       ${words.map((_, index) => `SELECT * FROM list${index}`).join(' UNION ALL ')}
     ) AS found GROUP BY subject, rank, at HAVING COUNT(*) = ${words.length}
     ${words.map((_, index) => `UNION ALL SELECT '', COUNT(*), 0, ${index} FROM list${index}`).join(' ')}
     ORDER BY list, rank DESC, at DESC, subject`,
    [...asked, ...words],
  );
  const counts = rows.filter(({ list }) => list >= 0).map(({ rank }) => rank);
  return { fitting: rows.filter(({ list }) => list < 0), counts };
}

/** The places of a word, and whether each has the other words. */
function lookUp(database: Database, asked: Asked, word: string, others: readonly string[], most: number) {
  const has = others.map(
    (_, index) =>
      // Not EXISTS: PostgreSQL would read all that have the word, and remember them.
      `(SELECT 1 FROM match_words AS other WHERE other.identity = $1 AND other.kind = $2
         AND other.word = $${index + 7} AND other.subject = found.subject LIMIT 1) IS NOT NULL`,
  );
  return database.query<MatchPlace & { readonly fits: unknown }>(
    `SELECT subject, rank, at, ${has.join(' AND ')} AS fits FROM (
       SELECT subject, rank, at FROM match_words
       WHERE identity = $1 AND kind = $2 AND word = $6 AND ${inOrder} LIMIT ${most}
     ) AS found ORDER BY rank DESC, at DESC, subject`,
    [...asked, word, ...others],
  );
}

/** How many have each word, no further than `most`. */
async function countWords(
  database: Database,
  identity: string,
  kind: MatchKind,
  words: readonly string[],
  most: number,
): Promise<number[]> {
  const counted = words.map(
    (_, index) => `(SELECT COUNT(*) FROM (SELECT 1 FROM match_words
       WHERE identity = $1 AND kind = $2 AND word = $${index + 3} LIMIT ${most}) AS counted) AS word${index}`,
  );
  const [row] = await database.query<Record<string, number>>(`SELECT ${counted}`, [identity, kind, ...words]);
  return words.map((_, index) => row?.[`word${index}`] ?? 0);
}
