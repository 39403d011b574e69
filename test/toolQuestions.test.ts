// What the person at a client is asked before the wallet of the tools signs: the task, the sums, and what cannot be undone.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { parseTok } from '#sdk/domain/amount.ts';
import { createToolNeeds, readSigning } from '#service/cli/mcp.ts';
import { readConfig } from '#service/config.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { createToolServer } from '#service/mcp/server.ts';
import { tools } from '#service/mcp/tools.ts';
import { createCast } from './support/cast.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { createFolder } from './support/svc.ts';
import { callTool } from './support/tools.ts';

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ isSeeded: true });
});
after(() => gateway?.close());

const { address, privateKey } = accountOf('analyst');

const tokOf = async () => {
  const { client, contracts } = await createCast(gateway.devnet.rpcUrl, 'standard');
  return client.readContract({ ...contracts.tok, functionName: 'balanceOf', args: [address] });
};

const limit = { tok: '5000', usdc: '50' };
const policy = {
  version: 1,
  mode: 'enforce',
  markets: ['standard', 'micro'],
  actions: { 'claim-task': {}, 'approve-tok-router': {}, 'open-session': {} },
  perAction: limit,
  perDay: limit,
  perCounterparty: limit,
  maxTaskTok: '100',
};

async function startAgent(
  context: TestContext,
  changed: object = {},
  { url = gateway.url(), key = privateKey }: { readonly url?: string; readonly key?: string } = {},
) {
  const folder = createFolder(context);
  const [file, keyFile] = [join(folder, 'policy.json'), join(folder, 'agent.key')];
  writeFileSync(file, JSON.stringify({ ...policy, ...changed }));
  writeFileSync(keyFile, key, { mode: 0o600 });
  const env = { SVC_DATA_DIR: folder, SVC_KEY_FILE: keyFile, SVC_SITE_URL: url, SVC_GATEWAY_URL: url };
  const config = readConfig(env);
  const { needs, close } = createToolNeeds(config, readSigning({ wallet: 'key', policy: file }, config));
  const server = createToolServer({ version: '0', tools, needs, onError: console.error, signsAtOnce: true });
  const client = new Client({ name: 'agent', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  const questions: string[] = [];
  let isConfirmed = true;
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    questions.push(params.message);
    return isConfirmed ? { action: 'accept', content: { confirm: true } } : { action: 'decline' };
  });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(here), client.connect(there)]);
  context.after(async () => {
    await client.close();
    close();
  });
  const call = (name: string, args: object) => callTool(client, name, args);
  const claim = (taskId: string) => call('svc_prepare', { action: 'claim-task', arguments: { taskId } });
  return { client, call, claim, questions, decline: () => (isConfirmed = false) };
}

async function openTasks(): Promise<string[]> {
  const { body } = await gateway.get('/api/market/open?market=standard&limit=20');
  return body.tasks
    .filter((task: { fullyFunded: boolean }) => task.fullyFunded)
    .map(({ id }: { id: string }) => id);
}

test('the person at the client is asked with the sums, and a refusal signs nothing', async (context) => {
  const [taskId = ''] = await openTasks();
  const before = await tokOf();
  const { client, call, claim, questions, decline } = await startAgent(context);
  decline();
  const { isError, text } = await claim(taskId);
  assert.ok(isError, text);
  assert.match(questions[0] ?? '', /^Claim this task\?/);
  const { task } = (await gateway.get(`/api/market/task?id=${taskId}`)).body;
  assert.ok(questions[0]?.includes(`as its poster calls it: ${task.title}\n`), questions[0]);
  assert.match(questions[0] ?? '', /1000 TOK from your wallet to the market’s fees/);
  const posting = { title: 'Birds', criteriaText: 'All.', totalAmountTok: '150', deadline: '+7d' };
  await call('svc_prepare', { action: 'post-task', arguments: { ...posting, fundNowTok: '150' } });
  assert.match(
    questions[1] ?? '',
    /^Post a task\?\n[\s\S]*150 TOK from your wallet to escrow[\s\S]*Can it be undone\?/,
  );
  await call('svc_send_message', {
    from: address,
    type: 'TaskProposal',
    to: accountOf('shop').address,
    offer: { ...posting, market: 'standard' },
  });
  assert.match(
    questions[2] ?? '',
    /^Send a TaskProposal to 0x.*binds nobody until[\s\S]*the task: Birds[\s\S]*150 TOK from your wallet to escrow/,
  );
  await call('svc_send_message', { from: address, taskId });
  assert.match(
    questions[3] ?? '',
    new RegExp(`^Send the other party and the judge of ${taskId} the documents and file keys that they lack`),
  );
  for (const [name, question] of [
    ['svc_publish_listing', /^List the work “Birds”\? .*moves no money/],
    ['svc_publish_profile', /^Publish the profile of your wallet\? .*moves no money/],
  ] as const) {
    const words = name === 'svc_publish_listing' ? { title: 'Birds' } : { headline: 'Birds' };
    const { data } = await call(name, { from: address, ...words });
    assert.match(questions.at(-1) ?? '', question);
    assert.match(JSON.stringify(data), /"code":"TOOL_FAILED".*"fix":"Ask the person/);
  }
  const { tools: listed } = await client.listTools();
  // The next page of the inbox marks the one before as read.
  for (const { name, annotations: { readOnlyHint, destructiveHint } = {} } of listed)
    if (name === 'svc_inbox') assert.deepEqual([readOnlyHint, destructiveHint], [false, false]);
    else assert.equal(readOnlyHint !== true, destructiveHint === true, name);
  assert.match(text, /Nothing was signed or sent/);
  assert.equal(await tokOf(), before);
});

test('a signature is asked for with the sums that it lets the other party move', async (context) => {
  const { call, questions, decline } = await startAgent(context);
  const prepare = async (action: string, args: object, wallet = 'server') =>
    (await call('svc_prepare', { action, arguments: args, wallet })).data;
  const ask = async (action: string, args: object) => {
    decline();
    await prepare(action, args);
    const { money } = await prepare(action, { ...args, from: address }, 'none');
    const question = questions.at(-1) ?? '';
    for (const line of money) assert.ok(question.includes(`- ${line}\n`), `${line}\n${question}`);
    assert.doesNotMatch(question, /wei|No money moves/);
    return question;
  };
  const { data: own } = await call('svc_my_work', { address, market: 'micro' });
  const [, taskId = ''] =
    /"taskId":"([^"]+)","roles":\["worker"\],"state":"ACTIVE"/.exec(JSON.stringify(own)) ?? [];
  const split = await ask('mutual-settle', { taskId, workerBps: '2500', sign: true });
  const { task } = (await gateway.get(`/api/market/task?id=${taskId}`)).body;
  assert.ok(split.includes(`- the task ${taskId}, as its poster calls it: ${task.title}\n`), split);
  assert.match(split, /- 375 TOK from escrow to your wallet\n- 1125 TOK from escrow to the poster 0x/);
  const [poster, worker] = [accountOf('shop').address, address];
  const words = { title: 'Birds', criteriaText: 'All.', totalAmountTok: '1500', deadline: '+7d' };
  const { terms } = await prepare('build-task-terms', { ...words, poster, worker });
  const agreed = await ask('create-task', { terms: JSON.stringify(terms), sign: true });
  assert.match(agreed, /a task of 1500 TOK[\s\S]*1500 TOK from escrow to your wallet \(if all is accepted\)/);
});

test('an acceptance is asked for with the task, the sums and the other party', async (context) => {
  const changed = { actions: { ...policy.actions, 'send-message': {} } };
  const shop = accountOf('shop');
  const poster = await startAgent(context, changed, { key: shop.privateKey });
  const worker = await startAgent(context, changed);
  const offer = { title: 'Birds', criteriaText: 'All.', totalAmountTok: '150', deadline: '+7d' };
  const sent = await poster.call('svc_send_message', {
    from: shop.address,
    type: 'TaskProposal',
    to: address,
    offer,
  });
  const { root, settlementDigest } = sent.data;
  const other = { from: address, type: 'TaskAcceptance', root, settlementDigest: `0x${'1'.repeat(64)}` };
  const { text } = await worker.call('svc_send_message', other);
  assert.match(
    text,
    /Another offer is open now, with the settlementDigest 0x[\s\S]*read it before you accept/,
  );
  assert.deepEqual(worker.questions, [], 'nobody confirms terms that the call does not name');
  worker.decline();
  const acceptance = { from: address, type: 'TaskAcceptance', root, settlementDigest };
  const { data: declined } = await worker.call('svc_send_message', acceptance);
  const question = worker.questions.at(-1) ?? '';
  assert.ok(
    question.startsWith(`Accept the terms ${settlementDigest} of ${shop.address}? It binds.\n`),
    question,
  );
  for (const line of [
    'the task: Birds',
    '1000 TOK from your wallet to the market’s fees',
    '150 TOK from escrow to your wallet (if all is accepted)',
  ])
    assert.ok(question.includes(`- ${line}\n`), question);
  assert.match(JSON.stringify(declined), /"code":"TOOL_FAILED".*Nothing was signed or sent/);
});

test('a split that one party signs reaches the other as a ready call, with what it lets it do', async (context) => {
  const allowed = ['create-task', 'start-work', 'mutual-settle', 'send-message'].map((name) => [name, {}]);
  const changed = { actions: { ...policy.actions, ...Object.fromEntries(allowed) }, maxTaskTok: '200' };
  const shop = accountOf('shop');
  const poster = await startAgent(context, changed, { key: shop.privateKey });
  const worker = await startAgent(context, changed);
  const words = { title: 'Birds', criteriaText: 'All.', totalAmountTok: '150', deadline: '+7d' };
  const prepare = async (agent: typeof poster, action: string, args: object) => {
    const { text, data, isError } = await agent.call('svc_prepare', { action, arguments: args });
    assert.equal(isError, false, text);
    return data;
  };
  const proposal = { from: shop.address, type: 'TaskProposal', to: address, offer: words };
  const { root, settlementDigest } = (await poster.call('svc_send_message', proposal)).data;
  await worker.call('svc_send_message', { from: address, type: 'TaskAcceptance', root, settlementDigest });
  await prepare(worker, 'approve-tok-router', { amountTok: '1000' });
  const unread = { action: 'create-task', arguments: { root, fundNowTok: '150' } };
  assert.match((await poster.call('svc_prepare', unread)).text, /root takes settlementDigest/);
  const created = await prepare(poster, 'create-task', { root, settlementDigest, fundNowTok: '150' });
  const { taskId } = created;
  await prepare(poster, 'start-work', { taskId });

  const split = await prepare(worker, 'mutual-settle', { taskId, workerBps: '2000', sign: true });
  const [, to] =
    /svc_send_message with to (0x\w{40}), or root .*, taskId, type MutualCancel/.exec(split.next) ??
    assert.fail(split.next);
  const { validUntil, signature } = split;
  const payload = { workerBps: 2_000, validUntil, signature };
  const message = { from: address, taskId, type: 'MutualCancel', payload };
  const opened = await worker.call('svc_send_message', { ...message, to });
  await worker.call('svc_send_message', { ...message, root });
  const question = worker.questions.at(-1) ?? '';
  assert.match(
    question,
    /^Send your signed split .*\nWith it they can end the task until .*: 20 % of what escrow/,
  );
  assert.doesNotMatch(question, /binds nobody/);
  const listNext = async (of: string) => {
    const { data } = await poster.call('svc_inbox', { address: shop.address, root: of, limit: 0 });
    return data.conversations[0].next;
  };
  const [ready, steps] = await listNext(root);
  assert.deepEqual(
    (await listNext(opened.data.root))[0],
    ready,
    'in a conversation without an offer as well',
  );
  assert.match(ready.why, /has signed this split of v2:standard:\d+, 20 % to the worker/);
  assert.equal(steps.tool, 'svc_task_next_steps');
  const { isError, text } = await poster.call(ready.tool, ready.arguments);
  assert.equal(isError, false, text);
  const { task } = (await gateway.get(`/api/market/task?id=${taskId}`)).body;
  assert.deepEqual([task.state, task.releasedTokWei], ['RESOLVED', String(parseTok('30'))]);
});
