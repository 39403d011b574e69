// Notifications over a gateway on a real chain: by a real mail server, a push service that decrypts, and a webhook; with the
// limits of addresses, and what nobody may find in the database or in a log.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { inspect } from 'node:util';
import { keccak256, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { TaskRecord } from '#sdk/actions/parseTaskRecord.ts';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { accounts } from '#service/devnet/accounts.ts';
import { steps } from './pages/taskSteps.ts';
import { type Cast, createCast, enter } from './support/cast.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { serve } from './support/listen.ts';
import { type MailServer, startMailServer } from './support/mailServer.ts';
import { contactKey } from './support/notices.ts';
import { postTask } from './support/posting.ts';
import { pushCertificate, startPushEndpoint } from './support/pushEndpoint.ts';
import { until } from './support/until.ts';

const logged: string[] = [];
/** As a person would read it: the message of an error is no part of its JSON. */
const keepLine = (...line: unknown[]) => void logged.push(inspect(line, { depth: 9 }));
let gateway: TestGateway;
let cast: Cast;
let mails: MailServer;
let task: TaskRecord;
const refused = new Set<string>();

before(async () => {
  setDefaultCACertificates([...getCACertificates('default'), pushCertificate]);
  mails = await startMailServer((address) => (refused.has(address) ? 550 : null));
  gateway = await startGateway({
    log: { level: 'debug', debug: keepLine, info: keepLine, error: keepLine },
    notices: {
      contactKey,
      mail: { url: mails.url, from: 'svc <notices@market.example>' },
      contact: 'abuse@market.example',
      isPrivateAllowed: true,
    },
  });
  cast = await createCast(gateway.devnet.rpcUrl, 'standard');
  await enter(cast);
  const id = await postTask(cast, { dueIn: 10 * 86_400 });
  for (const step of ['claim', 'start'] as const) await steps[step](cast, parseTaskId(id).number);
  await until(async () => {
    task = (await gateway.get(`/api/market/task?id=${id}`)).body.task;
    return task?.state === 'ACTIVE';
  });
});
after(async () => {
  await gateway.close();
  await mails.close();
});

const keyOf = (address: string | null) =>
  accounts.find((one) => one.address === address)?.privateKey ?? assert.fail(`${address} is no account`);

async function signIn(privateKey: `0x${string}`) {
  const headers = { authorization: `Bearer ${await gateway.signIn(privateKeyToAccount(privateKey))}` };
  const ask = (method: string, path: string, body?: unknown) =>
    gateway.send(method, `/v1/notifications${path}`, body, headers);
  return { ask, read: async () => (await ask('GET', '')).body };
}

/** In the files of the database and in the log. */
function assertUnreadable(...secrets: readonly string[]): void {
  const files = readdirSync(gateway.dataDir).filter((name) => /sqlite/.test(name));
  const places = files.map((name) => [name, readFileSync(join(gateway.dataDir, name)).toString('latin1')]);
  assert.ok(files.length > 0 && logged.some((line) => line.includes('/v1/notifications/channels')));
  for (const [name, content = ''] of [...places, ['the log', logged.join('\n')]])
    for (const secret of secrets)
      assert.ok(!content.toLowerCase().includes(secret.toLowerCase()), `${name} has ${secret}`);
}

const mailTo = (address: string) => mails.received.filter(({ to }) => to === address);
const linkIn = (mail: string, name: string) =>
  new RegExp(`#${name}=([\\w.-]+)`).exec(mail)?.[1] ?? assert.fail(mail);
const confirm = (token: string) => gateway.post('/v1/notifications/confirmations', { token });

async function deliver(): Promise<void> {
  // The contract takes one delivery per second.
  await gateway.devnet.clock.advance(1);
  const proof = keccak256(toHex(String(Math.random())));
  const args = [parseTaskId(task.id).number, 0, proof, ''] as const;
  await cast.worker.write(cast.contracts.registry, 'submitProof', args);
}

test('an address is asked once, hears nothing before its button is pressed, and everything afterwards', async () => {
  const poster = await signIn(keyOf(task.poster));
  const added = await poster.ask('POST', '/channels', { kind: 'email', email: 'Poster@Example.org' });
  assert.equal(added.status, 201);
  assert.equal(added.body.channel.address, 'P…@example.org');
  await until(() => mailTo('Poster@example.org').length === 1);
  const again = await poster.ask('POST', '/channels', { kind: 'email', email: 'poster@example.org' });
  assert.deepEqual([again.status, again.body.code], [409, 'CONTACT_REFUSED']);

  await deliver();
  const [asked] = mailTo('Poster@example.org');
  assert.equal(asked?.headers.subject, 'Confirm your notifications');
  assert.match(asked?.text ?? '', /^Somebody with the wallet 0x\w{40} wants /);
  assert.doesNotMatch(asked?.text ?? '', /your wallet/i, 'its reader may own none');
  const token = linkIn(asked?.text ?? '', 'confirm');
  // A mail scanner opens the link: the page has no effect without its button.
  assert.equal((await poster.read()).channels[0].state, 'unconfirmed');
  assert.equal((await confirm(`${token.slice(0, -2)}xx`)).status, 404);
  assert.equal((await confirm(token)).status, 200);
  assert.equal((await poster.read()).channels[0].state, 'confirmed');
  assert.equal((await confirm(token)).status, 200, 'a second press changes nothing');

  await deliver();
  await until(() => mailTo('Poster@example.org').length === 2);
  const mail = mailTo('Poster@example.org')[1] ?? assert.fail();
  assert.match(mail.headers.subject ?? '', /^Your turn: review the delivery · /);
  assert.match(mail.text, /If you do nothing: After that the delivery counts as accepted/);
  assert.match(mail.text, /At stake: [\d,.]+ TOK for this milestone/);
  assert.match(mail.html, /<a href="http:\/\/[^"]+\/market\.html\?task=/);
  assert.equal(mail.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
  assert.match(mail.headers['message-id'] ?? '', /@market\.example>$/);

  const url = /<([^>]+)>/.exec(mail.headers['list-unsubscribe'] ?? '')?.[1] ?? assert.fail();
  assert.equal((await fetch(url)).status, 405, 'following the link changes nothing');
  const form = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };
  assert.equal((await fetch(url, form)).status, 200);
  assert.deepEqual((await poster.read()).channels, [], 'deleted with the subscription');
  assert.equal((await fetch(url, form)).status, 200, 'a second click as well');
  assert.equal(
    mailTo('Poster@example.org').length,
    2,
    'nothing of the delivery before the button was pressed',
  );
  assert.equal(
    (await gateway.post('/v1/notifications/refusals', { token: linkIn(mail.text, 'unsubscribe') })).status,
    200,
  );
  const never = await poster.ask('POST', '/channels', { kind: 'email', email: 'poster@example.org' });
  assert.match(never.body.error, /wants no mail/);
});

test('a browser gets title and link, encrypted for it alone; a webhook what its standard says', async (context) => {
  const poster = await signIn(keyOf(task.poster));
  const push = await startPushEndpoint();
  context.after(push.close);
  assert.equal((await poster.ask('POST', '/channels', push.subscription)).status, 201);
  await until(() => push.received.length === 1 || push.mistakes.length > 0);
  assert.deepEqual(push.mistakes, []);
  assert.equal((await confirm(push.received[0]?.confirm ?? '')).status, 200);
  assert.deepEqual(push.subjects, ['mailto:abuse@market.example']);

  const hooks: { headers: Record<string, unknown>; body: string }[] = [];
  const { url: receiverUrl, close } = await serve(async (request, response) => {
    hooks.push({ headers: request.headers, body: await text(request) });
    response.writeHead(204).end();
  });
  context.after(close);
  const url = `${receiverUrl}/hook`;
  const { body: hook } = await poster.ask('POST', '/channels', { kind: 'webhook', url });
  assert.match(hook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  await until(() => hooks.length === 1);
  assert.equal((await confirm(JSON.parse(hooks[0]?.body ?? '').data.token)).status, 200);

  await deliver();
  await until(() => hooks.length === 2 && push.received.length === 2);
  const { title, url: link, ...rest } = push.received[1] ?? assert.fail();
  assert.match(title, /^Your turn: review the delivery/);
  assert.match(link, /^\/market\.html\?task=/);
  assert.deepEqual(rest, {}, 'nothing but title and link');
  const { headers, body } = hooks[1] ?? assert.fail();
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(hook.secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  assert.equal(headers['webhook-signature'], `v1,${signature}`);
  const notice = JSON.parse(body);
  assert.equal(notice.type, 'notice.turn');
  assert.equal(notice.data.concern.taskId, task.id);
  assert.equal(notice.data.concern.actions[0], 'accept-milestone');
  assert.match(notice.data.concern.sentence, /^You review the delivery/);

  const { channels } = await poster.read();
  for (const { id } of channels) assert.equal((await poster.ask('POST', `/channels/${id}/test`)).status, 200);
  await until(() => hooks.length === 3 && push.received.length === 3);
  const { endpoint, keys } = push.subscription;
  assertUnreadable(endpoint, keys.auth, url, hook.secret, hook.secret.slice('whsec_'.length));
  for (const { id } of channels) assert.equal((await poster.ask('DELETE', `/channels/${id}`)).status, 200);
});

test('a channel that is gone is shown, and told on the others', async () => {
  const worker = await signIn(keyOf(task.worker ?? null));
  for (const email of ['one@example.org', 'two@example.org']) {
    await worker.ask('POST', '/channels', { kind: 'email', email });
    await until(() => mailTo(email).length === 1);
    await confirm(linkIn(mailTo(email)[0]?.text ?? '', 'confirm'));
  }
  refused.add('one@example.org');
  const [first] = (await worker.read()).channels;
  await worker.ask('POST', `/channels/${first.id}/test`);
  await until(() => mailTo('two@example.org').length === 2);
  assert.match(mailTo('two@example.org')[1]?.headers.subject ?? '', /e-mail channel no longer works/);
  const [failed] = (await worker.read()).channels;
  assert.deepEqual([failed.state, failed.failure.reason], ['failed', 'the mail server answered 550']);
  const third = await worker.ask('POST', '/channels', { kind: 'email', email: 'three@example.org' });
  assert.equal(third.status, 201);
  const fourth = await worker.ask('POST', '/channels', { kind: 'email', email: 'four@example.org' });
  assert.match(fourth.body.error, /enough for today/);
});

test('unknown wallets, foreign channels and bad settings are refused', async () => {
  const unknown = await signIn(generatePrivateKey());
  const refusal = await unknown.ask('POST', '/channels', { kind: 'email', email: 'eve@example.org' });
  assert.deepEqual([refusal.status, refusal.body.code], [403, 'NO_STANDING']);
  const worker = await signIn(keyOf(task.worker ?? null));
  const [channel] = (await worker.read()).channels;
  assert.equal((await unknown.ask('DELETE', `/channels/${channel.id}`)).body.code, 'CHANNEL_NOT_FOUND');
  for (const body of [
    { kind: 'email', email: 'a@b@c' },
    { kind: 'email', email: 'eve@example.org, bob@example.org' },
    { kind: 'email', email: 'eve@example.org\r\nBcc: bob@example.org' },
    { kind: 'sms', number: '1' },
  ])
    assert.equal((await worker.ask('POST', '/channels', body)).status, 400, JSON.stringify(body));
  const push = { kind: 'push', endpoint: 'http://127.0.0.1:1/x', keys: { p256dh: 'AAAA', auth: 'AAAA' } };
  assert.equal((await worker.ask('POST', '/channels', push)).body.code, 'CONTACT_REFUSED');
  const quiet = { quietHours: { from: '22:00', to: '07:00' }, timeZone: 'Europe/Berlin' };
  assert.deepEqual((await worker.ask('PUT', '', quiet)).body, quiet);
  const { quietHours, timeZone } = await worker.read();
  assert.deepEqual({ quietHours, timeZone }, quiet);
  assert.equal((await worker.ask('PUT', '', { ...quiet, timeZone: 'Mars/North' })).status, 409);
  assert.equal((await gateway.get('/v1/notifications')).body.code, 'SESSION_REQUIRED');
});

test('no address is readable in the files of the database or in the log, and another key does not start', async () => {
  assertUnreadable('@example.org');
  const other = { contactKey: `0x${'6b'.repeat(32)}`, mail: undefined, contact: undefined };
  await assert.rejects(gateway.restart({ notices: other }), { code: 'CONTACT_KEY_WRONG' });
});

test('without a mail server all other channels work, without a key none; the catcher of mails is for embedded markets', async () => {
  const none = { contactKey, mail: undefined, contact: undefined, isPrivateAllowed: true };
  await gateway.restart({ notices: none });
  const { ask, read } = await signIn(keyOf(task.worker ?? null));
  assert.deepEqual([(await read()).offers.email, (await read()).offers.isMailCaught], [false, false]);
  const refusal = await ask('POST', '/channels', { kind: 'email', email: 'five@example.org' });
  assert.match(refusal.body.error, /this gateway sends no e-mail/);
  const hook = { kind: 'webhook', url: 'http://127.0.0.1:9/hook' };
  assert.equal((await ask('POST', '/channels', hook)).status, 201);
  await gateway.restart({ notices: { ...none, isPrivateAllowed: false }, isWebhookPrivate: true });
  const inside = await signIn(keyOf(task.worker ?? null));
  const { body: closed } = await inside.ask('POST', '/channels', hook);
  assert.match(closed.error, /https/, 'what the operator may send to is not for wallets');
  await gateway.restart({ notices: { ...none, contactKey: undefined } });
  const off = await signIn(keyOf(task.worker ?? null));
  assert.equal((await off.ask('POST', '/channels', hook)).body.code, 'NOTICES_OFF');
  await gateway.restart();
  assert.equal((await gateway.get('/dev/mail')).status, 404);
});

test('a search is saved and removed by its wallet alone; what no list would take is refused', async () => {
  const poster = await signIn(keyOf(task.poster));
  const other = await signIn(keyOf(task.worker ?? null));
  const query = 'market=standard&tag=audio&minAmountUsd=20';
  const saved = await poster.ask('POST', '/searches', { query: `${query}&sort=highest&limit=5` });
  assert.deepEqual([saved.status, saved.body.query], [201, query]);
  assert.deepEqual((await poster.read()).searches, [saved.body]);
  assert.deepEqual((await other.read()).searches, []);
  await other.ask('DELETE', `/searches/${saved.body.id}`);
  assert.equal((await poster.read()).searches.length, 1);
  const bad = await poster.ask('POST', '/searches', { query: 'minAmountUsd=1e9' });
  assert.equal(bad.body.code, 'AMOUNT_FILTER_INVALID');
  assert.equal((await poster.ask('POST', '/searches', { query: 'x'.repeat(1_001) })).status, 400);
  const stranger = await signIn(generatePrivateKey());
  assert.equal((await stranger.ask('POST', '/searches', { query })).body.code, 'NO_STANDING');
  await poster.ask('DELETE', `/searches/${saved.body.id}`);
  assert.deepEqual((await poster.read()).searches, []);
});
