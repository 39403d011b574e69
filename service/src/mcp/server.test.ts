// Proves what the tool server does with calls that are taken back and with arguments that no tool has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { createToolServer } from './server.ts';
import { defineTool, type ToolContext } from './tool.ts';
import { tools } from './tools.ts';

const from = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const contracts = new Proxy({}, { get: () => `0x${'11'.repeat(20)}` });

/** A client beside a server whose chain and wallet are what the test says; `runs` are the calls that the server took. */
async function connect(needs: object, client = new Client({ name: 'test', version: '0' })) {
  const runs: Promise<unknown>[] = [];
  const watched = tools.map((tool) => ({
    ...tool,
    run: (...given: Parameters<typeof tool.run>) => {
      const run = tool.run(...given);
      runs.push(run.catch(() => undefined));
      return run;
    },
  }));
  const onError = (_tool: string, error: unknown) => assert.fail(String(error));
  const server = createToolServer({ version: '0', tools: watched, needs: needs as ToolContext, onError });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(here), client.connect(there)]);
  return { client, runs };
}

/** A chain on which every trial succeeds. */
function connecting(more: object = {}) {
  const reads = {
    readWallet: async () => ({ staking: {}, allowances: {}, usdc: 0n, tokWei: 0n }),
    readFigures: async () => ({}),
    simulate: async () => ({ status: 'success', gas: 1n }),
    readBaseFee: async () => 1n,
    ...more,
  };
  const markets = { standard: contracts, micro: contracts };
  return { connectPrepare: async () => ({ chainId: 8_453, contracts: markets, reads }) };
}

/** A wallet that nobody else uses. */
function createWallet<Answer>(submit: () => Promise<Answer>) {
  return { submit, inTurn: (_from: unknown, work: (given: typeof submit) => unknown) => work(submit) };
}

test('a call that is taken back during the trial hands nothing to the wallet', async () => {
  let handed = 0;
  const trial = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const simulate = async () => {
    begun.resolve();
    await trial.promise;
    return { status: 'success', gas: 1n };
  };
  const { client, runs } = await connect({
    ...connecting({ simulate }),
    wallet: createWallet(async () => {
      handed++;
      return { requestId: 'one', approvalUrl: null, status: 'pending' };
    }),
  });
  const prepare = (signal?: AbortSignal) =>
    client.callTool(
      {
        name: 'svc_prepare',
        arguments: { action: 'approve-usdc-vault', arguments: { from, amountUsdc: '45' } },
      },
      { ...(signal && { signal }) },
    );
  const stop = new AbortController();
  const taken = prepare(stop.signal);
  await begun.promise;
  stop.abort();
  await assert.rejects(taken);
  // The ping is answered after the server has read the cancellation.
  await client.ping();
  trial.resolve();
  await Promise.all(runs);
  assert.equal(handed, 0);
  await prepare();
  assert.equal(handed, 1, 'a call that is not cancelled reaches the wallet');
  await client.close();
});

test('a client that can open a page opens that of the request, which is made once', async () => {
  const approvalUrl = 'http://gateway.example/approve.html?request=one#token=secret';
  let handed = 0;
  const stock = new Client({ name: 'test', version: '0' }, { capabilities: { elicitation: { url: {} } } });
  const opened: unknown[] = [];
  stock.setRequestHandler('elicitation/create', async ({ params }) => {
    opened.push((params as { url?: string }).url);
    return { action: opened.length > 1 ? 'decline' : 'accept' };
  });
  const submit = async () => {
    handed++;
    return { requestId: 'one', approvalUrl, status: 'pending', transactionHashes: [] };
  };
  const { client } = await connect(
    {
      ...connecting(),
      readOwnAddress: async () => null,
      wallet: { ...createWallet(submit), readStatus: async () => ({ status: 'submitted' }) },
    },
    stock,
  );
  for (const round of [1, 2]) {
    const { isError, structuredContent } = await client.callTool({
      name: 'svc_prepare',
      arguments: { action: 'approve-usdc-vault', arguments: { from, amountUsdc: '45' } },
    });
    assert.notEqual(isError, true);
    const { requestId, status } = structuredContent as Record<string, unknown>;
    assert.deepEqual([requestId, status, handed], ['one', 'submitted', round]);
  }
  assert.deepEqual(opened, [approvalUrl, approvalUrl]);
  await client.close();
});

test('where a wallet signs at once, a client that can ask its person does so first', async () => {
  let handed = 0;
  const needs = {
    ...connecting(),
    readOwnAddress: async () => from,
    wallet: createWallet(async () => ({
      requestId: String(++handed),
      approvalUrl: null,
      status: 'submitted',
    })),
  };
  const stock = new Client({ name: 'test', version: '0' }, { capabilities: { elicitation: { form: {} } } });
  let isConfirmed = false;
  const asked: string[] = [];
  stock.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message);
    return isConfirmed ? { action: 'accept', content: { confirm: true } } : { action: 'decline' };
  });
  const { client } = await connect(needs, stock);
  const args = { action: 'approve-usdc-vault', arguments: { amountUsdc: '45' } };
  const refused = await client.callTool({ name: 'svc_prepare', arguments: args });
  assert.deepEqual([refused.isError, handed], [true, 0]);
  assert.match(asked[0] ?? '', new RegExp(`${from} signs it at once`));
  isConfirmed = true;
  await client.callTool({ name: 'svc_prepare', arguments: args });
  assert.equal(handed, 1);
  await client.callTool({ name: 'svc_prepare', arguments: { ...args, wallet: 'none' } });
  assert.equal(asked.length, 2, 'what signs nothing asks nothing');
  await client.close();
});

test('a person who has confirmed sums that changed since is asked again', async () => {
  const stock = new Client({ name: 'test', version: '0' }, { capabilities: { elicitation: { form: {} } } });
  const asked: string[] = [];
  stock.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: { confirm: true } };
  });
  const [prices, paid] = [['1', '2', '2'], [] as string[]];
  const pay = defineTool({
    name: 'pay',
    title: 'Pay',
    description: 'Pays.',
    input: z.object({}),
    output: z.object({ isPaid: z.boolean() }),
    writes: true,
    confirm: async () => `Pay ${prices.shift()} TOK until 12:0${asked.length}?`,
    run: async () => ({ isPaid: paid.push(asked.at(-1) ?? '') > 0 }),
  });
  const server = createToolServer({
    version: '0',
    tools: [pay],
    needs: {} as ToolContext,
    onError: assert.fail,
  });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(here), stock.connect(there)]);
  await stock.callTool({ name: 'pay', arguments: {} });
  assert.deepEqual(asked, ['Pay 1 TOK until 12:00?', 'Pay 2 TOK until 12:01?']);
  assert.deepEqual(paid, [asked[1]]);
  await stock.close();
});

test('closing a listing waits for the session, and says that the same call closes it then', async () => {
  const request = { requestId: 'one', approvalUrl: 'http://gateway.example/approve', status: 'pending' };
  const files = { gatewayUrl: 'http://gateway.example', signIn: async () => ({ kind: 'waiting', request }) };
  const { client } = await connect({ files });
  const args = { from, id: `0x${'12'.repeat(32)}`, close: true };
  const { structuredContent } = await client.callTool({ name: 'svc_publish_listing', arguments: args });
  const { requestId, next } = structuredContent as Record<string, unknown>;
  assert.equal(requestId, 'one');
  assert.match(String(next), /call again with the same arguments/);
  await client.close();
});

test('an argument that a tool does not have is refused by its name', async () => {
  const { client, runs } = await connect({});
  for (const { name } of tools) {
    const answer = await client.callTool({ name, arguments: { reveiwPeriod: '12h' } });
    assert.equal(answer.isError, true, name);
    assert.match(JSON.stringify(answer.content), /reveiwPeriod/, name);
  }
  assert.deepEqual(runs, []);
  await client.close();
});

test('a call whose arguments are misplaced, unknown or missing is answered with where they go', async () => {
  const { client } = await connect({ readOwnAddress: async () => null });
  const rows: readonly (readonly [tool: string, args: Record<string, unknown>, text: string])[] = [
    [
      'svc_prepare',
      { action: 'claim-task', taskId: 'v2:standard:1' },
      '  arguments: is required\n  taskId: there is no such field; put it into arguments',
    ],
    ['svc_prepare', { arguments: {} }, '  action: is required, such as "claim-task"'],
    ['svc_get_request', {}, '  requestId: is required'],
    ['svc_list_open_tasks', { market: 'both' }, '  market: must be "standard" or "micro"'],
    [
      'svc_get_timeline',
      { id: 'v2:standard:1', taskId: 'v2:standard:1' },
      '  id: there is no such field; there are taskId, limit, cursor',
    ],
    [
      'svc_onboarding_checklist',
      {},
      '  address: is required, because these tools have no wallet of their own',
    ],
  ];
  for (const [tool, args, mistakes] of rows) {
    const { content } = await client.callTool({ name: tool, arguments: args });
    const says =
      `The arguments of ${tool} have mistakes:\n${mistakes}\n` +
      'Correct what is named, and call again with the other arguments unchanged.';
    assert.deepEqual(content, [{ type: 'text', text: says }]);
  }
  const next = { address: from, cursor: '1.2' };
  const { content } = await client.callTool({ name: 'svc_my_work', arguments: next });
  assert.match(JSON.stringify(content), /Give market as well: each market has its own nextCursor/);
  await client.close();
});
