// Proves that no secret of the configuration reaches an output, a log, an answer, a metric or a file that is not meant
// for it, in normal operation and during failures.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { formatDeployment } from '#sdk/chain/deployment.ts';
import { reportFailure } from '#service/cli/failure.ts';
import { readConfig } from '#service/config.ts';
import { startChatGateway } from './support/chatGateway.ts';
import { type RunningChain, startChain } from './support/devnet.ts';
import { type FaultyProxy, startFaultyProxy } from './support/faultyProxy.ts';
import { readLines } from './support/lines.ts';
import { createFolder, runSvc, startSvc } from './support/svc.ts';
import { until } from './support/until.ts';

/** Recognisable and valid: keys of the curve, words that an address or a header may contain. */
const secrets = {
  rpcUser: 'rpcuser-7d1f0a',
  rpcPassword: 'rpcpass-51c8e2',
  rpcPath: 'rpcpath-90b3d4',
  rpcQuery: 'rpcquery-a6e77b',
  databasePassword: 'dbpass-c20f19',
  chatKey: 'sk-chat-5e8d33c1',
  privateKey: `0x${'1a2b3c4d'.repeat(8)}`,
  keeperKey: `0x${'2b3c4d5e'.repeat(8)}`,
  gatewayKey: `0x${'3c4d5e6f'.repeat(8)}`,
  gatewayOtherKey: `0x${'3d4e5f60'.repeat(8)}`,
  facilitatorKey: `0x${'4d5e6f70'.repeat(8)}`,
} as const;

let chain: RunningChain;
let proxy: FaultyProxy;
let database: Server;
let databaseHost: string;
before(async () => {
  chain = await startChain('--no-seed');
  proxy = await startFaultyProxy(chain.report.rpcUrl);
  database = createTattlingDatabase();
  await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve));
  databaseHost = `127.0.0.1:${(database.address() as AddressInfo).port}`;
});
after(async () => {
  database.close();
  proxy.close();
  await chain.stop();
});

function buildEnv(folder: string, rpcUrl: string): Record<string, string> {
  const deployment = join(folder, 'deployment.json');
  writeFileSync(deployment, formatDeployment(chain.deployment));
  const { host } = new URL(rpcUrl);
  const { rpcUser, rpcPassword, rpcPath, rpcQuery } = secrets;
  return {
    SVC_DEPLOYMENT: deployment,
    SVC_DATA_DIR: join(folder, 'data'),
    SVC_RPC_URL: `http://${rpcUser}:${rpcPassword}@${host}/${rpcPath}?key=${rpcQuery}`,
    PRIVATE_KEY: secrets.privateKey,
    SVC_KEEPER_KEY: secrets.keeperKey,
    SVC_GATEWAY_KEY: secrets.gatewayKey,
    SVC_GATEWAY_OTHER_KEY: secrets.gatewayOtherKey,
    SVC_FACILITATOR: 'local',
    SVC_FACILITATOR_KEY: secrets.facilitatorKey,
    LLM_GATEWAY_API_KEY: secrets.chatKey,
    SVC_LOG_LEVEL: 'debug',
  };
}

test('a gateway that serves, is refused by the chat, and loses its chain reveals no secret', async (context) => {
  const folder = createFolder(context);
  const chat = await startChatGateway();
  context.after(chat.close);
  const env = { ...buildEnv(folder, proxy.url), LLM_BASE_URL: chat.baseUrl };
  const { child, ended } = startSvc(['gateway', '--json'], { cwd: folder, env });
  context.after(() => child.kill('SIGKILL'));
  const { gatewayUrl } = JSON.parse(await readLines(child)()) as { gatewayUrl: string };
  const answers: string[] = [];
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(gatewayUrl + path, init);
    answers.push(JSON.stringify([...response.headers]), await response.text());
    return response.status;
  };
  const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const talk = () => post('/api/role-chat', { messages: [{ role: 'user', content: 'hello' }] });
  const payment = { 'X-PAYMENT': Buffer.from('{"x402Version":1}').toString('base64') };
  const payer = `0x${'11'.repeat(20)}`;
  async function walk(): Promise<number[]> {
    const statuses = [];
    for (const path of [
      '/health',
      '/metrics',
      '/api/market/open',
      '/api/site-config',
      '/v1/fees',
      '/nowhere',
    ])
      statuses.push(await ask(path));
    statuses.push(await talk());
    statuses.push(await post('/v1/payment-receipt', { payer, action: 'post' }));
    statuses.push(await post('/v1/tasks/v2:standard:1/claim', { payer }));
    statuses.push(await post('/v1/tasks/v2:standard:1/claim', { payer }, payment));
    statuses.push(await post('/api/posting/upgrade', { address: payer, txHash: `0x${'22'.repeat(32)}` }));
    return statuses;
  }
  await until(async () => (await fetch(`${gatewayUrl}/health`)).ok);
  const well = await walk();
  assert.deepEqual(well.slice(0, 7), [200, 200, 200, 200, 200, 404, 200]);
  // It repeats the key of the request, as real ones do.
  chat.behave((response, _, key) => response.writeHead(401).end(`{"error":"bad key ${key}"}`));
  assert.equal(await talk(), 502);
  proxy.setFault('down');
  await until(async () => /rpc_errors/.test(await (await fetch(`${gatewayUrl}/metrics`)).text()));
  await walk();
  proxy.setFault('none');
  child.kill('SIGTERM');
  const run = await ended;
  assert.equal(run.exitCode, 0);
  assert.match(run.err, /the RPC failed/);
  assert.equal(statSync(join(folder, 'data')).mode & 0o777, 0o700, 'the data folder is for its owner alone');
  search('the gateway', [run.out, run.err, ...answers, ...readFolder(join(folder, 'data'))]);
});

const nowhere = 'http://127.0.0.1:9';
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

test('commands whose chain or database is down or hostile reveal no secret', async (context) => {
  const folder = createFolder(context);
  const away = buildEnv(folder, nowhere);
  const tattled = {
    ...buildEnv(folder, proxy.url),
    DATABASE_URL: `postgres://market:${secrets.databasePassword}@${databaseHost}/market`,
  };
  const runs: [string[], Record<string, string>, number][] = [
    [['config'], tattled, 0],
    [['config', '--json'], tattled, 0],
    [['doctor', '--json'], tattled, 1],
    [['doctor'], away, 1],
    [['deploy', '--json', '--usdc', to], away, 1],
    [['keeper', '--once', '--json'], away, 1],
    [['prepare', 'stake', '--amount-tok', '1', '--wallet', 'key'], away, 1],
    [['audit', '--json'], away, 1],
    [['send-proposal', '--json', '--to', to, '--total', '5', '--title', 'done'], away, 1],
    // A key in the wrong place: the mistake is named, the value is not shown.
    [
      ['config', '--json'],
      { ...away, SVC_SITE_PORT: secrets.privateKey, SVC_HOST: away.SVC_RPC_URL ?? '' },
      1,
    ],
    [['deploy', secrets.privateKey], away, 2],
  ];
  for (const [args, env, exitCode] of runs) {
    const { out, err, exitCode: found } = await runSvc(args, { cwd: folder, env });
    assert.equal(found, exitCode, `${args[0]}: ${err}`);
    // A keeper writes a line for each event.
    if (args.includes('--json'))
      for (const text of args[0] === 'keeper' ? out.trim().split('\n') : [out]) JSON.parse(text);
    search(args.slice(0, 2).join(' '), [out, err]);
  }
  const site = await startSvc(['site', '--json'], { cwd: folder, env: tattled }).ended;
  assert.equal(site.exitCode, 1);
  search('the site', [site.out, site.err]);
  search('the data folder', readFolder(join(folder, 'data')));
});

test('an unexpected error of the driver is shown without the password, however common that word is', async () => {
  const place = `${databaseHost}/postgres`;
  for (const password of [secrets.databasePassword, 'postgres', 'pg']) {
    const { databaseUrl } = readConfig({ DATABASE_URL: `postgres://postgres:${password}@${place}` });
    const client = new pg.Client({ connectionString: databaseUrl?.reveal() });
    const error: Error = await client.connect().catch((reason) => reason);
    assert.ok(error.message.startsWith(`password ${password} is wrong`), 'the driver repeats it');
    error.message += ` at postgres://postgres:${password}@localhost`;
    error.stack = `${error.message}\n    at connect (node_modules/pg/postgres.js:1:2)`;
    const printed: string[] = [];
    reportFailure(error, { out: (line) => printed.push(line), err: (line) => printed.push(line) }, true);
    assert.equal(
      printed[0],
      'svc failed unexpectedly: password [redacted] is wrong for user postgres at postgres://postgres:[redacted]@localhost\n' +
        '    at connect (node_modules/pg/postgres.js:1:2)',
    );
    search('the failure', printed);
  }
});

function search(where: string, texts: readonly string[]): void {
  for (const [name, secret] of Object.entries(secrets)) {
    const plain = secret.replace(/^0x/, '');
    const forms = {
      plain,
      encoded: encodeURIComponent(plain),
      upper: plain.toUpperCase(),
      base64: Buffer.from(plain).toString('base64').replace(/=+$/, ''),
      bytes: Buffer.from(plain, 'hex').toString('base64').replace(/=+$/, ''),
    };
    for (const [form, text] of Object.entries(forms)) {
      if (text.length < 8) continue;
      const found = texts.find((one) => one.includes(text));
      const around = found?.slice(Math.max(0, found.indexOf(text) - 80)).slice(0, 200);
      assert.equal(around, undefined, `${name}, ${form}, in ${where}`);
    }
  }
  const { rpcUser, rpcPassword } = secrets;
  const header = Buffer.from(`${rpcUser}:${rpcPassword}`).toString('base64');
  assert.ok(!texts.some((text) => text.includes(header)), `the authorization in ${where}`);
}

/** The contents of all files in the folder and its subfolders. */
function readFolder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'));
}

/** Speaks enough of PostgreSQL's protocol to ask for a password and to repeat it in an error. */
function createTattlingDatabase(): Server {
  return createServer((socket) => {
    let isAsked = false;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      if (!isAsked && data.length === 8) return void socket.write('N');
      if (!isAsked) {
        isAsked = true;
        return void socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
      }
      const fields = `SFATAL\0VFATAL\0C28P01\0Mpassword ${data.toString('latin1', 5, data.length - 1)} is wrong for user postgres\0\0`;
      const head = Buffer.from([0x45, 0, 0, 0, 0]);
      head.writeInt32BE(fields.length + 4, 1);
      socket.end(Buffer.concat([head, Buffer.from(fields, 'latin1')]));
    });
  });
}
