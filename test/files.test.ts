// Attacks on files at the gateway: bytes that differ from their hash, half uploads, wrong wallets, path tricks, pages and
// scripts, floods, and a store that is full.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { privateKeyToAccount } from 'viem/accounts';
import type { TaskRecord } from '#sdk/actions/parseTaskRecord.ts';
import { createFileClient } from '#sdk/client/fileClient.ts';
import { sealFile } from '#sdk/client/sealFile.ts';
import { accounts } from '#service/devnet/accounts.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { ask } from './support/rawHttp.ts';
import { until } from './support/until.ts';

let gateway: TestGateway;
let tasks: readonly TaskRecord[];
/** A task under work, and the session of its worker. */
let active: TaskRecord;
let id: string;
let token: string;
before(async () => {
  gateway = await startGateway({ isSeeded: true });
  tasks = (await gateway.get('/api/market/recent?limit=100&market=standard')).body.tasks;
  active = findTask(({ state }) => state === 'ACTIVE');
  id = active.id;
  token = await signIn(active.worker);
});
after(() => gateway.close());

const tokens = new Map<string, Promise<string>>();
/** The token of a session of one of the accounts, which the whole file shares. */
function signIn(address: string | null | undefined): Promise<string> {
  const account = accounts.find((one) => one.address.toLowerCase() === address?.toLowerCase());
  assert.ok(account, `${address} is no account of the embedded chain`);
  const { privateKey } = account;
  const opening = tokens.get(privateKey) ?? gateway.signIn(privateKeyToAccount(privateKey));
  tokens.set(privateKey, opening);
  return opening;
}

const addressOf = (name: string) => accounts.find((one) => one.name === name)?.address;
const hashOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
const findTask = (fits: (task: TaskRecord) => boolean) => {
  const found = tasks.find(fits);
  assert.ok(found);
  return found;
};

/** No list of everybody has one. */
async function findPrivate(number = 1): Promise<TaskRecord> {
  const { body } = await gateway.get(`/api/market/task?id=v2:standard:${number}`);
  return body.task.scope === 'private' ? body.task : findPrivate(number + 1);
}

type Put = {
  sha256?: string;
  for?: string | undefined;
  sealed?: string;
  token?: string;
  headers?: Record<string, string>;
};

async function put(content: string | Uint8Array<ArrayBuffer>, { token, headers, ...given }: Put) {
  const { sha256 = hashOf(content) } = given;
  const query =
    given.for === undefined ? '' : `?for=${given.for}${given.sealed ? `&sealed=${given.sealed}` : ''}`;
  const response = await fetch(`${gateway.url()}/v1/files/${sha256}${query}`, {
    method: 'PUT',
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    body: content,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const get = (sha256: string, headers = {}) => ask(gateway.url(), { path: `/v1/files/${sha256}`, headers });

const listDrafts = () => {
  const { incoming } = gateway.site().market.fileStore;
  return readdirSync(dirname(incoming)).includes('incoming') ? readdirSync(incoming) : [];
};

test('a party uploads a file for its task, and anyone downloads the same bytes', async () => {
  const files = createFileClient({ baseUrl: gateway.url(), token });
  const content = Uint8Array.from(randomBytes(300_000));
  const reply = await files.upload(content, { for: id });
  assert.deepEqual(reply, {
    sha256: hashOf(content),
    bytes: content.length,
    uri: `${gateway.url()}/v1/files/${hashOf(content)}`,
  });
  const reader = createFileClient({ baseUrl: gateway.url() });
  assert.deepEqual(await reader.download(reply.sha256), content);
  await assert.rejects(reader.download(reply.sha256, { maxBytes: 299_999 }), { code: 'FILE_TOO_LARGE' });
  assert.equal((await put(content, { for: id, token })).status, 200, 'known bytes');
  assert.equal((await put(content, { for: id, token: await signIn(active.poster) })).status, 200);
  assert.deepEqual(listDrafts(), []);
});

describe('an upload', () => {
  test('without a session, with a wrong token, or with one in the URL is refused', async () => {
    for (const attempt of [
      put('nobody', { for: id }),
      put('nobody', { for: id, token: 'A'.repeat(43) }),
      put('nobody', { for: `${id}&token=${token}` }),
    ]) {
      const { status, body } = await attempt;
      assert.equal(status, 403);
      assert.equal(body.code, 'SESSION_REQUIRED');
    }
    assert.equal((await get(hashOf('nobody'))).status, 404);
  });

  test('of a wallet without a part in the task is refused, of its judge it is not', async () => {
    const { id, dispute } = findTask(({ state, dispute: one }) => state === 'DISPUTED' && one?.judge != null);
    const stranger = await signIn(addressOf('newcomer'));
    assert.equal((await put('a stranger', { for: id, token: stranger })).body.code, 'NOT_A_PARTY');
    assert.equal((await put('the judge', { for: id, token: await signIn(dispute?.judge) })).status, 201);
    assert.equal((await put('x', { for: 'v2:standard:99999', token: stranger })).body.code, 'TASK_UNKNOWN');
    const root = `0x${'12'.repeat(32)}`;
    assert.equal((await put('x', { for: root, token: stranger })).body.code, 'NOT_A_PARTY');
  });

  test('for a private task must be declared as sealed, and is refused where its bytes are text or of a known format', async () => {
    const { id: secret, poster } = await findPrivate();
    const own = { for: secret, token: await signIn(poster) };
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(200)]);
    const { content: sealed } = await sealFile(new TextEncoder().encode('The plans of the house.'));
    const plain = [
      'The plans of the house.',
      'Die Pläne des Hauses, in vielen Worten. '.repeat(200),
      Uint8Array.from(png),
      Uint8Array.from(Buffer.from('The plans of the house, as Windows writes them.', 'utf16le')),
    ];
    for (const content of [...plain, sealed]) {
      const { status, body } = await put(content, own);
      assert.deepEqual([status, body.code], [422, 'FILE_NOT_SEALED']);
      assert.equal((await put(content, { ...own, sealed: 'false' })).body.code, 'FILE_NOT_SEALED');
    }
    for (const content of plain) {
      const { status, body } = await put(content, { ...own, sealed: 'true' });
      assert.deepEqual([status, body.code], [422, 'FILE_NOT_SEALED']);
      assert.equal((await get(hashOf(content))).status, 404, 'nobody can read it');
    }
    assert.deepEqual(listDrafts(), []);
    assert.equal((await put(sealed, { ...own, sealed: 'true' })).status, 201);
    assert.deepEqual((await get(hashOf(sealed))).body, Buffer.from(sealed));
    assert.equal((await put('x', { ...own, sealed: 'yes' })).status, 400);
  });

  test('without a task needs entry collateral', async () => {
    assert.equal(
      (await put('no deposit', { token: await signIn(addressOf('visitor')) })).body.code,
      'NO_STANDING',
    );
    assert.equal((await put('a draft', { token: await signIn(addressOf('press')) })).status, 201);
  });

  test('whose bytes are not those of the hash leaves nothing', async () => {
    const sha256 = hashOf('what was announced');
    const { status, body } = await put('what was sent.....', { sha256, for: id, token });
    assert.equal(status, 422);
    assert.equal(body.code, 'HASH_MISMATCH');
    assert.equal((await get(sha256)).status, 404);
    assert.equal((await get(hashOf('what was sent.....'))).status, 404);
    assert.deepEqual(listDrafts(), []);
    const rows = await gateway
      .site()
      .market.database.query('SELECT * FROM files WHERE sha256 = $1', [sha256]);
    assert.deepEqual(rows, []);
  });

  test('that is cut in the middle takes a place that the metrics show, leaves nothing, and can be repeated', async () => {
    const countPlaces = async () =>
      [...String((await gateway.get('/metrics')).body).matchAll(/^svc_upload_places\{.*\} (\d+)$/gm)].map(
        ([, value]) => Number(value),
      );
    const content = Uint8Array.from(randomBytes(400_000));
    const sha256 = hashOf(content);
    const { hostname, port } = new URL(gateway.url());
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      `PUT /v1/files/${sha256}?for=${id} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Length: ${content.length}\r\n\r\n`,
    );
    socket.write(content.subarray(0, 200_000));
    await until(() => listDrafts().length === 1);
    assert.deepEqual(await countPlaces(), [1, 31]);
    assert.equal((await get(sha256)).status, 404);
    socket.destroy();
    // The place is free a moment after the draft is gone.
    await until(async () => (await countPlaces())[0] === 0);
    assert.deepEqual(await countPlaces(), [0, 32]);
    assert.deepEqual(listDrafts(), []);
    assert.equal((await get(sha256)).status, 404);
    assert.equal((await put(content, { for: id, token })).status, 201);
  });

  test('must say its length and come as it is', async () => {
    const authorization = `Bearer ${token}`;
    const path = `/v1/files/${hashOf('x')}?for=${id}`;
    const chunked = { authorization, 'transfer-encoding': 'chunked' };
    assert.equal(
      (await ask(gateway.url(), { path, method: 'PUT', headers: chunked, body: 'x' })).status,
      411,
    );
    for (const encoding of ['gzip', 'identity', '']) {
      const headers = { authorization, 'content-encoding': encoding, 'content-length': '1' };
      assert.equal((await ask(gateway.url(), { path, method: 'PUT', headers, body: 'x' })).status, 415);
    }
    const large = { authorization, 'content-length': '25000001' };
    assert.equal((await ask(gateway.url(), { path, method: 'PUT', headers: large })).status, 413);
    assert.equal((await put(new Uint8Array(), { for: id, token })).status, 201, 'empty');
  });

  test('with a path trick, another spelling of the hash or a strange subject is refused', async () => {
    const sha256 = hashOf('x');
    const tricks = ['..%2f..%2f', '%2e%2e%2fgateway.key', '..', `${sha256}%2f..%2fx`, `${sha256}/..`];
    const spelled = [sha256.toUpperCase(), `0x${sha256}`, sha256.slice(1), `${sha256.slice(0, 62)}%00`];
    for (const name of [...spelled, ...tricks])
      for (const method of ['GET', 'HEAD', 'PUT']) {
        const sent = { headers: { authorization: `Bearer ${token}`, 'content-length': '1' }, body: 'x' };
        const question = { path: `/v1/files/${name}`, method, ...(method === 'PUT' && sent) };
        const { status, body } = await ask(gateway.url(), question);
        assert.ok(status === 400 || status === 404, `${method} ${name}: ${status}`);
        assert.ok(!body.includes('0x0707'), 'no file of the data folder');
      }
    for (const subject of ['1', 'v1:standard:1', 'v2:standard:0', '../x', '0x12', `${id}%20`, ''])
      assert.equal((await put('x', { for: subject, token })).status, 400, subject);
  });

  test('is refused for a hash that the operator withholds, and so is the download', async () => {
    const { withheld } = gateway.site().market.fileStore;
    const sha256 = hashOf('illegal');
    assert.equal((await put('illegal', { for: id, token })).status, 201);
    await withheld.withhold({ kind: 'file', hash: sha256, reason: 'court order', since: 1 });
    for (const status of [(await put('illegal', { for: id, token })).status, (await get(sha256)).status])
      assert.equal(status, 451);
    assert.equal(await gateway.site().market.fileStore.lookUp(sha256), 'withheld');
    await withheld.restore('file', sha256);
    assert.equal((await get(sha256)).body.toString(), 'illegal');
  });
});

describe('a download', () => {
  const hostile = {
    page: '<!doctype html><script>alert(document.domain)</script>',
    picture: '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    script: 'alert(1)',
  };

  test('of a page, a picture with a script or a script is never shown or run on our origin', async () => {
    for (const [name, content] of Object.entries(hostile)) {
      await put(content, { for: id, token, headers: { 'content-type': 'text/html' } });
      for (const accept of ['text/html', 'image/svg+xml', '*/*']) {
        const { status, headers, body } = await get(hashOf(content), { accept });
        assert.equal(status, 200);
        assert.equal(body.toString(), content);
        assert.equal(headers['content-type'], 'application/octet-stream', name);
        assert.equal(headers['x-content-type-options'], 'nosniff');
        assert.equal(headers['content-disposition'], `attachment; filename="${hashOf(content)}"`);
        assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox");
        assert.equal(headers['access-control-allow-origin'], '*');
        assert.equal(headers['cache-control'], 'public, max-age=3600');
        assert.equal(headers['service-worker-allowed'], undefined);
      }
    }
  });

  test('can be partial, conditional and without a body', async () => {
    const content = '0123456789';
    await put(content, { for: id, token });
    const sha256 = hashOf(content);
    for (const [range, status, part, place] of [
      ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
      ['bytes=7-', 206, '789', 'bytes 7-9/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=-99', 206, content, 'bytes 0-9/10'],
      ['bytes=9-99', 206, '9', 'bytes 9-9/10'],
      ['bytes=0-1,3-4', 200, content, undefined],
      ['bytes=99999999999999999999-', 200, content, undefined],
    ] as const) {
      const { headers, body, ...answer } = await get(sha256, { range });
      assert.deepEqual(
        [answer.status, body.toString(), headers['content-range']],
        [status, part, place],
        range,
      );
    }
    const outside = await get(sha256, { range: 'bytes=10-' });
    assert.deepEqual([outside.status, outside.headers['content-range']], [416, 'bytes */10']);
    const other = await get(sha256, { range: 'bytes=2-4', 'if-range': '"another"' });
    assert.equal(other.status, 200);
    assert.equal((await get(sha256, { 'if-none-match': `"${sha256}"` })).status, 304);
    const head = await ask(gateway.url(), { path: `/v1/files/${sha256}`, method: 'HEAD' });
    assert.deepEqual([head.status, head.headers['content-length'], head.body.length], [200, '10', 0]);
  });

  test('whose bytes were changed is not believed', async () => {
    const lying = async () => new Response('other bytes');
    const files = createFileClient({ baseUrl: gateway.url(), fetch: lying });
    await assert.rejects(files.download(hashOf('the bytes')), { code: 'HASH_MISMATCH' });
    const endless = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(100_000)) });
    const flooding = createFileClient({ baseUrl: gateway.url(), fetch: async () => new Response(endless) });
    await assert.rejects(flooding.download(hashOf('the bytes'), { maxBytes: 1_000_000 }), {
      code: 'FILE_TOO_LARGE',
    });
  });
});
