// Calls every tool once, each with what the ones before it answered.
import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { privateKeyToAccount } from 'viem/accounts';
import { accountOf, accounts } from '#service/devnet/accounts.ts';
import type { JsonSchema } from '#service/mcp/publishedSchema.ts';
import { tools } from '#service/mcp/tools.ts';
import { until } from '../support/until.ts';
import { fillNulls } from './dialects.ts';

const poster = accountOf('newcomer').address;
const worker = accountOf('visitor').address;
const sender = privateKeyToAccount(accountOf('newcomer').privateKey);

/** Sends null for each argument that is left out, as strict clients do. */
export async function walkTools(client: Client): Promise<void> {
  const { tools: listed } = await client.listTools();
  const called = new Set<string>();

  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is checked by its schema
  async function call(name: string, args: Record<string, unknown> = {}): Promise<any> {
    const { inputSchema } = listed.find((tool) => tool.name === name) ?? assert.fail(name);
    const filled = fillNulls(inputSchema as JsonSchema, args) as typeof args;
    const result = await client.callTool({ name, arguments: filled });
    const [content] = result.content;
    const text = content?.type === 'text' ? content.text : '';
    assert.notEqual(result.isError, true, `${name}: ${text}`);
    // A model that reads the text alone gets the same facts; what only programs need is left out.
    // A document stands in an answer once, never beside its bytes.
    assert.doesNotMatch(JSON.stringify(result.structuredContent), /;base64,[\w+/=-]{20}/, name);
    const { calls: _, ...facts } = result.structuredContent as Record<string, unknown>;
    const shown = JSON.parse(text);
    for (const field of Object.keys(shown))
      assert.ok(field in facts || field === 'calls', `${name}: ${field}`);
    const { output, brief } = tools.find((tool) => tool.name === name) ?? assert.fail(name);
    if (brief === undefined) assert.deepEqual(shown, result.structuredContent, name);
    output.parse(result.structuredContent);
    called.add(name);
    return result.structuredContent;
  }

  const { tasks: open } = await call('svc_list_open_tasks', { limit: 2 });
  const taskId = open[0].id;
  await call('svc_list_recent_tasks', { market: 'micro', limit: 2 });
  const { task } = await call('svc_get_task', { taskId });
  await call('svc_get_timeline', { taskId });
  await call('svc_list_tasks_by_poster', { address: task.poster, limit: 2 });
  await call('svc_list_tasks_by_worker', { address: worker });
  await call('svc_task_next_steps', { taskId, address: worker });
  await call('svc_get_agent_reputation', { address: task.poster });
  await call('svc_my_work', { address: poster });
  await call('svc_list_arbitrators', { market: 'micro' });
  await call('svc_find_workers', { skill: 'illustration' });
  await call('svc_find_workers', { address: task.poster });
  const profile = { from: poster, name: 'Newcomer', skills: ['testing'] };
  const publishing = await call('svc_publish_profile', profile);
  assert.deepEqual([publishing.published, publishing.status], [false, 'pending']);
  await call('svc_listings', { market: 'standard' });
  const wanted = {
    from: poster,
    title: 'Draw a map',
    criteriaText: 'A map.',
    maxTok: '900',
    deadline: '+30d',
  };
  const listing = await call('svc_publish_listing', wanted);
  assert.deepEqual([listing.published, listing.status], [false, 'pending']);
  await call('svc_onboarding_checklist', { address: poster });
  const words = {
    title: 'Repair links',
    criteriaText: 'All links work.',
    totalAmountTok: '500',
    deadline: '+7d',
  };
  const { terms, document, settlementDigest, negotiationId } = await call('svc_build_task_terms', {
    ...words,
    poster,
    worker,
  });
  const offer = await call('svc_build_xmtp_proposal', {
    terms,
    document,
    negotiationId,
    sender: poster,
    xmtpPublicKey: poster,
  });
  assert.match(await sender.signTypedData(offer.typedData), /^0x/);
  await call('svc_build_xmtp_acceptance_template', { terms, offerHash: offer.hash });
  const { matches } = await call('svc_verify_settlement_digest', { terms, settlementDigest });
  assert.equal(matches, true);
  const prepared = await call('svc_prepare', {
    action: 'top-up',
    arguments: { amountUsdc: '45', from: poster },
  });
  assert.equal(prepared.simulation.status, 'success');
  const posting = {
    action: 'post-task',
    arguments: { ...words, from: accountOf('shop').address },
    wallet: 'none',
  };
  assert.equal((await call('svc_prepare', posting)).status, null);
  await call('svc_get_request', { requestId: prepared.requestId });
  const attachment = { path: 'package.json', taskId, from: task.poster };
  const waiting = await call('svc_attach_file', attachment);
  assert.deepEqual([waiting.uploaded, waiting.status], [false, 'pending']);
  await approve(waiting.approvalUrl, task.poster);
  let attached = waiting;
  await until(async () => {
    attached = await call('svc_attach_file', attachment);
    return attached.uploaded;
  });
  const { artifact } = attached;
  const file = await call('svc_read_file', { sha256: artifact.sha256 });
  assert.match(file.untrustedText.text, /"name"/);
  const inbox = await call('svc_inbox', { address: poster });
  assert.equal(inbox.status, 'pending');
  const note = { type: 'Note', payload: { text: 'A question' }, to: worker };
  const message = await call('svc_send_message', { from: poster, ...note });
  assert.deepEqual([message.sent, message.status], [false, 'pending']);
  assert.deepEqual([...called].sort(), listed.map(({ name }) => name).sort());
  assert.deepEqual([...called].sort(), tools.map(({ name }) => name).sort());
}

/** Signs what a page shows, as the owner of the wallet would there. */
export async function approve(approvalUrl: string, address: string): Promise<void> {
  const { origin, searchParams } = new URL(approvalUrl);
  const url = `${origin}/v1/requests/${searchParams.get('request')}`;
  const { request } = (await (await fetch(url)).json()) as { request: { typedData: never } };
  const owner = accounts.find((account) => account.address === address) ?? assert.fail(address);
  const signature = await privateKeyToAccount(owner.privateKey).signTypedData(request.typedData);
  const body = JSON.stringify({ status: 'signed', signature });
  const headers = { 'content-type': 'application/json' };
  assert.equal((await fetch(`${url}/result`, { method: 'POST', headers, body })).status, 200);
}
