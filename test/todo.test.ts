// What waits for a wallet, as GET /v1/todo lists it: first, in the words of what is asked, and for this wallet alone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { privateKeyToAccount } from 'viem/accounts';
import { createMarketClient } from '#sdk/client/createMarketClient.ts';
import { createMailboxClient } from '#sdk/client/mailboxClient.ts';
import { toText } from '#sdk/describe/parts.ts';
import type { Address } from '#sdk/domain/address.ts';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { buildEnvelope, formatWire, noHead, signEnvelope } from '#sdk/negotiation/envelope.ts';
import { listTodo } from '#sdk/rules/todo.ts';
import { methodOf, type Route } from '#sdk/schemas/route.ts';
import { gatewayApi } from '#service/contract/apis.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { steps } from './pages/taskSteps.ts';
import { type Cast, createCast, enter } from './support/cast.ts';
import { ask as askChain } from './support/devnet.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { joinAs, writeListing } from './support/listings.ts';
import { postTask } from './support/posting.ts';
import { runSvc } from './support/svc.ts';
import { until } from './support/until.ts';

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ isSeeded: true });
});
after(() => gateway.close());

const accountNamed = (name: AccountName) => privateKeyToAccount(accountOf(name).privateKey);
const tokens = new Map<string, string>();

async function tokenOf(name: AccountName): Promise<string> {
  const token = tokens.get(name) ?? (await gateway.signIn(accountNamed(name)));
  tokens.set(name, token);
  return token;
}

async function ask(name: AccountName, query = '') {
  const { status, body, headers } = await gateway.get(`/v1/todo?${query}`, {
    authorization: `Bearer ${await tokenOf(name)}`,
  });
  return { status, body, headers };
}

/** The rows of a wallet in the words that a tool would print. */
async function read(name: AccountName, market: 'standard' | 'micro' | 'none' = 'standard') {
  const session = { token: await tokenOf(name), expiresAt: Number.MAX_SAFE_INTEGER };
  const wallet = accountNamed(name);
  const client = createMailboxClient({ baseUrl: gateway.url(), wallet, chainId: 8453, session });
  const { todo, counts } = await client.todo({ market });
  const rows = todo.map((row) => ({ ...row, text: toText(row.says) }));
  return { rows, counts, first: rows[0] };
}

test('a poster with a new proposal, then the worker that it chose and that must sign, then the poster again', async () => {
  const [poster, worker] = await Promise.all([joinAs(gateway, 'painter'), joinAs(gateway, 'scribe')]);
  const listing = await poster.matching.list(writeListing(gateway, {}, { title: 'Bind a secret book' }));
  const waiting = (await read('painter')).rows.find(({ about }) => about.id === listing.id);
  assert.equal(waiting?.turn, 'theirs', 'an own listing is one of the rows');
  assert.match(waiting?.text ?? '', /^Nobody has proposed for your listing “Bind a secret book”\.$/);
  await worker.do.approveTokRouter({ market: 'standard', amountTok: '0' });
  const before = await read('painter');
  const proposal = await worker.matching.propose(listing, { totalAmountTok: '600', days: 2, validHours: 2 });
  const asked = await read('painter');
  assert.deepEqual([asked.first?.about, asked.first?.ask], [{ kind: 'listing', id: listing.id }, 'decide']);
  assert.equal(
    asked.first?.text,
    `${worker.address} proposes to do “Bind a secret book” for 600 TOK: accept or decline it.`,
  );
  assert.equal(asked.first?.due, proposal.offer.expiresAt);
  assert.equal(asked.counts.mine, before.counts.mine + 1);
  const own = (await read('scribe')).rows.find(({ about }) => about.id === proposal.root);
  assert.equal(own?.turn, 'theirs', 'an own proposal is one of the rows');

  await poster.matching.choose(proposal);
  const chosen = await read('scribe');
  assert.deepEqual(
    [chosen.first?.about.id, chosen.first?.ask, chosen.first?.turn],
    [proposal.root, 'sign', 'mine'],
  );
  assert.equal(
    chosen.first?.text,
    `${poster.address} has chosen your offer of 600 TOK for “Bind a secret book”: sign it.`,
  );
  const done = (await read('painter')).rows.find(({ about }) => about.id === listing.id);
  assert.equal(done?.turn, 'theirs', 'the poster has done its part');

  await worker.matching.sign(proposal);
  const signed = await read('painter');
  assert.deepEqual([signed.first?.about.id, signed.first?.ask], [listing.id, 'create-task']);
  assert.match(
    signed.first?.text ?? '',
    /has signed the terms for “Bind a secret book”, 600 TOK: create the task/,
  );
  assert.equal((await read('scribe')).rows.find(({ about }) => about.id === proposal.root)?.turn, 'theirs');
  const [found = assert.fail()] = await poster.matching.proposals(listing);
  await poster.do.createTask(poster.matching.toTask(found));
  await until(async () => (await poster.matching.get(listing.id)).state === 'taken');
  for (const name of ['painter', 'scribe'] as const)
    assert.ok(
      !(await read(name)).rows.some(({ about }) => about.kind !== 'task'),
      `${name}: only the task is left`,
    );
  await Promise.all([poster.close(), worker.close()]);
});

test('svc work with the key of a wallet lists all that waits for it, and without the key why not', async () => {
  const [poster, worker] = await Promise.all([joinAs(gateway, 'painter'), joinAs(gateway, 'scribe')]);
  const listing = await poster.matching.list(writeListing(gateway, {}, { title: 'Gild a book' }));
  await worker.matching.propose(listing, { totalAmountTok: '600', days: 2 });
  const { address, privateKey } = accountOf('painter');
  const work = async (args: readonly string[], more: Readonly<Record<string, string>>) => {
    const env = { SVC_SITE_URL: gateway.url(), SVC_GATEWAY_URL: gateway.url(), ...more };
    const { out, err, exitCode } = await runSvc(['work', ...args], { cwd: gateway.dataDir, env });
    assert.equal(exitCode, 0, err);
    return out;
  };
  const proposed = `your turn  ${worker.address} proposes to do “Gild a book” for 600 TOK: accept or decline it.`;
  const own = await work([], { PRIVATE_KEY: privateKey });
  assert.ok(own.includes(`listing ${listing.id}\n  ${proposed}`), own);
  assert.doesNotMatch(own, /Sign in to see the rest/);
  const { todo } = JSON.parse(await work(['--json'], { PRIVATE_KEY: privateKey }));
  assert.ok(todo.standard.todo.some((row: { about: { id: string } }) => row.about.id === listing.id));
  for (const [args, more] of [
    [['--address', address], {}],
    [['--address', address], { PRIVATE_KEY: accountOf('scribe').privateKey }],
    [[], { PRIVATE_KEY: privateKey, SVC_GATEWAY_URL: 'http://127.0.0.1:1' }],
  ] as const) {
    const text = await work(args, more);
    assert.ok(!text.includes('Gild a book') && /Sign in to see the rest/.test(text), text);
  }
  await poster.matching.close(listing.id);
  await Promise.all([poster.close(), worker.close()]);
});

test('a declined and a withdrawn proposal wait for nobody', async () => {
  const [poster, worker] = await Promise.all([joinAs(gateway, 'painter'), joinAs(gateway, 'coder')]);
  const listing = await poster.matching.list(writeListing(gateway, {}, { title: 'Mend a net' }));
  const turnOf = async (name: AccountName) =>
    (await read(name)).rows.find(({ text }) => text.includes('Mend a net'))?.turn;
  for (const end of ['decline', 'withdraw'] as const) {
    const proposal = await worker.matching.propose(listing, { totalAmountTok: '600', days: 2 });
    assert.equal(await turnOf('painter'), 'mine');
    await (end === 'decline' ? poster.matching.decline(proposal, 'No.') : worker.matching.withdraw(proposal));
    assert.equal(await turnOf('painter'), 'theirs');
    assert.equal(await turnOf('coder'), undefined);
  }
  await poster.matching.close(listing.id);
  await Promise.all([poster.close(), worker.close()]);
});

/** A task with a delivery that waits for its review. */
async function deliverTask(cast: Cast): Promise<string> {
  const id = await postTask(cast);
  for (const step of ['claim', 'start', 'deliver'] as const) await steps[step](cast, parseTaskId(id).number);
  await until(async () => (await gateway.get(`/api/market/task?id=${id}`)).body.task?.state === 'DELIVERED');
  return id;
}

async function requestChange(from: AccountName, to: Address, taskId: string, words: string): Promise<void> {
  const account = accountNamed(from);
  const envelope = buildEnvelope(
    {
      type: 'RevisionRequest',
      negotiationId: crypto.randomUUID(),
      taskId,
      sender: { evmAddress: account.address, xmtpPublicKey: '' },
      payload: { to, milestone: 0, requestedChanges: words },
    },
    noHead,
    new Date(),
  );
  const signed = await signEnvelope(envelope, (typedData) => account.signTypedData(typedData));
  const { status, body } = await gateway.post('/v1/messages', JSON.parse(formatWire(signed)), {
    authorization: `Bearer ${await tokenOf(from)}`,
  });
  assert.equal(status, 202, JSON.stringify(body));
}

test('a change that was asked for, until the work is delivered again; then a case, each first', async () => {
  const cast = await createCast(gateway.devnet.rpcUrl, 'micro');
  await enter(cast);
  const id = await deliverTask(cast);
  const row = async (name: AccountName) =>
    (await read(name, 'micro')).rows.find((one) => one.about.id === id) ?? assert.fail();
  assert.equal((await row('visitor')).turn, 'theirs');
  // Somebody else asks for the same, and is no party of the task.
  await requestChange('visitor', cast.poster.address, id, 'Change what you want');
  assert.equal((await row('newcomer')).ask, 'accept-milestone');
  await requestChange('newcomer', cast.worker.address, id, 'Larger pictures of the wren');
  const { first, rows, counts } = await read('visitor', 'micro');
  assert.deepEqual(
    [first?.about.id, first?.turn, first?.ask, first?.isPrivate],
    [id, 'mine', 'submit-proof', true],
  );
  assert.equal(
    first?.text,
    'The poster asks for a change of milestone 1: “Larger pictures of the wren” Deliver again.',
  );
  assert.match(toText(first?.silence ?? []), /paid|accepted/);
  assert.equal(rows.filter((one) => one.about.id === id).length, 1, 'one row for one task');
  const open = await gateway.get(`/api/market/concerns?address=${cast.worker.address}&market=micro`);
  assert.equal(counts.mine, open.body.counts.mine + 1);
  assert.equal(counts.theirs, open.body.counts.theirs - 1);
  // The next delivery is of a later second.
  await askChain(cast.client, 'evm_increaseTime', 5);
  await askChain(cast.client, 'evm_mine');
  await steps.deliver(cast, parseTaskId(id).number, '0x02');
  await until(async () => (await row('visitor')).turn === 'theirs');
  await steps.dispute(cast, parseTaskId(id).number);
  await until(async () => (await row('visitor')).turn === 'mine');
  const answering = await read('visitor', 'micro');
  assert.deepEqual([answering.first?.about.id, answering.first?.ask], [id, 'answer-dispute']);
  assert.match(answering.first?.text ?? '', /answer/i);
});

/** Every read of the gateway that needs no session, about these parties where it names a wallet, task or listing. */
async function readEverything(addresses: readonly string[], taskId: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const open = Object.values<Route>(gatewayApi.routes).filter(
    (route) => methodOf(route) === 'get' && route.needsSession !== true,
  );
  const paths = open.flatMap(({ samples }) =>
    samples.filter(({ isStream }) => !isStream).map(({ path }) => path),
  );
  for (const path of paths)
    for (const address of addresses) {
      const own = path
        .replace(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g, address)
        .replace(/v2:(standard|micro):\d+/g, taskId);
      if (texts.has(own)) continue;
      const { status, body } = await gateway.get(own);
      assert.ok(status !== 429 && status < 500, `${own}: ${status}`);
      texts.set(own, typeof body === 'string' ? body : JSON.stringify(body));
    }
  return texts;
}

test('no public reply has the words of a private row', async () => {
  const words = ['Larger pictures of the wren', 'of its own tools', 'I have drawn wrens before'];
  const [poster, worker] = await Promise.all([joinAs(gateway, 'painter'), joinAs(gateway, 'coder')]);
  const listing = await poster.matching.list(writeListing(gateway, {}, { title: 'Draw wrens' }));
  const price = { totalAmountTok: '612.25', days: 2, rationale: words[2] ?? '' };
  const proposal = await worker.matching.propose(listing, price);
  const from = accountOf('archive').address;
  const headers = { authorization: `Bearer ${await tokenOf('archive')}` };
  const filed = await gateway.post('/v1/requests', requestOf(from, words[1] ?? ''), headers);
  assert.equal(filed.status, 201);
  assert.ok((await read('archive', 'none')).first?.text.includes(words[1] ?? '-'), 'its wallet reads it');
  const { body } = await gateway.get(
    `/api/market/concerns?address=${accountOf('newcomer').address}&market=micro`,
  );
  const parties = (['newcomer', 'visitor', 'painter', 'coder', 'archive'] as const).map(
    (one) => accountOf(one).address,
  );
  const texts = await readEverything(parties, body.concerns[0].taskId);
  assert.ok(texts.size > 60, `${texts.size} reads`);
  for (const path of [`/v1/listings/${listing.id}`, `/v1/listings?poster=${poster.address}`])
    texts.set(path, JSON.stringify((await gateway.get(path)).body));
  assert.ok(
    [...texts.values()].some((text) => text.includes('Draw wrens')),
    'a listing itself is public',
  );
  for (const [path, text] of texts)
    for (const word of [...words, '612250000000000000000', proposal.root])
      assert.ok(!text.includes(word), `${path} has ${word}`);
  await poster.matching.close(listing.id);
  await Promise.all([poster.close(), worker.close()]);
});

const requestOf = (from: Address, summary: string) => ({
  kind: 'signature',
  action: 'open-session',
  summary,
  chainId: 8453,
  from,
  typedData: {
    domain: { name: 'a test' },
    types: { EIP712Domain: [{ name: 'name', type: 'string' }], Word: [{ name: 'text', type: 'string' }] },
    primaryType: 'Word',
    message: { text: 'hello' },
  },
});

test('a request that waits is listed where a session of the same wallet filed it, and in nobody else’s list', async () => {
  const { address } = accountOf('scribe');
  const file = async (summary: string, by: AccountName | null) => {
    const headers = by === null ? {} : { authorization: `Bearer ${await tokenOf(by)}` };
    const { status, body } = await gateway.post('/v1/requests', requestOf(address, summary), headers);
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  await file('of nobody', null);
  await file('of a stranger', 'painter');
  const { requestId, approvalUrl, expiresAt } = await file('of its own tools', 'scribe');
  const { rows, counts } = await read('scribe', 'none');
  assert.deepEqual(
    rows.map(({ about, turn, ask, due, text }) => ({ about, turn, ask, due, text })),
    [
      {
        about: { kind: 'request', id: requestId },
        turn: 'mine',
        ask: 'approve',
        due: expiresAt,
        text: 'Your tools ask you to sign: “of its own tools” Approve or reject it.',
      },
    ],
  );
  assert.equal(counts.mine, 1);
  assert.deepEqual((await read('painter', 'none')).rows, [], 'not with the stranger who filed one');
  const [, token = ''] = approvalUrl.split('#token=');
  await gateway.post(
    `/v1/requests/${requestId}/result`,
    { status: 'rejected' },
    { 'svc-approval-token': token },
  );
  assert.deepEqual((await read('scribe', 'none')).rows, [], 'a decided one waits no longer');
  // One that names the contracts of a market belongs to it.
  const { tokRouter } = gateway.devnet.deployment.markets.micro as unknown as Record<string, Address>;
  const call = {
    to: tokRouter ?? gateway.devnet.deployment.markets.micro.taskRegistry,
    value: '0x0',
    data: '0x01',
  };
  const body = {
    kind: 'calls',
    action: 'claim-task',
    summary: 'Claim',
    chainId: 8453,
    from: address,
    calls: [call],
  };
  const filed = await gateway.post('/v1/requests', body, {
    authorization: `Bearer ${await tokenOf('scribe')}`,
  });
  assert.equal(filed.status, 201);
  assert.ok((await read('scribe', 'micro')).rows.some(({ about }) => about.id === filed.body.requestId));
  assert.deepEqual((await read('scribe', 'none')).rows, []);
});

test('only the wallet of the session is answered, never cached, and pages follow each other without gaps', async () => {
  const { address } = accountOf('lab');
  for (const headers of [{}, { authorization: 'Bearer none' }]) {
    const { status, body } = await gateway.get('/v1/todo', headers as Record<string, string>);
    assert.deepEqual([status, body.code], [403, 'SESSION_REQUIRED'], 'a read never answers 401');
  }
  const foreign = await ask('painter', `address=${address}`);
  assert.deepEqual([foreign.status, foreign.body.code], [403, 'TODO_OF_ANOTHER']);
  for (const [query, code] of [
    ['market=both', 'MARKET_UNKNOWN'],
    ['limit=101', 'LIMIT_INVALID'],
    ['limit=0', 'LIMIT_INVALID'],
    ['cursor=1', 'CURSOR_INVALID'],
  ] as const) {
    const { status, body } = await ask('lab', query);
    assert.deepEqual([status, body.code], [400, code], query);
  }
  const { headers, body: whole } = await ask('lab', `market=standard&limit=100&address=${address}`);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.ok(whole.count > 5 && whole.nextCursor === null, `${whole.count} rows`);
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await ask('lab', `limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    assert.ok(body.count <= 2);
    ids.push(...body.todo.map(({ id }: { id: string }) => id));
    cursor = body.nextCursor;
  }
  assert.deepEqual(
    ids,
    whole.todo.map(({ id }: { id: string }) => id),
  );
  const { concerns } = await createMarketClient({ baseUrl: gateway.url() }).concerns(address, { limit: 100 });
  const tasks = whole.todo.flatMap(({ task }: { task: { taskId: string } | null }) => task?.taskId ?? []);
  assert.deepEqual(
    tasks,
    concerns.map(({ taskId }) => taskId),
  );
  const shown = listTodo({ concerns }, address, whole.now);
  assert.deepEqual(
    shown.map(({ id }) => id),
    ids.filter((id) => id.startsWith('task:')),
    'without a session the same rules list the public half',
  );
});
