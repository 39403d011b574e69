// `npm run backup -- <data folder> <new folder>`: copies a data folder that is in use, each database as of one moment.
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const [from, to] = process.argv.slice(2);
if (from === undefined || to === undefined) fail('Usage: npm run backup -- <data folder> <new folder>');
if (!existsSync(from)) fail(`${from} is not there.`);
if (existsSync(to)) fail(`${to} is there already; a backup never replaces another.`);

// Keys lie in it: nobody else may look.
mkdirSync(to, { recursive: true, mode: 0o700 });
for (const name of readdirSync(from).filter(isKept).sort()) {
  copy(join(from, name), join(to, name));
  console.log(name);
}

// After the rows that name them: a file never changes, and one without a row harms nobody.
const files = join(from, 'files');
if (existsSync(files)) {
  cpSync(files, join(to, 'files'), { recursive: true, filter: (path) => !path.endsWith('incoming') });
  console.log('files');
}

/** What SQLite keeps beside a database belongs to its copy only as of the same moment, and is in it already. */
function isKept(name: string): boolean {
  return statSync(join(from as string, name)).isFile() && !/-(wal|shm|journal)$/.test(name);
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

function fail(reason: string): never {
  console.error(reason);
  process.exit(2);
}
