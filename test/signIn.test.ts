// Signing in to the tools of a gateway: a stock client finds the way from a 401 to its owner's mail, and every attack on the way ends.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { after, before, describe, type TestContext, test } from 'node:test';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { buildGrantTypedData } from '#sdk/domain/sessionDocument.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { listen } from './support/listen.ts';

const owner = privateKeyToAccount(accountOf('scribe').privateKey);
const eve = privateKeyToAccount(generatePrivateKey());
const chainId = 8453;
const redirect = 'http://127.0.0.1:7777/answer';

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.close());

const now = () => Math.floor(Date.now() / 1_000);
const issuer = () => gateway.url();
const form = (path: string, fields: Record<string, string>) =>
  fetch(issuer() + path, { method: 'POST', body: new URLSearchParams(fields) });
const json = async (response: Response) => ({
  status: response.status,
  body: (await response.json()) as Body,
});
type Body = Record<string, string & Record<string, never>>;

async function register(redirects = [redirect], name = 'A helper'): Promise<string> {
  const { status, body } = await gateway.post('/oauth/register', {
    redirect_uris: redirects,
    client_name: name,
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body.client_id;
}

const pkce = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
};

/** As a browser that follows no redirect. */
function authorize(fields: Record<string, string>): Promise<Response> {
  return fetch(`${issuer()}/oauth/authorize?${new URLSearchParams(fields)}`, { redirect: 'manual' });
}

type Asked = {
  readonly client?: string;
  readonly challenge: string;
  readonly changes?: Record<string, string>;
};

/** The id of the question that the owner is asked. */
async function ask({ client, challenge, changes = {} }: Asked): Promise<string> {
  const fields = {
    response_type: 'code',
    client_id: client ?? (await register()),
    redirect_uri: redirect,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'known',
    resource: `${issuer()}/mcp`,
    ...changes,
  };
  const response = await authorize(fields);
  assert.equal(response.status, 303, await response.text());
  const url = new URL(response.headers.get('location') ?? '', issuer());
  assert.equal(url.pathname, '/connections.html');
  return url.searchParams.get('consent') ?? '';
}

/** What the page does when the owner agrees. */
async function sign(id: string, by = owner, changes: Record<string, unknown> = {}) {
  const { body } = await gateway.get(`/oauth/consents/${id}`);
  const document = {
    wallet: owner.address,
    gateway: body.gateway,
    resource: body.resource,
    client: body.client,
    redirect: body.redirect,
    scopes: body.scopes.map(({ name }: { name: string }) => name).join(' '),
    validUntil: now() + 86_400,
    codeChallenge: body.codeChallenge,
  };
  const signature = await by.signTypedData(
    buildGrantTypedData(chainId, { ...document, ...changes }) as never,
  );
  const { wallet, validUntil } = document;
  return { wallet, validUntil, signature, proof: body.proof };
}

const agree = async (id: string, by = owner) => gateway.post(`/oauth/consents/${id}`, await sign(id, by));

/** Where the browser goes after the owner has agreed. */
async function readAnswer(id: string): Promise<URL> {
  const { status, body } = await agree(id);
  assert.equal(status, 200, JSON.stringify(body));
  const url = new URL(body.redirect);
  assert.equal(url.origin + url.pathname, redirect);
  assert.deepEqual([url.searchParams.get('state'), url.searchParams.get('iss')], ['known', issuer()]);
  return url;
}

const readCode = async (id: string) => (await readAnswer(id)).searchParams.get('code') ?? '';

async function readTokens(changes: Record<string, string> = {}) {
  const { verifier, challenge } = pkce();
  const client = await register();
  const code = await readCode(await ask({ client, challenge, changes }));
  const exchange = {
    grant_type: 'authorization_code',
    code,
    client_id: client,
    redirect_uri: redirect,
    code_verifier: verifier,
  };
  const { status, body } = await json(await form('/oauth/token', exchange));
  assert.equal(status, 200, JSON.stringify(body));
  return { client, exchange, access: String(body.access_token), refresh: String(body.refresh_token) };
}

/** A call of a tool by HTTP alone. */
function callInbox(token: string | null, path = '/mcp', address = owner.address): Promise<Response> {
  return fetch(issuer() + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'svc_inbox', arguments: { address } },
    }),
  });
}

const isOpen = async (token: string): Promise<boolean> => {
  const { status } = await callInbox(token);
  return status === 200;
};

test('a stock client goes from a 401 through the owner to the mail', async () => {
  const saved: Record<string, unknown> = {};
  const keep = (name: string) => (value: unknown) => {
    saved[name] = value;
  };
  const provider = {
    redirectUrl: redirect,
    clientMetadata: { client_name: 'Stock client', redirect_uris: [redirect] },
    state: () => 'known',
    clientInformation: () => saved.client as never,
    saveClientInformation: keep('client'),
    tokens: () => saved.tokens as never,
    saveTokens: keep('tokens'),
    redirectToAuthorization: keep('asked'),
    saveCodeVerifier: keep('verifier'),
    codeVerifier: () => saved.verifier as string,
    saveDiscoveryState: keep('discovered'),
    discoveryState: () => saved.discovered as never,
  };
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(new URL(`${issuer()}/mcp`), {
      authProvider: provider,
    });
    const client = new Client({ name: 'stock', version: '1' });
    await client.connect(transport);
    return { client, transport };
  };
  const first = await connect();
  const { tools } = await first.client.listTools();
  assert.ok(
    tools.some(({ name }) => name === 'svc_inbox'),
    'the list needs no sign-in',
  );
  const inbox = { name: 'svc_inbox', arguments: { address: owner.address } };
  await assert.rejects(first.client.callTool(inbox), UnauthorizedError);
  const response = await fetch(saved.asked as URL, { redirect: 'manual' });
  const id = new URL(response.headers.get('location') ?? '', issuer()).searchParams.get('consent') ?? '';
  const question = (await gateway.get(`/oauth/consents/${id}`)).body;
  assert.deepEqual([question.clientHost, question.isLoopback], [null, true]);
  await first.transport.finishAuth((await readAnswer(id)).searchParams);
  await first.client.close();
  const { client } = await connect();
  const { isError, structuredContent } = await client.callTool(inbox);
  assert.ok(!isError, JSON.stringify(structuredContent));
  assert.equal((structuredContent as { requestId: unknown }).requestId, null);
  const other = await client.callTool({ ...inbox, arguments: { address: eve.address } });
  assert.match(JSON.stringify(other.content), /Only the owner of 0x\w+ has signed in here/);
  await client.close();
});

test('a client by the address of its document has the host that vouches for it', async (context) => {
  const client = await serveDocument(context);
  const { verifier, challenge } = pkce();
  const id = await ask({ client, challenge });
  const question = (await gateway.get(`/oauth/consents/${id}`)).body;
  assert.deepEqual([question.clientHost, question.clientName], [new URL(client).host, 'Documented']);
  const exchange = { grant_type: 'authorization_code', client_id: client, code_verifier: verifier };
  const { body } = await json(await form('/oauth/token', { ...exchange, code: await readCode(id) }));
  assert.ok(await isOpen(String(body.access_token)));
});

/** The document of a client that another host vouches for. */
async function serveDocument(context: TestContext, changes: Record<string, unknown> = {}): Promise<string> {
  let url = '';
  const server = createServer((_, response) =>
    response.end(
      JSON.stringify({ client_id: url, client_name: 'Documented', redirect_uris: [redirect], ...changes }),
    ),
  );
  context.after(() => server.close());
  url = `${(await listen(server)).url}/client.json`;
  return url;
}

test('the mail tool wants a sign-in, /mcp/wallet wants it for all, and other tools want none', async () => {
  const bare = await callInbox(null);
  assert.equal(bare.status, 401);
  const metadata = `${issuer()}/.well-known/oauth-protected-resource/mcp`;
  assert.equal(
    bare.headers.get('www-authenticate'),
    `Bearer resource_metadata="${metadata}", scope="mail:read"`,
  );
  const { body } = await gateway.get('/.well-known/oauth-protected-resource/mcp');
  assert.deepEqual([body.resource, body.authorization_servers], [`${issuer()}/mcp`, [issuer()]]);
  const server = (await gateway.get('/.well-known/oauth-authorization-server')).body;
  assert.equal(server.issuer, issuer());
  assert.deepEqual(server.code_challenge_methods_supported, ['S256']);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const accept = { accept: 'application/json, text/event-stream' };
  assert.equal((await gateway.send('POST', '/mcp', list, accept)).status, 200);
  assert.equal((await gateway.send('POST', '/mcp/wallet', list, accept)).status, 401);
  const { access } = await readTokens({ resource: `${issuer()}/mcp/wallet` });
  const signedIn = { ...accept, authorization: `Bearer ${access}` };
  assert.equal((await gateway.send('POST', '/mcp/wallet', list, signedIn)).status, 200);
  assert.equal((await gateway.send('POST', '/mcp', list, signedIn)).status, 401, 'another resource');
});

describe('what is asked', () => {
  test('leads nowhere but to an address that the client has registered', async () => {
    const client = await register();
    const { challenge } = pkce();
    const wanted = {
      response_type: 'code',
      client_id: client,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    };
    for (const given of [
      'https://evil.example/',
      'http://127.0.0.1:7777/other',
      `${redirect}/more`,
      'javascript:alert(1)',
      'x',
    ]) {
      const response = await authorize({ ...wanted, redirect_uri: given });
      assert.equal(response.status, 400, given);
      assert.equal(response.headers.get('location'), null);
    }
    // An app on the owner's machine listens where it finds a free port.
    assert.equal(
      (await authorize({ ...wanted, redirect_uri: redirect.replace('7777', '50123') })).status,
      303,
    );
  });

  test('that lacks PKCE, names another resource or unknown scopes goes back to the client with the reason', async () => {
    const client = await register();
    const good = {
      response_type: 'code',
      client_id: client,
      redirect_uri: redirect,
      code_challenge: pkce().challenge,
      code_challenge_method: 'S256',
      state: 's',
    };
    for (const [changes, error] of [
      [{ code_challenge: '' }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
      [{ scope: 'mail:read money' }, 'invalid_scope'],
    ] as const) {
      const response = await authorize({ ...good, ...changes });
      const url = new URL(response.headers.get('location') ?? assert.fail(error));
      assert.deepEqual([url.searchParams.get('error'), url.searchParams.get('state')], [error, 's']);
    }
  });

  test('comes from clients that are what they say: no forged ids, no documents of others, no addresses that run', async (context) => {
    const client = await register();
    const [kind, data = '', mark = ''] = client.split('.');
    const forged = Buffer.from(JSON.stringify([null, ['https://evil.example/']])).toString('base64url');
    const other = await serveDocument(context, { client_id: 'https://elsewhere.example/' });
    const secret = await serveDocument(context, { token_endpoint_auth_method: 'client_secret_basic' });
    const long = await serveDocument(context, { client_uri: 'x'.repeat(6_000) });
    for (const id of [
      '',
      'x',
      `${kind}.${forged}.${mark}`,
      `${kind}.${data}.${mark.slice(1)}x`,
      other,
      secret,
      long,
    ]) {
      const { status, body } = await json(await authorize({ client_id: id, redirect_uri: redirect }));
      assert.deepEqual([status, body.error], [400, 'invalid_client'], id);
    }
    for (const uri of [
      'javascript:alert(1)',
      'http://example.com/',
      'https://a:b@example.com/',
      'https://example.com/#x',
      'file:///x',
      'app:/x',
    ])
      assert.equal(
        (await gateway.post('/oauth/register', { redirect_uris: [uri] })).body.error,
        'invalid_redirect_uri',
        uri,
      );
    assert.equal(
      (await gateway.post('/oauth/register', { redirect_uris: [] })).body.error,
      'invalid_client_metadata',
    );
  });

  test('by one network waits at most twenty times', async () => {
    const client = await register();
    const { challenge } = pkce();
    const wanted = {
      response_type: 'code',
      client_id: client,
      redirect_uri: redirect,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    };
    const errors: (string | null)[] = [];
    for (let at = 0; at < 22; at++) {
      const response = await authorize(wanted);
      if (response.status === 429) break;
      errors.push(new URL(response.headers.get('location') ?? '', issuer()).searchParams.get('error'));
    }
    assert.ok(errors.filter((error) => error === null).length <= 20);
    assert.ok(errors.length < 22 || errors.includes('temporarily_unavailable'));
    await gateway.restart();
    const { database } = gateway.site().market;
    await database.write('DELETE FROM consents');
  });
});

describe('the owner', () => {
  test('signs one question of one client: no other wallet, end, client, code or page can use it', async () => {
    const { challenge } = pkce();
    const id = await ask({ challenge });
    const good = await sign(id);
    const attacks: [string, Record<string, unknown>, number][] = [
      ['another signer', await sign(id, eve), 403],
      ['another wallet', { ...good, wallet: eve.address }, 403],
      ['another end', { ...good, validUntil: good.validUntil + 1 }, 403],
      ['another client', await sign(id, owner, { client: 'r.other' }), 403],
      ['another redirect', await sign(id, owner, { redirect: 'https://evil.example/' }), 403],
      ['another code', await sign(id, owner, { codeChallenge: pkce().challenge }), 403],
      ['more scopes', await sign(id, owner, { scopes: 'mail:read money' }), 403],
      ['no proof', { ...good, proof: '' }, 422],
      ['a year', { ...(await sign(id)), validUntil: now() + 365 * 86_400 }, 422],
      ['the past', { ...(await sign(id)), validUntil: now() - 1 }, 422],
    ];
    for (const [what, body, status] of attacks) {
      const answer = await gateway.post(`/oauth/consents/${id}`, body);
      assert.equal(answer.status, status, `${what}: ${JSON.stringify(answer.body)}`);
    }
    const other = await ask({ challenge: pkce().challenge });
    assert.notEqual((await gateway.post(`/oauth/consents/${other}`, good)).status, 200, 'another question');
    assert.equal((await gateway.post(`/oauth/consents/${id}`, good)).status, 200);
    assert.equal((await gateway.post(`/oauth/consents/${id}`, good)).status, 422, 'twice');
    assert.equal((await gateway.get(`/oauth/consents/${id}`)).status, 422);
  });

  test('is asked on our own page alone, which no frame may hold, and may say no', async () => {
    const id = await ask({ challenge: pkce().challenge });
    const { headers, body } = await gateway.get(`/oauth/consents/${id}`, { origin: 'https://evil.example' });
    assert.equal(headers.get('access-control-allow-origin'), null);
    const answer = await gateway.send('DELETE', `/oauth/consents/${id}`, { proof: body.proof });
    assert.equal(new URL(answer.body.redirect).searchParams.get('error'), 'access_denied');
    assert.equal((await agree(id).catch(() => ({ status: 422 }))).status, 422);
  });

  test('sees and ends what was granted, and nobody else can', async () => {
    const bearer = async (account: typeof owner) => ({
      authorization: `Bearer ${await gateway.signIn(account)}`,
    });
    const own = await bearer(owner);
    const read = async () => (await gateway.get('/oauth/connections', own)).body.connections;
    const before = await read();
    const { access } = await readTokens();
    const known = before.map(({ id }: Body) => id);
    const { id, clientName, scopes } = (await read()).find((one: Body) => !known.includes(one.id));
    assert.deepEqual([clientName, scopes], ['A helper', ['mail:read']]);
    assert.ok(await isOpen(access));
    const others = await bearer(privateKeyToAccount(accountOf('archive').privateKey));
    assert.equal((await gateway.send('DELETE', `/oauth/connections/${id}`, undefined, others)).status, 404);
    assert.ok(await isOpen(access));
    assert.equal((await gateway.send('DELETE', `/oauth/connections/${id}`, undefined, own)).status, 200);
    assert.ok(!(await isOpen(access)));
  });
});

describe('a token', () => {
  test('comes for a code once, to its client, with its verifier and redirect; a second use ends all', async () => {
    const { verifier, challenge } = pkce();
    const client = await register();
    const code = await readCode(await ask({ client, challenge }));
    const good = {
      grant_type: 'authorization_code',
      code,
      client_id: client,
      redirect_uri: redirect,
      code_verifier: verifier,
    };
    for (const changes of [
      { code: randomBytes(32).toString('base64url') },
      { client_id: await register(['https://evil.example/']) },
      { code_verifier: pkce().verifier },
      { redirect_uri: 'http://127.0.0.1:1/answer' },
      { resource: `${issuer()}/mcp/wallet` },
      { grant_type: 'password' },
    ])
      assert.equal(
        (await form('/oauth/token', { ...good, ...changes })).status,
        400,
        JSON.stringify(changes),
      );
    const { body } = await json(await form('/oauth/token', good));
    assert.deepEqual([body.token_type, body.expires_in], ['Bearer', 3_600]);
    assert.ok(await isOpen(String(body.access_token)));
    const again = await json(await form('/oauth/token', good));
    assert.equal(again.body.error, 'invalid_grant');
    assert.ok(!(await isOpen(String(body.access_token))), 'somebody has stolen the code');
  });

  test('is renewed by a refresh token that changes; the use of an old one ends the family', async () => {
    const { client, access, refresh } = await readTokens();
    const renew = (token: string, by = client) =>
      form('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: by });
    assert.equal(
      (await renew(refresh, await register(['https://evil.example/']))).status,
      400,
      'another client',
    );
    const renewed = await json(await renew(refresh));
    assert.equal(renewed.status, 200);
    assert.ok(await isOpen(access), 'the earlier one is good until its end');
    assert.ok(await isOpen(String(renewed.body.access_token)));
    assert.equal((await renew(refresh)).status, 400);
    assert.ok(!(await isOpen(String(renewed.body.access_token))));
    assert.equal((await renew(String(renewed.body.refresh_token))).status, 400);
  });

  test('opens the tools alone, for one wallet, and nothing below /v1; a session opens no tool', async () => {
    const { access, refresh } = await readTokens();
    for (const token of [access, refresh]) {
      const headers = { authorization: `Bearer ${token}` };
      assert.equal((await gateway.get('/v1/mailbox', headers)).body.code, 'SESSION_REQUIRED');
      assert.equal((await gateway.get('/oauth/connections', headers)).body.code, 'SESSION_REQUIRED');
    }
    assert.ok(!(await isOpen(refresh)));
    assert.ok(!(await isOpen(await gateway.signIn(owner))));
    assert.equal((await callInbox('x')).status, 401);
  });

  test('can be revoked by its client, lasts over a restart, and lies in no row in clear', async () => {
    const { client, access, refresh } = await readTokens();
    await gateway.restart();
    // The port is another one, and so is the issuer, whose tokens these were.
    const { database } = gateway.site().market;
    const rows = JSON.stringify([
      await database.query('SELECT * FROM grant_tokens'),
      await database.query('SELECT * FROM grants'),
      await database.query('SELECT * FROM consents'),
    ]);
    for (const secret of [access, refresh]) assert.ok(!rows.includes(secret));
    const renewed = await json(
      await form('/oauth/token', { grant_type: 'refresh_token', refresh_token: refresh, client_id: client }),
    );
    assert.equal(renewed.status, 200);
    assert.equal((await form('/oauth/revoke', { token: String(renewed.body.refresh_token) })).status, 200);
    assert.ok(!(await isOpen(String(renewed.body.access_token))));
    assert.equal((await form('/oauth/revoke', { token: 'unknown' })).status, 200);
  });
});

test('a gateway at a public address without TLS gives no tokens and says so', async () => {
  await gateway.restart({ host: '0.0.0.0' });
  const { status, body } = await gateway.get('/.well-known/oauth-authorization-server');
  assert.equal(status, 503);
  assert.match(body.error_description, /SVC_GATEWAY_URL/);
  assert.equal((await callInbox(null)).status, 401);
  await gateway.restart();
});
