// Faults of PostgreSQL: ended, frozen, read-only, full, without connections, locked, restored from a copy.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createClusterBackup } from '../../test/support/backups.ts';
import { emptyRequest, unminedPost } from '../moves/public.ts';
import { listReplicas, type Setup } from '../setup.ts';
import type { Fault, Inflicted, World } from '../world.ts';

/** Everything but the site that has its own rows. */
const onPostgres = ({ servers, small }: Setup) =>
  servers.filter((server) => server !== small).map(({ name }) => name);

const explains = (setup: Setup, detail: string, repair: () => Promise<void>): Inflicted => ({
  detail,
  servers: onPostgres(setup),
  isExcuse: true,
  repair,
});

export const stopped: Fault = async ({ setup }) => {
  await setup.postgres.stop();
  return explains(setup, 'stopped and started', setup.postgres.start);
};

export const killed: Fault = async ({ setup }) => {
  await setup.postgres.kill();
  return explains(setup, 'killed and started', setup.postgres.start);
};

/** Users get an answer after five seconds; the rest is for a busy machine. */
const longestWriteMs = 5_000 + 2_500;

export const frozen: Fault = async (world) => {
  const { setup } = world;
  setup.postgres.freeze();
  const telling = tryWrites(world);
  return explains(setup, 'frozen', async () => {
    await telling;
    setup.postgres.thaw();
  });
};

/** At once with open connections, and again when these are given up. */
async function tryWrites({ setup, journal, ask }: World): Promise<void> {
  const address = `0x${'5a'.repeat(20)}`;
  const post = unminedPost(address, `0x${'5a'.repeat(32)}`);
  const writes = [
    ...setup.gateways.map((server) => ({ server, path: '/v1/requests', body: emptyRequest(address) })),
    ...listReplicas(setup).map((server) => ({ server, path: '/api/posting/record', body: post })),
  ];
  for (let time = 0; time < 2; time++)
    await Promise.all(
      writes.map(async ({ server, path, body }) => {
        const from = journal.now();
        const { status } = await ask(server, path, body);
        const ms = Math.round(journal.now() - from);
        const what = `frozen database: ${server.name} answered POST ${path} with ${status} after ${ms} ms`;
        journal.measured.push({ what, isKept: status === 503 && ms <= longestWriteMs });
      }),
    );
}

export const readOnly: Fault = async ({ setup }) => {
  await command(setup, ['ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()']);
  return explains(setup, 'read-only', () =>
    command(setup, [
      'SET default_transaction_read_only = off',
      'ALTER SYSTEM RESET default_transaction_read_only',
      'SELECT pg_reload_conf()',
    ]),
  );
};

/** Every write fails as on a full disk. */
export const full: Fault = async ({ setup }) => {
  const tables = await listTables(setup);
  await command(setup, [
    `CREATE OR REPLACE FUNCTION soak_full() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`,
    ...tables.map(
      (table) => `CREATE TRIGGER soak_full BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION soak_full()`,
    ),
  ]);
  return explains(setup, 'disk full', () =>
    command(
      setup,
      tables.map((table) => `DROP TRIGGER soak_full ON ${table}`),
    ),
  );
};

/** Ends the connections of the servers, and takes all that there are. */
export const outOfConnections: Fault = async ({ setup }) => {
  const taken: pg.Client[] = [];
  const first = await connect(setup);
  const takeAll = async () => {
    for (;;) {
      const client = await connect(setup).catch(() => null);
      if (client === null) return;
      taken.push(client);
    }
  };
  await takeAll();
  await first.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE pid <> pg_backend_pid() AND pid <> ALL ($1) AND backend_type = 'client backend'`,
    [taken.map((client) => (client as unknown as { processID: number }).processID)],
  );
  await takeAll();
  return explains(setup, `all ${taken.length + 1} connections taken`, async () => {
    await Promise.all([first, ...taken].map((client) => client.end()));
  });
};

/** As a careless change of the schema does. */
export const locked: Fault = async ({ setup }) => {
  const tables = await listTables(setup);
  const client = await connect(setup);
  for (;;) {
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = '1s'`);
      await client.query(`LOCK TABLE ${tables.join()} IN ACCESS EXCLUSIVE MODE`);
      break;
    } catch {
      await client.query('ROLLBACK');
      await pause(50);
    }
  }
  return explains(setup, 'tables locked', () => client.end());
};

/** A copy of the files is taken while the market is in use; with the log since then, nothing is lost. */
export const restored: Fault = async ({ setup }) => {
  const { postgres, databaseUrl } = setup;
  const copy = `${postgres.folder}-copy`;
  const backup = createClusterBackup(postgres, databaseUrl, copy);
  await backup.take();
  return explains(setup, 'restored from a copy and its log', async () => {
    // A clean end would remove parts of the log.
    await postgres.kill();
    rmSync(join(copy, 'pg_wal'), { recursive: true });
    execFileSync('cp', ['-a', join(postgres.folder, 'pg_wal'), copy]);
    rmSync(postgres.folder, { recursive: true });
    await backup.restore();
    rmSync(copy, { recursive: true });
  });
};

async function connect({ databaseUrl }: Setup): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** One after the other; one that a deadlock ends is repeated. */
async function command(setup: Setup, statements: readonly string[]): Promise<void> {
  const client = await connect(setup);
  try {
    for (const statement of statements)
      while (!(await client.query(statement).then(Boolean, isDeadlock))) await pause(50);
  } finally {
    await client.end();
  }
}

function isDeadlock(error: unknown): false {
  if ((error as { code?: unknown }).code !== '40P01') throw error;
  return false;
}

async function listTables(setup: Setup): Promise<string[]> {
  const client = await connect(setup);
  try {
    const { rows } = await client.query(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('own', 'chain')`,
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
