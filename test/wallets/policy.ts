// A spending policy in front of a key and of a wallet tool server: on the command line, and for the tools of an agent.
import assert from 'node:assert/strict';
import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Client, ClientCapabilities } from '@modelcontextprotocol/client';
import { type PreparedCalls, prepareAction } from '#sdk/actions/prepareAction.ts';
import { buildMarketAccess, connect } from '#service/app/connect.ts';
import { openLedger } from '#service/app/signingWallet.ts';
import { readSigning } from '#service/cli/mcp.ts';
import { openWallet } from '#service/cli/prepare.ts';
import { readConfig } from '#service/config.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { buildWalletRequest, waitForDecision } from '#service/wallet/walletInterface.ts';
import { patienceMs } from '../support/patience.ts';
import { createFolder } from '../support/svc.ts';
import { callTool, openClient, startTools } from '../support/tools.ts';
import { market } from './market.ts';

const { address, privateKey: PRIVATE_KEY } = accountOf('linguist');
const other = accountOf('newcomer').address;

const policy = {
  version: 1,
  mode: 'enforce',
  markets: ['standard'],
  actions: { 'top-up': {}, 'post-task': {}, 'create-task': {}, 'open-session': {}, 'send-message': {} },
  perAction: { tok: '2000', usdc: '20' },
  perDay: { tok: '2000', usdc: '50' },
  perCounterparty: { tok: '2000', usdc: '50' },
  maxTaskTok: '900',
};

/** A data folder with a policy in it; the wallet of one test is not that of another. */
function prepareFolder(context: TestContext, changed: Partial<typeof policy> = {}) {
  const folder = createFolder(context);
  const file = join(folder, 'policy.json');
  writeFileSync(file, JSON.stringify({ ...policy, ...changed }));
  return { folder, file, env: { PRIVATE_KEY, SVC_DATA_DIR: folder, SVC_POLICY: file } };
}

/** The tools of an agent that signs with a key file under a policy. */
async function openTools(
  context: TestContext,
  gatewayUrl: string,
  dataDir: string,
  keyFile: string,
  policy: string,
  capabilities: ClientCapabilities = {},
) {
  writeFileSync(keyFile, PRIVATE_KEY, { mode: 0o600 });
  const tools = await startTools(gatewayUrl, undefined, {
    env: { SVC_DATA_DIR: dataDir, SVC_KEY_FILE: keyFile },
    options: { wallet: 'key', policy },
  });
  const client = await openClient(context, tools.url, { capabilities, versionNegotiation: { mode: 'auto' } });
  context.after(tools.close);
  return client;
}

const topUp = (usdc: string) => ['prepare', 'top-up', '--amount-usdc', usdc, '--wallet', 'key'];

test('a key signs within the policy; beyond it the owner gets a request that says why', async (context) => {
  const { run, gatewayUrl } = market;
  const { env, file } = prepareFolder(context);
  const signed = JSON.parse((await run(topUp('20'), env)).out);
  assert.equal(signed.status, 'settled');
  assert.equal(typeof signed.requestId, 'string');
  // The page shows what was signed, and asks for nothing.
  assert.ok(signed.approvalUrl.startsWith(gatewayUrl));
  const id = new URL(signed.approvalUrl).searchParams.get('request');
  const seen = (await (await fetch(`${gatewayUrl}/v1/requests/${id}`)).json()) as Record<string, unknown>;
  assert.deepEqual([seen.status, seen.transactionHashes], ['settled', signed.transactionHashes]);
  const { out, err, exitCode } = await run(topUp('21'), env);
  assert.equal(exitCode, 0, err);
  assert.match(err, /leaves this to the owner: top-up costs 21 USDC; its limit is 20 USDC/);
  const { requestId, approvalUrl, status } = JSON.parse(out);
  assert.equal(status, 'pending');
  assert.ok(approvalUrl.startsWith(gatewayUrl));
  const shown = await fetch(`${gatewayUrl}/v1/requests/${requestId}`);
  const { request } = (await shown.json()) as { request: { summary: string } };
  assert.match(request.summary, /Over the policy: top-up costs 21 USDC/);
  const log = (await run(['policy', 'log', '--json'], env)).out.trim().split('\n');
  const kinds = log.map((line) => JSON.parse(line).kind);
  assert.deepEqual(kinds, ['reserved', 'settled', 'exceeded', 'asked']);
  const { spent } = JSON.parse((await run(['policy', 'spent', '--json'], env)).out);
  assert.equal(spent[0].usdc, '20');
  const check = ['policy', 'check', file, 'top-up', '--from', address, '--amount-usdc'];
  const refusal = await run([...check, '31'], env);
  assert.equal(refusal.exitCode, 1);
  assert.match(refusal.out, /perDay: 20 USDC of 50 USDC are spent, 31 USDC are asked for/);
});

test('a wallet tool server gets what the policy allows, and nothing else', async (context) => {
  const { siteUrl, gatewayUrl } = market;
  const { env } = prepareFolder(context);
  const config = readConfig({ ...env, SVC_SITE_URL: siteUrl, SVC_GATEWAY_URL: gatewayUrl });
  const connection = await connect(config);
  context.after(connection.close);
  const walletServer = market.walletServer('linguist');
  const options = { wallet: 'mcp', walletServer, isConsented: false, wait: false, args: {} } as const;
  const wallet = (await openWallet(options, config, connection)) ?? assert.fail();
  context.after(wallet.close);
  const submit = async (amountUsdc: string) => {
    const args = { amountUsdc, from: address };
    const prepared = await prepareAction('top-up', args, async () => buildMarketAccess(connection));
    return wallet.submit(buildWalletRequest(prepared as PreparedCalls));
  };
  const over = await submit('21');
  assert.match(over.askedBecause?.[0] ?? '', /its limit is 20 USDC/);
  assert.ok(over.approvalUrl?.startsWith(gatewayUrl));
  const allowed = await submit('11');
  const { status } = await waitForDecision(wallet, allowed, AbortSignal.timeout(patienceMs));
  assert.equal(status, 'settled');
  const [entry, ...others] = openLedger(config).loadSpent(address);
  assert.deepEqual(
    [entry?.requestId, entry?.spendings[0]?.usdc, others.length],
    [allowed.requestId, 11_000_000n, 0],
  );
});

test('an agent finishes within the policy alone, and can change neither wallet nor policy', async (context) => {
  const { gatewayUrl, depositOf } = market;
  const { folder, file } = prepareFolder(context);
  const client = await openTools(context, gatewayUrl, folder, join(folder, 'agent.key'), file);
  const call = (name: string, args: Record<string, unknown>) => callTool(client, name, args);
  const prepare = async (args: Record<string, unknown>) => {
    const { data, text } = await call('svc_prepare', args);
    return { text, ...data };
  };
  const before = await depositOf('linguist');
  const own = await prepare({ action: 'top-up', arguments: { amountUsdc: '20' } });
  assert.equal(own.status, 'settled', own.text);
  assert.equal(typeof own.requestId, 'string');
  assert.equal(await depositOf('linguist'), before + 20_000_000n);
  const status = await call('svc_get_request', { requestId: own.requestId });
  assert.equal(status.data.status, 'settled');
  const over = await prepare({ action: 'top-up', arguments: { amountUsdc: '20.000001' } });
  assert.equal(over.status, 'pending');
  assert.match(over.askedBecause[0], /its limit is 20 USDC/);
  assert.ok(over.approvalUrl.startsWith(gatewayUrl));
  const foreign = await prepare({ action: 'top-up', arguments: { amountUsdc: '5', from: other } });
  assert.equal(foreign.status, 'pending', 'another wallet is asked itself');
  const asked = await prepare({ action: 'top-up', arguments: { amountUsdc: '5' }, wallet: 'local' });
  assert.equal(asked.status, 'pending');
  const unlisted = await prepare({ action: 'approve-tok-router', arguments: { amountTok: '1' } });
  assert.equal(unlisted.status, 'pending', unlisted.text);
  // The session is signed at once, so the inbox is open.
  const inbox = await call('svc_inbox', { address });
  assert.equal(inbox.data.requestId, null, inbox.text);

  for (const args of [
    { action: 'top-up', arguments: { amountUsdc: '1' }, wallet: 'key' },
    { action: 'top-up', arguments: { amountUsdc: '1' }, policy: '/dev/null' },
    { action: 'top-up', arguments: { amountUsdc: '1', policy: '/dev/null' } },
    { action: 'top-up', arguments: { amountUsdc: '1' }, env: { SVC_POLICY: '/dev/null' } },
    { action: '../policy', arguments: {} },
  ])
    assert.ok((await call('svc_prepare', args)).isError, JSON.stringify(args));
  writeFileSync(file, JSON.stringify({ ...policy, perAction: { tok: '1', usdc: '1000000' } }));
  const changed = await prepare({ action: 'top-up', arguments: { amountUsdc: '21' } });
  assert.equal(changed.status, 'pending', 'the file counts as it was at the start');
});

test('a person is asked before a file becomes public, and about nothing that the wallet will not sign', async (context) => {
  const { gatewayUrl } = market;
  const asked: string[] = [];
  let isConfirmed = false;
  const open = async (mode: string) => {
    const { folder, file } = prepareFolder(context, { mode });
    const form = { elicitation: { form: {} } };
    const client = await openTools(context, gatewayUrl, folder, join(folder, 'agent.key'), file, form);
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return isConfirmed ? { action: 'accept', content: { confirm: true } } : { action: 'decline' };
    });
    return client;
  };
  const client = await open('enforce');
  const attach = () =>
    callTool(client, 'svc_attach_file', { path: 'package.json', from: address, seal: false });
  const refused = await attach();
  assert.match(refused.text, /the person at the client did not confirm it/);
  const [, sha256 = ''] = /SHA-256 ([0-9a-f]{64})/.exec(asked[0] ?? '') ?? [];
  assert.match(asked[0] ?? '', /Anyone who has its hash can download it/);
  const isThere = async () => (await fetch(`${gatewayUrl}/v1/files/${sha256}`)).ok;
  assert.equal(await isThere(), false);
  isConfirmed = true;
  const { data, text } = await attach();
  assert.equal(data.uploaded, true, text);
  assert.match(data.next, /Anyone who has its hash can download it/);
  assert.equal(await isThere(), true);
  const prepare = (one: Client, amountUsdc: string) =>
    callTool(one, 'svc_prepare', { action: 'top-up', arguments: { amountUsdc } });
  assert.equal((await prepare(client, '21')).data.status, 'pending');
  assert.match(asked.at(-1) ?? '', /if its policy allows it; otherwise its owner decides on a page/);
  const task = { title: 'Ten names', criteriaText: 'All.', totalAmountTok: '950', deadline: '+5d' };
  await callTool(client, 'svc_prepare', { action: 'post-task', arguments: task });
  assert.match(asked.at(-1) ?? '', /\nIn the end: it pays the worker 950 TOK .*you spend 1,950 TOK .*\.\n/);
  asked.length = 0;
  const dry = await open('dry-run');
  assert.match(dry.getInstructions() ?? '', /dry run: it signs nothing/);
  assert.match((await prepare(dry, '5')).text, /Nothing was signed.*the wallet would sign this/);
  assert.deepEqual(asked, []);
});

test('no tool sends the key, the policy or the data folder anywhere', async (context) => {
  const { gatewayUrl } = market;
  const { file, folder } = prepareFolder(context);
  // Below the folder of the tools, where other files may be sent.
  const place = join(process.cwd(), `policy-${process.pid}`);
  mkdirSync(place);
  context.after(() => rmSync(place, { recursive: true, force: true }));
  const keyFile = join(place, 'agent.key');
  const data = join(place, 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'policy.sqlite'), 'rows');
  const client = await openTools(context, gatewayUrl, data, keyFile, file);
  symlinkSync(keyFile, join(place, 'notes.txt'));
  linkSync(keyFile, join(place, 'copy.txt'));
  const hidden = ['agent.key', 'notes.txt', 'copy.txt', 'data/policy.sqlite', 'data/../agent.key', folder];
  for (const path of hidden) {
    const given = relative(process.cwd(), join(place, path));
    const args = { path: given, taskId: 'v2:standard:1', from: address };
    const result = await callTool(client, 'svc_attach_file', args);
    assert.equal(result.isError, true, path);
    assert.doesNotMatch(JSON.stringify(result), new RegExp(PRIVATE_KEY.slice(2, 20)));
  }
});

test('tools with a signing wallet never start without policy and key', async (context) => {
  const { env, file, folder } = prepareFolder(context);
  const shared = join(folder, 'shared.key');
  writeFileSync(shared, PRIVATE_KEY);
  chmodSync(shared, 0o644);
  const place = (name: string, modes: { readonly file: number; readonly folder: number }) => {
    const inside = join(folder, name);
    mkdirSync(inside);
    const path = join(inside, 'policy.json');
    writeFileSync(path, JSON.stringify(policy));
    chmodSync(path, modes.file);
    chmodSync(inside, modes.folder);
    return path;
  };
  const open = place('open', { file: 0o646, folder: 0o755 });
  const group = place('group', { file: 0o664, folder: 0o755 });
  const inOpen = place('inOpen', { file: 0o600, folder: 0o757 });
  const inGroup = place('inGroup', { file: 0o600, folder: 0o775 });
  const link = join(folder, 'link.json');
  symlinkSync(inGroup, link);
  const below = place(join('inOpen', 'below'), { file: 0o600, folder: 0o700 });
  for (const [options, variables, says] of [
    [{ wallet: 'key' }, { PRIVATE_KEY }, /needs a spending policy/],
    [{ wallet: 'key' }, { SVC_POLICY: file }, /PRIVATE_KEY is not set/],
    [{ wallet: 'key' }, { SVC_POLICY: file, SVC_KEY_FILE: shared }, /other users can read it/],
    [{ wallet: 'key', policy: join(folder, 'none.json') }, env, /there is no such file/],
    ...[open, group].map(
      (path) => [{ wallet: 'key', policy: path }, env, /can change .*policy\.json; chmod go-w it/] as const,
    ),
    ...[inOpen, inGroup, link, below].map(
      (path) =>
        [{ wallet: 'key', policy: path }, env, /can change .*\/in(Open|Group); chmod go-w it/] as const,
    ),
    [{ wallet: 'mcp', policy: file }, env, /needs --wallet-server/],
  ] as const)
    assert.throws(() => readSigning(options, readConfig(variables)), says);
  // In a sticky folder, such as /tmp, nobody replaces the file of another user.
  const sticky = place('sticky', { file: 0o600, folder: 0o1777 });
  assert.ok(readSigning({ wallet: 'key', policy: sticky }, readConfig(env)));
});
