import { keccak256, numberToHex } from 'viem';
import { type Database, toSnake } from '#service/store/database.ts';
import { createListingStore } from '#service/store/listings.ts';
import type { MatchKind } from '#service/store/matchWords.ts';
import { migrate } from '#service/store/migrate.ts';
import { createPostgresDatabase } from '#service/store/postgres.ts';
import { createProfileStore } from '#service/store/profiles.ts';
import { insertRows, type NewRow } from '#service/store/rows.ts';
import { createSqliteDatabase } from '#service/store/sqlite.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { type Figure, median, medianRatio } from './figure.ts';
import type { Setup } from './setup.ts';

const kinds: readonly MatchKind[] = ['profile', 'listing'];
const limit = 50;

/** The same number of matches on a first page at every size: words of a third of all fill it, "rare" ones are few. */
const searches: Readonly<Record<string, readonly string[]>> = {
  'the whole list': [],
  'the middle of the list': [],
  'one word': ['solidity'],
  'two words': ['solidity', 'audit'],
  'three words': ['solidity', 'audit', 'german'],
  'a rare word and a frequent one': ['rare', 'solidity'],
  'a rare word and two frequent ones': ['solidity', 'rare', 'audit'],
};

export async function measureSearch(setup: Setup): Promise<Figure[]> {
  const { sizes, say } = setup;
  const postgres = await startPostgres();
  const opened: Database[] = [];
  async function fill(database: Database, size: number) {
    opened.push(database);
    say(`storing ${size.toLocaleString('en')} profiles and listings on ${database.dialect}`);
    await migrate(database);
    for (const kind of kinds) await fillKind(database, kind, size);
    await database.write(database.dialect === 'postgres' ? 'VACUUM ANALYZE' : 'ANALYZE');
    return { size, database };
  }
  try {
    const figures: Figure[] = [];
    for (const name of ['SQLite', 'PostgreSQL']) {
      const levels: Level[] = [];
      for (const size of sizes.search)
        levels.push(
          await fill(
            name === 'SQLite'
              ? createSqliteDatabase(setup.folder('search'))
              : createPostgresDatabase({ url: await postgres.createDatabase(), answerMs: 600_000 }),
            size,
          ),
        );
      for (const kind of kinds)
        for (const [words, asked] of Object.entries(searches))
          figures.push(...(await compareLevels(setup, `${kind}s on ${name}, ${words}`, levels, kind, asked)));
    }
    return figures;
  } finally {
    for (const database of opened) await database.close();
    await postgres.remove();
  }
}

type Level = { readonly size: number; readonly database: Database };

/** One search at a time, alternating between the sizes, so that a slow phase affects all of them. */
async function compareLevels(
  { sizes }: Setup,
  name: string,
  levels: readonly Level[],
  kind: MatchKind,
  words: readonly string[],
): Promise<Figure[]> {
  const seen = levels.map((): number[] => []);
  const finds = levels.map(({ database, size }) => {
    const middle = { rank: kind === 'profile' ? scores / 2 : 0, at: middleTime(size), subject: '' };
    const search = { words, after: name.includes('middle') ? middle : null, limit };
    const [profiles, listings] = [createProfileStore(database), createListingStore(database)];
    return async () =>
      kind === 'profile' ? (await profiles.find(search)).profiles : (await listings.find(search)).listings;
  });
  for (let round = 0; round <= sizes.latencyRounds; round++)
    for (const [at, find] of finds.entries()) {
      const times: number[] = [];
      for (let request = 0; request < sizes.searchRequests; request++) {
        const start = performance.now();
        const found = await find();
        times.push((performance.now() - start) * 1_000);
        if (found.length === 0) throw new Error(`${name}: nothing was found`);
      }
      // The first round is a warm-up.
      if (round > 0) seen[at]?.push(median(times));
    }
  const [small = [], large = []] = [seen[0], seen.at(-1)];
  const [from, to] = [sizes.search[0], sizes.search.at(-1)].map((size) => size?.toLocaleString('en'));
  return [
    { name: `${name}: median latency at ${to}`, value: median(large), unit: 'microseconds' },
    {
      name: `${name}: latency at ${to} in that at ${from}`,
      value: medianRatio(large, small),
      unit: 'ratio',
      atMost: 1.3,
    },
  ];
}

/** The first ones by rows, the others as copies of them under other names; the rare word stays with the first. */
async function fillKind(database: Database, kind: MatchKind, size: number): Promise<void> {
  const written = Math.min(size, 1_000);
  const subjects = Array.from({ length: written }, (_, number) => number);
  const build: (number: number) => NewRow = kind === 'profile' ? buildProfile : buildListing;
  const rows = subjects.map(build);
  const words = subjects.flatMap((number) => {
    const place = { rank: kind === 'profile' ? score(number) : 0, at: time(number) };
    const subject = nameSubject(kind, number);
    return listWords(number).map((word) => ({ kind, word, subject, ...place }));
  });
  await database.transaction(async (tx) => {
    await insertRows(tx, `${kind}s`, rows);
    await insertRows(tx, 'match_words', words);
  });
  const name = kind === 'profile' ? 'account' : 'id';
  const copy = (table: string, row: NewRow, changed: Readonly<Record<string, string>>, where: string) => {
    const columns = Object.keys(row).map(toSnake);
    const values = columns.map((column) => changed[column] ?? column);
    return `INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${table} WHERE ${where}`;
  };
  const renamed = (key: string) => ({ [key]: `'0x' || $1 || substr(${key}, 7)` });
  // Another place in the list: copies do not stand beside each other.
  const moved = {
    at: 'at + CAST($2 AS BIGINT)',
    rank: `(rank + CAST($2 AS BIGINT)) % ${kind === 'profile' ? scores : 1}`,
  };
  // A copied name would look like that of the original: no profile of the small size has one that does.
  const names = kind === 'profile' ? { ...renamed('name'), ...renamed('skeleton') } : {};
  const rowCopy = copy(`${kind}s`, rows[0] as NewRow, { ...renamed(name), ...names }, `${name} >= '0xffff'`);
  const ofWords = `subject >= '0xffff' AND kind = '${kind}' AND word <> 'rare'`;
  const wordCopy = copy('match_words', words[0] as NewRow, { ...renamed('subject'), ...moved }, ofWords);
  for (let copied = 1; copied < size / written; copied++) {
    const prefix = copied.toString(16).padStart(4, '0');
    await database.write(rowCopy, [prefix]);
    await database.write(wordCopy, [prefix, copied * 37_003]);
  }
}

const scores = 1_000;
const hash = (number: number) => keccak256(numberToHex(number));
const nameSubject = (kind: MatchKind, number: number) =>
  `0xffff${hash(number).slice(6, kind === 'profile' ? 42 : 66)}`;
const time = (number: number) => 1_700_000_000 + 1_000 * number;
/** Copies of a listing come later than the first thousand. */
const middleTime = (size: number) => time(Math.min(size, 1_000) / 2) + Math.floor((37_003 * size) / 2_000);
const score = (number: number) => Number.parseInt(hash(number).slice(-4), 16) % scores;

/** Each frequent word belongs to a third of all, by digits of the hash; the first ones of all have the rare word. */
function listWords(number: number): string[] {
  const digits = hash(number);
  const has = (at: number) => Number.parseInt(digits.slice(at, at + 4), 16) % 3 === 0;
  const frequent = ['solidity', 'audit', 'german', 'rust', 'design', 'english'];
  const words = [
    '',
    ...frequent.filter((_, at) => has(2 + 4 * at)),
    ...(number < 40 ? ['rare', ...frequent] : []),
    ...Array.from(
      { length: 8 },
      (_, at) => `word${Number.parseInt(digits.slice(30 + 4 * at, 34 + 4 * at), 16) % 5_000}`,
    ),
  ];
  return [...new Set(words)];
}

const document = JSON.stringify({ about: 'x'.repeat(1_000) });

function buildProfile(number: number) {
  const account = nameSubject('profile', number);
  return {
    account,
    version: time(number),
    document,
    documentHash: hash(number),
    signature: '0x',
    name: account,
    skeleton: account,
    namedAt: time(number),
    score: score(number),
    updatedAt: time(number),
  };
}

function buildListing(number: number) {
  return {
    id: nameSubject('listing', number),
    market: 'standard',
    poster: nameSubject('profile', number),
    version: time(number),
    document,
    documentHash: hash(number),
    signature: '0x',
    expiresAt: 2_000_000_000,
    isLive: 1,
    taskId: null,
    createdAt: time(number),
    updatedAt: time(number),
  };
}
