// `svc backup`: copies a data folder that is in use, and says that a copy has taken its place.
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beginNewNumbers, noteBackup } from '../app/openDatabase.ts';
import { defineVerbs, type Usage, usageError } from './options.ts';

export const usage = {
  command: 'backup',
  synopsis: ['take <new folder>', 'restored'],
  about:
    'Copies the data folder while everything runs, each database as of one moment, and keeps the modes of keys. PostgreSQL has tools of its own for its copies. After any restore, also one of PostgreSQL, run "svc backup restored" before the parts start.',
  words: 2,
  wordList: {
    take: 'copy SVC_DATA_DIR into a folder that does not exist yet',
    restored:
      'begin new numbers for events, messages and webhooks, so that clients do not take them for those that were lost',
  },
  options: {},
  json: 'print the result as one line of JSON',
  examples: ['svc backup take /backup/svc-2026-11-15', 'svc backup restored'],
} as const satisfies Usage;

export const run = defineVerbs(usage, async ({ verb, need, say }, config) => {
  if (verb === 'take') {
    const copied = copyFolder(config.dataDir, need('a new folder'));
    noteBackup(config.dataDir);
    return say({ copied }, ...copied);
  }
  const first = await beginNewNumbers(config);
  say(
    { first },
    `Events, messages and webhooks go on with numbers above ${first}; streams begin with a reset.`,
  );
});

function copyFolder(from: string, to: string): string[] {
  if (!existsSync(from)) throw usageError(`${from} is not there.`);
  if (existsSync(to)) throw usageError(`${to} is there already; a backup never replaces another.`);
  // Keys lie in it: nobody else may look.
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const names = readdirSync(from)
    .filter((name) => isKept(from, name))
    .sort();
  for (const name of names) copy(join(from, name), join(to, name));
  // After the rows that name them: a file never changes, and one without a row harms nobody.
  const files = join(from, 'files');
  if (!existsSync(files)) return names;
  cpSync(files, join(to, 'files'), { recursive: true, filter: (path) => !path.endsWith('incoming') });
  return [...names, 'files'];
}

/** What SQLite keeps beside a database belongs to its copy only as of the same moment, and is in it already. */
function isKept(folder: string, name: string): boolean {
  return statSync(join(folder, name)).isFile() && !/-(wal|shm|journal)$/.test(name);
}

function copy(source: string, target: string): void {
  if (/\.(sqlite|db3)$/.test(source)) {
    // One long read, which no writer disturbs and which disturbs none.
    const database = new DatabaseSync(source, { readOnly: true, timeout: 10_000 });
    database.prepare('VACUUM INTO ?').run(target);
    database.close();
  } else copyFileSync(source, target);
  chmodSync(target, statSync(source).mode);
}
