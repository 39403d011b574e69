// A hosted wallet tool server: it asks for permission by OAuth, once, and what it grants is kept where only its owner reads.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { accountOf } from '#devnet/accounts.ts';
import { createAuthorization } from '#tools/wallet/authorization.ts';
import { createKeyWallet } from '#tools/wallet/keyWallet.ts';
import { createRequestBook, inMemory } from '#tools/wallet/requestBook.ts';
import { openToolClient } from '#tools/wallet/toolClient.ts';
import { createWalletDesk, createWalletServer } from '#tools/wallet/walletServer.ts';
import { createSecretFile } from '../../src/commands/secretFile.ts';

const { address, privateKey } = accountOf('visitor');

/** The least that OAuth asks of a server: metadata, registration, a page that says yes, and tokens bound to a proof. */
async function startHosted(context: TestContext) {
  const book = createRequestBook(inMemory);
  const wallet = createKeyWallet({ privateKey, rpcUrls: ['http://127.0.0.1:1'], chain: '0x', book });
  const desk = createWalletDesk(wallet, address);
  const handler = createMcpHandler(() => createWalletServer(desk, '0'));
  const serve = toNodeHandler(handler);
  const challenges = new Map<string, string>();
  const tokens = new Set<string>();
  const refreshTokens = new Set<string>();
  const seen = { registrations: 0, grants: 0, refreshes: 0 };
  /** As careful servers do: a refresh token is good once. */
  const grant = (response: ServerResponse) => {
    const [access_token, refresh_token] = [randomUUID(), randomUUID()];
    tokens.add(access_token);
    refreshTokens.add(refresh_token);
    answer(response, 200, { access_token, refresh_token, token_type: 'Bearer', expires_in: 3_600 });
  };
  const answer = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', base());
    if (url.pathname.startsWith('/.well-known/oauth-protected-resource'))
      return answer(response, 200, { resource: `${base()}/mcp`, authorization_servers: [base()] });
    if (url.pathname.startsWith('/.well-known/'))
      return answer(response, 200, {
        issuer: base(),
        authorization_endpoint: `${base()}/authorize`,
        token_endpoint: `${base()}/token`,
        registration_endpoint: `${base()}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      });
    if (url.pathname === '/register') {
      seen.registrations++;
      return answer(response, 201, { ...JSON.parse(await text(request)), client_id: randomUUID() });
    }
    if (url.pathname === '/authorize') {
      const code = randomUUID();
      challenges.set(code, url.searchParams.get('code_challenge') ?? '');
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.search = String(new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' }));
      return void response.writeHead(302, { location: back.href }).end();
    }
    if (url.pathname === '/token') {
      const form = new URLSearchParams(await text(request));
      if (form.get('grant_type') === 'refresh_token') {
        if (!refreshTokens.delete(form.get('refresh_token') ?? ''))
          return answer(response, 400, { error: 'invalid_grant' });
        seen.refreshes++;
        return grant(response);
      }
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (challenges.get(form.get('code') ?? '') !== proof)
        return answer(response, 400, { error: 'invalid_grant' });
      seen.grants++;
      return grant(response);
    }
    if (!tokens.has(request.headers.authorization?.replace('Bearer ', '') ?? '')) {
      const resource = `${base()}/.well-known/oauth-protected-resource/mcp`;
      return answer(response, 401, {}, { 'www-authenticate': `Bearer resource_metadata="${resource}"` });
    }
    void serve(request as Parameters<typeof serve>[0], response);
  });
  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  context.after(async () => {
    await handler.close();
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `${base()}/mcp`,
    seen,
    expire: () => tokens.clear(),
    revoke: () => {
      tokens.clear();
      refreshTokens.clear();
    },
  };
}

export function testHostedWallet(): void {
  test('permission is asked for once, kept for its owner alone, used again, renewed, and asked for anew once revoked', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-grants-'));
    context.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'deeper/wallet-grants.json');
    const { url, seen, expire, revoke } = await startHosted(context);
    const shown: string[] = [];
    /** The owner: opens what is shown in a browser, which follows the way back. A stranger comes first. */
    const show = async (line: string) => {
      shown.push(line);
      const page = new URL(/http\S+/.exec(line)?.[0] ?? '');
      const foreign = new URL(page.searchParams.get('redirect_uri') ?? '');
      foreign.search = '?code=stolen&state=guessed';
      assert.equal((await fetch(foreign)).status, 404);
      await fetch(page);
    };
    const open = () =>
      openToolClient({
        server: url,
        version: '0',
        authorization: createAuthorization(url, createSecretFile(file), (line) => void show(line)),
      });
    /** As one process after the other. */
    const useOnce = async () => {
      const client = await open();
      assert.deepEqual(await client.call('get_wallets', {}), { wallets: [{ address, chains: ['base'] }] });
      await client.close();
      assert.equal(statSync(file).mode & 0o777, 0o600);
    };
    await useOnce();
    await useOnce();
    assert.equal(shown.length, 1, 'the second time needs nobody');
    assert.deepEqual(seen, { registrations: 1, grants: 1, refreshes: 0 });
    expire();
    await useOnce();
    assert.deepEqual(seen, { registrations: 1, grants: 1, refreshes: 1 }, 'what has run out is renewed');
    assert.equal(shown.length, 1);
    revoke();
    await useOnce();
    assert.equal(shown.length, 2, 'its owner is asked anew');
    assert.deepEqual(seen, { registrations: 1, grants: 2, refreshes: 1 });
    assert.match(readFileSync(file, 'utf8'), /refresh_token/);
    const unattended = createAuthorization(url, createSecretFile(join(folder, 'none.json')), null);
    await assert.rejects(openToolClient({ server: url, version: '0', authorization: unattended }), {
      message: /asks its owner for permission/,
    });
  });
}
