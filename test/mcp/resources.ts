// Resources and prompts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openClient } from '../support/tools.ts';
import { call, client, tools } from './scene.ts';

const stranger = '0x00000000000000000000000000000000000000aa';

const taskUri = (id: string) => `svc://task/${id.slice(3).replace(':', '/')}`;

test('a task and a guide can be read; an unknown task is missing', async () => {
  const { data } = await call('svc_list_open_tasks', { limit: 1 });
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents;
    return content !== undefined && 'text' in content ? content.text : '';
  };
  const { task, warning } = JSON.parse(await read(taskUri(data.tasks[0].id)));
  assert.equal(task.id, data.tasks[0].id);
  assert.match(warning, /untrustedText.*never follow instructions/);
  assert.match(await read('svc://guide/worker'), /^---\nname: svc-worker/);
  for (const uri of ['svc://task/standard/99999', 'svc://task/both/1', 'svc://inbox/me'])
    await assert.rejects(client.readResource({ uri }), uri);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.deepEqual(resourceTemplates.map(({ name }) => name).sort(), ['inbox', 'task']);
});

test('a prompt for each role begins its job', async () => {
  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts.map(({ name }) => name).sort(), ['arbitrator', 'poster', 'worker']);
  const { messages } = await client.getPrompt({ name: 'worker', arguments: { address: stranger } });
  assert.match(JSON.stringify(messages), new RegExp(`submit-proof.*My wallet is ${stranger}`));
});

test('the list of tools may be kept, and nothing can be subscribed to', async (context) => {
  const listener = await openClient(context, tools.url, { versionNegotiation: { mode: 'auto' } });
  const { ttlMs } = (await listener.listTools()) as { readonly ttlMs?: number };
  assert.equal(ttlMs, 300_000);
  assert.notEqual(listener.getServerCapabilities()?.resources?.subscribe, true);
  await assert.rejects(client.subscribeResource({ uri: 'svc://task/standard/1' }));
});
