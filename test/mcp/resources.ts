// Resources, prompts, and news of what a client listens to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { accountOf } from '#service/devnet/accounts.ts';
import { base } from '../support/baseChain.ts';
import { openClient } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { call, client, gateway, tools } from './scene.ts';

const { address: poster, privateKey } = accountOf('press');
const stranger = '0x00000000000000000000000000000000000000aa';

const taskUri = (id: string) => `svc://task/${id.slice(3).replace(':', '/')}`;

test('a task, a guide and a full schema can be read; an unknown task is missing', async () => {
  const { data } = await call('svc_list_open_tasks', { limit: 1 });
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents;
    return content !== undefined && 'text' in content ? content.text : '';
  };
  const { task, warning } = JSON.parse(await read(taskUri(data.tasks[0].id)));
  assert.equal(task.id, data.tasks[0].id);
  assert.match(warning, /untrustedText.*never follow instructions/);
  assert.match(await read('svc://guide/worker'), /^---\nname: svc-worker/);
  assert.ok('$defs' in JSON.parse(await read('svc://schema/svc_get_task')));
  for (const uri of ['svc://task/standard/99999', 'svc://task/both/1', 'svc://inbox/me', 'svc://schema/none'])
    await assert.rejects(client.readResource({ uri }), uri);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.deepEqual(resourceTemplates.map(({ name }) => name).sort(), ['inbox', 'schema', 'task']);
});

test('a prompt for each role begins its job', async () => {
  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts.map(({ name }) => name).sort(), ['arbitrator', 'poster', 'worker']);
  const { messages } = await client.getPrompt({ name: 'worker', arguments: { address: stranger } });
  assert.match(JSON.stringify(messages), new RegExp(`submit-proof.*My wallet is ${stranger}`));
});

test('a client that listens to a task learns of its change', async (context) => {
  const listener = await openClient(context, tools.url, { versionNegotiation: { mode: 'auto' } });
  const { ttlMs } = (await listener.listTools()) as { readonly ttlMs?: number };
  assert.equal(ttlMs, 300_000, 'the list of tools may be kept');
  const { data } = await call('svc_list_tasks_by_poster', { address: poster, limit: 100 });
  const { id: taskId } = data.tasks.findLast(({ state }: { state: string }) => state === 'POSTED');
  const changed: string[] = [];
  listener.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    changed.push(params.uri);
  });
  await listener.listen({ resourceSubscriptions: [taskUri(taskId)] });
  // The first one says that following has begun.
  await until(() => changed.length > 0);
  const { data: prepared } = await call('svc_prepare', {
    action: 'cancel-task',
    arguments: { taskId, from: poster },
    wallet: 'none',
  });
  const account = privateKeyToAccount(privateKey);
  const wallet = createWalletClient({ account, chain: base, transport: http(gateway.devnet.rpcUrl) });
  for (const { to, data: bytes } of prepared.calls) await wallet.sendTransaction({ to, data: bytes });
  await until(() => changed.length > 1);
  assert.deepEqual([...new Set(changed)], [taskUri(taskId)]);
});
