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

/** What has all of these words, after a place. A page may be short, or empty, where there are more. */
export async function findMatches(
  database: Database,
  identity: string,
  kind: MatchKind,
  { words, after, limit }: { words: readonly string[]; after: MatchPlace | null; limit: number },
): Promise<MatchPage> {
  const [first = anyWord, ...others] = await sortByFrequency(database, identity, kind, words);
  const has = others.map(
    (_, index) =>
      // Not EXISTS: PostgreSQL would read all that have the word, and remember them.
      `(SELECT 1 FROM match_words AS other WHERE other.identity = $1 AND other.kind = $2
         AND other.word = $${index + 8} AND other.subject = found.subject LIMIT 1) IS NOT NULL`,
  );
  const look = ({ rank, at, subject }: MatchPlace, most: number) =>
    database.query<MatchPlace & { readonly fits: unknown }>(
      `SELECT subject, rank, at, ${has.length === 0 ? 'TRUE' : has.join(' AND ')} AS fits FROM (
         SELECT subject, rank, at FROM match_words
         WHERE identity = $1 AND kind = $2 AND word = $3
           AND (rank < $4 OR rank = $4 AND (at < $5 OR at = $5 AND subject > $6))
         ORDER BY rank DESC, at DESC, subject LIMIT $7
       ) AS found ORDER BY rank DESC, at DESC, subject`,
      [identity, kind, first, rank, at, subject, most, ...others],
    );
  // Where all words are frequent, the first places are enough; otherwise as many as one page may cost.
  const fewPlaces = others.length === 0 ? limit + 1 : 4 * limit;
  const fitting: MatchPlace[] = [];
  let last = after ?? { rank: Number.MAX_SAFE_INTEGER, at: Number.MAX_SAFE_INTEGER, subject: '' };
  for (const most of others.length === 0 ? [fewPlaces] : [fewPlaces, Math.max(1, maxScanned - fewPlaces)]) {
    const rows = await look(last, most);
    fitting.push(...rows.filter(({ fits }) => Boolean(fits)));
    last = rows.at(-1) ?? last;
    if (rows.length < most && fitting.length <= limit) return { places: fitting, next: null };
    if (fitting.length > limit) break;
  }
  const places = fitting.slice(0, limit);
  return { places, next: fitting.length >= limit ? (places.at(-1) ?? null) : last };
}

/** The rarest first, so that few rows are looked at. */
async function sortByFrequency(
  database: Database,
  identity: string,
  kind: MatchKind,
  words: readonly string[],
): Promise<readonly string[]> {
  if (words.length < 2) return words;
  const counted = await Promise.all(
    words.map(async (word) => {
      const [row] = await database.query<{ count: number }>(
        `SELECT COUNT(*) AS count FROM (SELECT 1 FROM match_words
           WHERE identity = $1 AND kind = $2 AND word = $3 LIMIT ${maxScanned}) AS counted`,
        [identity, kind, word],
      );
      return { word, count: row?.count ?? 0 };
    }),
  );
  return counted.sort((one, other) => one.count - other.count).map(({ word }) => word);
}
