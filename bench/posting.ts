// posting/check against bare node:http, and posting/record against bare INSERTs, on SQLite and on PostgreSQL.
//
// The records are of transactions that are not mined yet: the site asks the chain for each one four times, with pauses, and
// keeps it. The baseline is the INSERT alone. CPU time is compared, since most of the time passes in these pauses.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Database } from '#service/store/database.ts';
import { createPostgresDatabase } from '#service/store/postgres.ts';
import { createSqliteDatabase } from '#service/store/sqlite.ts';
import { startPostgres } from '../test/support/postgres.ts';
import type { Chain } from './chain.ts';
import { buildRatioFigures, compare, startBare } from './compare.ts';
import type { Figure } from './figure.ts';
import { median } from './figure.ts';
import { readCpuSeconds } from './processes.ts';
import type { Setup } from './setup.ts';
import { type Site, startSite } from './site.ts';

const connections = 16;
const checkBody = '{"address":"{address}"}';
const recordBody =
  '{"address":"{address}","taskId":"v2:standard:9","txHash":"{hash}","taskAmountTok":"1000"}';

export async function measurePosting(setup: Setup): Promise<Figure[]> {
  const dataDir = setup.folder('posting');
  const sqlite = {
    name: 'SQLite',
    dataDir,
    env: {},
    open: () => createSqliteDatabase(join(dataDir, 'bare.sqlite')),
  };
  const chain = await setup.chain();
  const figures = await measureOn(setup, chain, sqlite);
  const postgres = await startPostgres();
  try {
    const [url, bareUrl] = [await postgres.createDatabase(), await postgres.createDatabase()];
    const open = () => createPostgresDatabase({ url: bareUrl, poolSize: connections });
    const env = { DATABASE_URL: url };
    figures.push(
      ...(await measureOn(setup, chain, { name: 'PostgreSQL', dataDir: setup.folder('posting'), env, open })),
    );
  } finally {
    await postgres.remove();
  }
  return figures;
}

type Place = {
  readonly name: string;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** An empty database of the same kind, for the baseline. */
  readonly open: () => Database;
};

async function measureOn(setup: Setup, chain: Chain, { name, dataDir, env, open }: Place): Promise<Figure[]> {
  const site = await startSite(chain, dataDir, { ...env, SVC_TRUSTED_PROXIES: '127.0.0.1' });
  const database = open();
  try {
    return [
      ...(await measureCheck(setup, site, name)),
      ...(await measureRecord(setup, site, database, name)),
    ];
  } finally {
    await database.close();
    await site.close();
  }
}

async function measureCheck({ load, sizes }: Setup, site: Site, place: string): Promise<Figure[]> {
  const path = '/api/posting/check';
  const response = await fetch(site.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: checkBody.replace('{address}', `0x${randomBytes(20).toString('hex')}`),
  });
  const body = Buffer.from(await response.arrayBuffer());
  const bare = await startBare({
    status: 200,
    headers: ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'],
    bodies: [body.toString('base64')],
  });
  const target = { path, body: checkBody, status: 200 };
  const seen = await compare(
    load,
    { pid: site.pid, target: { ...target, port: site.port } },
    { pid: bare.pid, target: { ...target, port: bare.port } },
    { ...sizes.rounds, warmUpRequests: Math.ceil(sizes.rounds.warmUpRequests / 10) },
  );
  await bare.close();
  return buildRatioFigures(`posting/check on ${place}`, seen);
}

async function measureRecord(
  { load, sizes }: Setup,
  site: Site,
  database: Database,
  place: string,
): Promise<Figure[]> {
  const { rounds, roundMs } = sizes.rounds;
  await database.write('CREATE TABLE bare (wallet TEXT, hash TEXT PRIMARY KEY, until BIGINT)');
  // Each from another network: one caller may record a hundred posts that nothing proves.
  const headers = { 'X-Forwarded-For': '{ip}' };
  const target = { port: site.port, path: '/api/posting/record', headers, body: recordBody, status: 200 };
  const seen: { readonly seconds: number; readonly records: number; readonly inserts: number }[] = [];
  await load.run({ ...target, connections, requests: connections });
  for (let round = 0; round < rounds; round++) {
    const before = readCpuSeconds(site.pid);
    const { count, seconds } = await load.run({ ...target, connections, milliseconds: roundMs });
    const records = count / (readCpuSeconds(site.pid) - before);
    const inserts = await insertFor(database, roundMs);
    seen.push({ seconds: (connections * seconds) / count, records, inserts });
  }
  const middle = (of: keyof (typeof seen)[number]) => median(seen.map((round) => round[of]));
  const [records, inserts] = [middle('records'), middle('inserts')];
  const name = `posting/record before it is mined, on ${place}`;
  return [
    { name: `${name}: until answered`, value: middle('seconds'), unit: 'seconds' },
    { name: `${name}: per second of CPU time`, value: records, unit: 'perSecond' },
    { name: `${name}: bare INSERT, per second of CPU time`, value: inserts, unit: 'perSecond' },
    { name: `${name}: ratio by CPU time`, value: records / inserts, unit: 'ratio' },
  ];
}

/** How many per second of CPU time; one transaction per insert, as many in parallel as the load has connections. */
async function insertFor(database: Database, milliseconds: number): Promise<number> {
  const start = performance.now();
  const before = readCpuSeconds(process.pid);
  let count = 0;
  async function insert(): Promise<void> {
    while (performance.now() - start < milliseconds) {
      const params = [`0x${randomBytes(20).toString('hex')}`, `0x${randomBytes(32).toString('hex')}`, 0];
      await database.write('INSERT INTO bare (wallet, hash, until) VALUES ($1, $2, $3)', params);
      count += 1;
    }
  }
  await Promise.all(Array.from({ length: connections }, insert));
  return count / (readCpuSeconds(process.pid) - before);
}
