// `svc doctor`: checks everything svc depends on, and says what is wrong and what to do.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createRpc } from '@svc/sdk/chain';
import { SvcError } from '@svc/sdk/domain';
import { createChainClient, explainChainError, readChainId } from '@svc/sdk/internal/chain/chainClient';
import pg from 'pg';
import { formatEther, type PublicClient } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { chooseRpcUrls, findChainId, findDeployment } from '../app/connect.ts';
import { placeDatabase, schemaSteps } from '../app/openDatabase.ts';
import { formatUrl } from '../app/serve.ts';
import type { Config } from '../config.ts';
import { ownEdition } from '../deploy/edition.ts';
import { verifyWiring } from '../deploy/verify.ts';
import { defineRun, type Usage } from './options.ts';

export const usage = {
  command: 'doctor',
  synopsis: ['[--json]'],
  about:
    'Checks Node, the data folder, the ports, the database, each RPC (chain, logs, age), the contracts and their wiring, the keys and the clock. Exits with 1 if something keeps svc from working.',
  options: {},
  json: 'print a list of {subject, verdict, found, mend}',
  examples: ['svc doctor'],
} as const satisfies Usage;

type Finding = ReturnType<typeof ok | typeof warn>;

const marks = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const;

export const run = defineRun(usage, async ({ values: { json } }, config) => {
  const { databaseUrl, dataDir } = config;
  const findings = (
    await Promise.all([
      ok('node', process.version),
      checkDataDir(config),
      checkPort('site port', 'SVC_SITE_PORT', config.host, config.sitePort),
      checkPort('gateway port', 'SVC_GATEWAY_PORT', config.host, config.gatewayPort),
      databaseUrl === undefined ? checkSqlite(dataDir) : checkPostgres(databaseUrl.reveal()),
      checkChain(config),
    ])
  ).flat();
  console.log(json ? JSON.stringify(findings.map(toJson)) : findings.map(format).join('\n'));
  return findings.some(({ verdict }) => verdict === 'fail') ? 1 : 0;
});

function format({ subject, verdict, found, advice }: Finding): string {
  return `${marks[verdict]}  ${subject}: ${found}${advice === null ? '' : `\n      ${advice}`}`;
}

/** The field keeps the name of its first release. */
function toJson({ advice: mend, ...rest }: Finding) {
  return { ...rest, mend };
}

const finding =
  <Advice extends string | null>(verdict: 'ok' | 'warn' | 'fail') =>
  (subject: string, found: string, advice: Advice) => ({ subject, verdict, found, advice });
const ok = (subject: string, found: string) => finding<null>('ok')(subject, found, null);
/** May be intended. */
const warn = finding<string>('warn');
/** Keeps something from working. */
const fail = finding<string>('fail');

/** Shows only our own messages: those of a library may contain an address with a key. */
function explain(error: unknown): string {
  const known = explainChainError(error);
  if (known instanceof SvcError) return known.message;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === 'string' ? code : 'an unexpected error';
}

/** The rows of a million tasks take less than two gigabytes. */
const minFreeGigabytes = 1;

function checkDataDir({ dataDir }: Config): Finding {
  let folder = resolve(dataDir);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const advice = 'Give the user who runs svc write access, or choose another folder with SVC_DATA_DIR.';
    return fail('data folder', `${dataDir} cannot be written (${explain(error)})`, advice);
  }
  const { bavail, bsize } = statfsSync(folder);
  const free = (bavail * bsize) / 1e9;
  const found = `${dataDir} can be written, ${free.toFixed(1)} GB free`;
  if (free < minFreeGigabytes)
    return warn('data folder', found, 'Free some space: a full disk stops the indexer.');
  // Windows has no such permission bits.
  const isOpenToOthers = process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0;
  if (folder === resolve(dataDir) && isOpenToOthers)
    return warn('data folder', `${dataDir} is open to other users`, `Close it: chmod 700 ${dataDir}`);
  return ok('data folder', found);
}

async function checkPort(subject: string, variable: string, host: string, port: number): Promise<Finding> {
  const problem = await tryToListen(host, port);
  if (problem === null) return ok(subject, `${port} is free`);
  const other = `choose another port with ${variable}`;
  if (problem !== 'EADDRINUSE')
    return fail(subject, `${port} cannot be used (${problem})`, `Set SVC_HOST, or ${other}.`);
  if (await isServedBySvc(host, port)) return ok(subject, `${port} is served by svc`);
  return fail(subject, `${port} is used by another program`, `Stop that program, or ${other}.`);
}

function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', (error) => done(explain(error)));
    server.listen(port, host, () => server.close(() => done(null)));
  });
}

async function isServedBySvc(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  try {
    const signal = AbortSignal.timeout(2_000);
    const answer = await fetch(`${formatUrl(name, port)}/health`, { signal });
    return typeof ((await answer.json()) as { status?: unknown }).status === 'string';
  } catch {
    return false;
  }
}

function checkSqlite(dataDir: string): Finding[] {
  const { own, chain } = placeDatabase(dataDir);
  return [
    checkFile(
      own,
      'Restore a backup. Without one, move the file away: its messages, wallet requests and receipts are lost.',
    ),
    checkFile(chain, 'Move the file away: the chain is read again.'),
  ];
}

function checkFile(file: string, advice: string): Finding {
  if (!existsSync(file)) return ok('database', `SQLite in ${file}, created at the first start`);
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    const [row] = database.prepare('PRAGMA quick_check(1)').all();
    database.close();
    if (row?.quick_check === 'ok') return ok('database', `SQLite in ${file} is intact`);
  } catch (error) {
    return fail('database', `${file} cannot be opened (${explain(error)})`, advice);
  }
  return fail('database', `${file} is damaged`, advice);
}

const countSteps = `SELECT (SELECT count(*) FROM own.migrations) + (SELECT count(*) FROM chain.migrations) AS done`;

async function checkPostgres(url: string): Promise<Finding> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(
      `SELECT current_setting('server_version') AS version, pg_is_in_recovery() AS "isStandby",
         COALESCE(has_schema_privilege(to_regnamespace('own')::oid, 'CREATE'),
           has_database_privilege(current_database(), 'CREATE')) AS may`,
    );
    const { version, isStandby, may } = rows[0] as { version: string; isStandby: boolean; may: boolean };
    if (isStandby) {
      const found = `PostgreSQL ${version} is a standby, which takes no writes`;
      return fail('database', found, 'Name the primary in DATABASE_URL.');
    }
    const steps = await client.query(countSteps).catch(() => null);
    const schema = `its schema is at step ${steps?.rows[0].done ?? 0}, that of this version at ${schemaSteps}`;
    if (may) return ok('database', `PostgreSQL ${version} answers; ${schema}`);
    const advice = 'Let this user own the database, or its schemas own and chain.';
    return fail('database', `PostgreSQL ${version} does not let us create tables`, advice);
  } catch (error) {
    const advice = 'Is it running, and are host, user and password in DATABASE_URL right?';
    return fail('database', `PostgreSQL cannot be reached (${explain(error)})`, advice);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function checkChain(config: Config): Promise<readonly Finding[]> {
  const chainId = findChainId(config);
  const urls = chooseRpcUrls(config, chainId);
  const findings = await Promise.all(urls.map((url) => checkRpc(url, chainId)));
  const good = urls.find((_, at) => findings[at]?.every(({ verdict }) => verdict !== 'fail'));
  const contracts = await checkContracts(good, config);
  const keys = good === undefined ? [] : await checkKeys(createClient(good), config);
  return [...findings.flat(), ...contracts, ...keys];
}

function createClient(url: string): PublicClient {
  return createChainClient({ transport: createRpc({ urls: [url], rounds: 1, timeoutMs: 5_000 }).transport });
}

async function checkRpc(url: string, chainId: number): Promise<readonly Finding[]> {
  // Path, query and user name may contain a key.
  const subject = `rpc ${new URL(url).host}`;
  const client = createClient(url);
  try {
    const found = await readChainId(client);
    if (found !== chainId)
      return [fail(subject, `is of chain ${found}`, `Name an RPC of chain ${chainId} in SVC_RPC_URL.`)];
    const block = await client.getBlock();
    const lag = Math.round(Date.now() / 1_000 - Number(block.timestamp));
    return [
      ok(subject, `chain ${found}, block ${block.number}`),
      checkClock(lag),
      await checkLogs(client, block.number),
    ];
  } catch (error) {
    const advice = 'Start the market with npm start, or name a chain that answers in SVC_RPC_URL.';
    return [fail(subject, explain(error), advice)];
  }
}

const maxLagSeconds = 60;

function checkClock(lag: number): Finding {
  if (Math.abs(lag) <= maxLagSeconds) return ok('clock', `${lag} s from the newest block`);
  const advice =
    lag < 0
      ? 'The chain is ahead of this machine: set the clock (NTP), unless svc start was given a clock offset.'
      : 'The RPC is behind, or this clock is ahead: compare with another RPC, and set the clock (NTP).';
  return warn('clock', `${Math.abs(lag)} s ${lag < 0 ? 'behind' : 'after'} the newest block`, advice);
}

/** The indexer reads up to this many blocks at once, and fewer where that is refused. */
const logRange = 1_000n;

async function checkLogs(client: PublicClient, head: bigint): Promise<Finding> {
  const fromBlock = head > logRange ? head - logRange : 0n;
  try {
    await client.getLogs({ fromBlock, toBlock: head, address: '0x0000000000000000000000000000000000000001' });
    return ok('logs', `ranges of ${logRange} blocks are answered`);
  } catch {
    const advice = 'The indexer will read smaller ranges, so the first read takes longer.';
    return warn('logs', `a range of ${logRange} blocks is refused`, advice);
  }
}

/** A wrong deployment file is reported even where no chain answers. */
async function checkContracts(url: string | undefined, config: Config): Promise<readonly Finding[]> {
  try {
    const deployment = await findDeployment(config, url);
    if (url === undefined) return [];
    if (deployment === null)
      return [warn('contracts', 'no deployment is named', 'Name the file of svc deploy in SVC_DEPLOYMENT.')];
    const mismatches = await verifyWiring(createClient(url), deployment);
    if (mismatches.length === 0)
      return [ok('contracts', `deployed and wired correctly, edition ${ownEdition.name}`)];
    return mismatches.map(({ subject, expected, found }) => {
      const advice = subject.endsWith(' code')
        ? 'Install the release of svc for these contracts, or deploy again.'
        : 'Is SVC_DEPLOYMENT of this chain?';
      return fail(`contracts, ${subject}`, `${found} instead of ${expected}`, advice);
    });
  } catch (error) {
    return [fail('contracts', explain(error), 'Check the file that SVC_DEPLOYMENT names.')];
  }
}

async function checkKeys(client: PublicClient, config: Config): Promise<readonly Finding[]> {
  const keys = {
    PRIVATE_KEY: config.privateKey,
    SVC_KEEPER_KEY: config.keeperKey,
    SVC_FACILITATOR_KEY: config.facilitatorKey,
  };
  const findings = Object.entries(keys).map(async ([name, key]) => {
    if (key === undefined) return [];
    const address = privateKeyToAddress(key.reveal() as `0x${string}`);
    try {
      const balance = await client.getBalance({ address });
      if (balance > 0n) return ok(name, `${address} has ${formatEther(balance)} ETH for gas`);
      return warn(name, `${address} has no ETH`, 'Send it some Ether: it cannot pay for gas.');
    } catch (error) {
      return warn(name, explain(error), 'The balance could not be read; try again.');
    }
  });
  return (await Promise.all(findings)).flat();
}
