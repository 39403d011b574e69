// The tools that a gateway serves at /mcp: a stock client connects by address with nothing installed, reads, prepares and
// polls; nothing of another caller can be read, and floods are bounded.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { accountOf } from '#service/devnet/accounts.ts';
import { hostedTools, tools } from '#service/mcp/tools.ts';
import { callTool, openClient } from '../support/tools.ts';
import { gateway } from './scene.ts';

const { address } = accountOf('visitor');

async function connect(context: TestContext) {
  const client = await openClient(context, `${gateway.url()}/mcp`);
  return { client, call: (name: string, args: Record<string, unknown>) => callTool(client, name, args) };
}

test('the documents lead to the endpoint, and it lists every tool that needs no wallet of its own', async (context) => {
  const { client } = await connect(context);
  const { body } = await gateway.get('/.well-known/mcp.json');
  assert.equal(body.mcpServers.svc.url, `${gateway.url()}/mcp`);
  const { tools: listed } = await client.listTools();
  assert.deepEqual(
    listed.map(({ name }) => name),
    hostedTools.map(({ name }) => name),
  );
  assert.deepEqual(
    body.tools.map(({ name }: { name: string }) => name),
    listed.map(({ name }) => name),
    'the document names exactly what its address serves',
  );
  const left = tools.filter((tool) => !hostedTools.includes(tool)).map(({ name }) => name);
  assert.deepEqual(left.sort(), [
    'svc_attach_file',
    'svc_publish_listing',
    'svc_publish_profile',
    'svc_read_file',
    'svc_send_message',
  ]);
  for (const { annotations } of listed) assert.notEqual(annotations?.destructiveHint, true);
  assert.match(client.getInstructions() ?? '', /This server signs nothing.* run svc mcp\.$/);
});

test('a stock client reads, prepares, and polls until the owner has decided', async (context) => {
  const { call } = await connect(context);
  const open = await call('svc_list_open_tasks', { limit: 2 });
  assert.equal(open.data.count, 2);
  const [{ id: taskId }] = open.data.tasks;
  for (const [name, args] of [
    ['svc_get_task', { taskId }],
    ['svc_listings', {}],
    ['svc_find_workers', {}],
    ['svc_list_arbitrators', {}],
    ['svc_task_next_steps', { taskId, address }],
    ['svc_onboarding_checklist', { address }],
  ] as const) {
    const found = await call(name, args);
    assert.ok(!found.isError, `${name}: ${found.text}`);
  }
  const topUp = { action: 'top-up', arguments: { from: address, amountUsdc: '9' } };
  const prepared = await call('svc_prepare', topUp);
  assert.equal(prepared.data.status, 'pending', prepared.text);
  assert.deepEqual(prepared.data.money, [
    'Allows the deposit vault (standard) to take 9 USDC from your wallet',
    '9 USDC from your wallet to your collateral',
  ]);
  const { requestId, approvalUrl } = prepared.data;
  assert.ok(approvalUrl.startsWith(`${gateway.url()}/approve.html?request=`));
  const poll = async () => (await call('svc_get_request', { requestId })).data;
  assert.equal((await poll()).status, 'pending');
  const [, token] = approvalUrl.split('#token=');
  const rejection = { status: 'rejected', reason: 'Not today.' };
  const headers = { 'svc-approval-token': token };
  const rejected = await gateway.post(`/v1/requests/${requestId}/result`, rejection, headers);
  assert.equal(rejected.status, 200);
  const { status, error, approvalUrl: later } = await poll();
  assert.deepEqual([status, error], ['rejected', 'The owner says: Not today.']);
  assert.doesNotMatch(later, /token/, 'only the caller who asked got the secret');
});

test('the same call again is the same request until its owner has decided, and never pays twice', async (context) => {
  const { call } = await connect(context);
  const prepare = async (amountUsdc: string, more = {}) =>
    (await call('svc_prepare', { action: 'top-up', arguments: { from: address, amountUsdc }, ...more })).data;
  const [first, second] = await Promise.all([prepare('11'), prepare('11')]);
  assert.ok(first.requestId !== undefined && first.requestId === second.requestId, 'also at the same moment');
  const again = await prepare('11');
  assert.deepEqual([again.requestId, again.approvalUrl], [first.requestId, first.approvalUrl]);
  assert.match(again.next, /same call made this request before/);
  assert.notEqual((await prepare('12')).requestId, first.requestId);
  const post = {
    title: 'A task',
    description: 'Words.',
    criteriaText: 'Done.',
    totalAmountTok: '300',
    from: accountOf('lab').address,
  };
  const posts = ['1', '2'].map(async () => {
    const { data, text } = await call('svc_prepare', {
      action: 'post-task',
      arguments: { ...post, deadline: '+5d' },
    });
    return data.requestId ?? assert.fail(text);
  });
  const [one, other] = await Promise.all(posts);
  assert.equal(one, other, 'although the moment of its deadline differs');
  const [, token] = first.approvalUrl.split('#token=');
  const path = `/v1/requests/${first.requestId}/result`;
  await gateway.post(path, { status: 'rejected' }, { 'svc-approval-token': token });
  assert.notEqual((await prepare('11')).requestId, first.requestId, 'a decided one is over');
});

test('what needs a session is left out of an answer, which says how to see it', async (context) => {
  const { call } = await connect(context);
  const lab = accountOf('lab').address;
  const { tasks } = (await call('svc_list_tasks_by_poster', { address: lab, detail: 'full' })).data;
  const { id: taskId } = tasks.find(({ scope }: { scope: string }) => scope === 'private');
  const { text, data } = await call('svc_get_task', { taskId, address: lab });
  assert.equal(data.task?.poster, lab, text);
  assert.match(
    data.leftOut.join(),
    /the words of this private task: .* Sign in with svc_inbox, or run svc mcp on your machine/,
  );
  const verify = await call('svc_verify_settlement_digest', { root: `0x${'12'.repeat(32)}`, address: lab });
  assert.match(verify.text, /Run svc mcp on your machine, and make the same call there\.$/);
});

test('mistakes are answered with what to do, and hidden tools and mailboxes stay hidden', async (context) => {
  const { client, call } = await connect(context);
  const unknown = await call('svc_get_request', { requestId: 'nothing' });
  assert.ok(unknown.isError, unknown.text);
  const claim = { action: 'claim-task', arguments: { taskId: 'v2:standard:1', from: address } };
  const reverting = await call('svc_prepare', claim);
  assert.ok(reverting.isError, reverting.text);
  const hidden = await call('svc_inbox', { address }).catch(() => ({ isError: true }));
  assert.ok(hidden.isError);
  await assert.rejects(client.readResource({ uri: `svc://inbox/${address}` }));
});

test('what is no message of the protocol is refused, and one client cannot flood it', async () => {
  const post = (body: string) =>
    fetch(`${gateway.url()}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body,
    });
  for (const body of ['', '{', '[]', '{"jsonrpc":"1.0"}', `{"a":"${'x'.repeat(70_000)}"}`]) {
    const { status } = await post(body);
    assert.ok(status >= 400 && status < 500, `${status} for ${body.slice(0, 20)}`);
  }
  assert.equal((await fetch(`${gateway.url()}/mcp`)).status, 405);
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const statuses = await Promise.all(Array.from({ length: 150 }, async () => (await post(ping)).status));
  assert.ok(statuses.includes(429), String(new Set(statuses)));
});
