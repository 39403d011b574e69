// A hosted wallet tool server with OAuth as careful ones do it: a refresh token is good once, and its reuse ends the grant.
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createRpc } from '#sdk/chain/rpc.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { createKeyWallet } from '#service/wallet/keyWallet.ts';
import { createRequestFile } from '#service/wallet/requestFile.ts';
import { createDevelopmentWallet, createWalletServer } from '#service/wallet/walletServer.ts';
import * as http from '../support/listen.ts';

export const { address, privateKey } = accountOf('visitor');

/** What one yes of the owner led to; it ends as a whole. */
type Family = { refreshToken: string; accessToken: string; uses: number };

/** The least that OAuth asks of a server: metadata, registration, a page that says yes, and tokens bound to a proof. */
export async function startHosted(context: TestContext) {
  const requests = createRequestFile();
  const wallet = createKeyWallet({
    privateKey,
    rpc: createRpc({ urls: ['http://127.0.0.1:1'] }),
    chainId: 8_453,
    chain: '0x',
    requests,
  });
  const desk = createDevelopmentWallet(wallet, address);
  const handler = createMcpHandler(() => createWalletServer(desk, 8_453, '0'));
  const serve = toNodeHandler(handler);
  const challenges = new Map<string, string>();
  const families = new Set<Family>();
  const spent = new Map<string, Family>();
  let usesOfEach = Number.POSITIVE_INFINITY;
  const hosted = {
    get url() {
      return `${base()}/mcp`;
    },
    /** `reuses` are refresh tokens that came a second time, `refusals` requests to the tools without a good access token. */
    seen: { registrations: 0, grants: 0, refreshes: 0, reuses: 0, refusals: 0 },
    /** The access tokens run out; the refresh tokens stay. */
    expire: () => {
      for (const family of families) family.accessToken = '';
    },
    /** The owner takes everything back. */
    revoke: () => families.clear(),
    /** From now on an access token is good for so many requests. */
    limitUses: (uses: number) => {
      usesOfEach = uses;
    },
    /** Stands between a refresh token and its answer: may wait, or answer something else. */
    onRefresh: async (_response: ServerResponse): Promise<void> => undefined,
  };
  const { seen } = hosted;

  /** A new pair ends the one before it. */
  const grant = (response: ServerResponse, family: Family) => {
    Object.assign(family, { accessToken: randomUUID(), refreshToken: randomUUID(), uses: usesOfEach });
    const { accessToken: access_token, refreshToken: refresh_token } = family;
    answer(response, 200, { access_token, refresh_token, token_type: 'Bearer', expires_in: 3_600 });
  };

  async function refresh(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const token = form.get('refresh_token') ?? '';
    const reused = spent.get(token);
    if (reused !== undefined) {
      seen.reuses++;
      families.delete(reused);
    }
    const family = [...families].find(({ refreshToken }) => refreshToken === token);
    if (family === undefined) return answer(response, 400, { error: 'invalid_grant' });
    spent.set(token, family);
    await hosted.onRefresh(response);
    if (response.writableEnded) return void spent.delete(token);
    // It may have been used again meanwhile.
    if (!families.has(family)) return answer(response, 400, { error: 'invalid_grant' });
    seen.refreshes++;
    grant(response, family);
  }

  function redeem(form: URLSearchParams, response: ServerResponse): void {
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const code = form.get('code') ?? '';
    if (challenges.get(code) !== proof) {
      answer(response, 400, { error: 'invalid_grant' });
      return;
    }
    challenges.delete(code);
    seen.grants++;
    const family = { refreshToken: '', accessToken: '', uses: 0 };
    families.add(family);
    grant(response, family);
  }

  function isAllowed(request: IncomingMessage): boolean {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const family = [...families].find(({ accessToken }) => accessToken === token);
    return token !== '' && family !== undefined && family.uses-- > 0;
  }

  const server = await http.serve(async (request, response) => {
    const url = new URL(request.url ?? '/', base());
    if (url.pathname.startsWith('/.well-known/oauth-protected-resource'))
      return answer(response, 200, { resource: `${base()}/mcp`, authorization_servers: [base()] });
    if (url.pathname.startsWith('/.well-known/')) return answer(response, 200, metadataOf(base()));
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
      return form.get('grant_type') === 'refresh_token' ? refresh(form, response) : redeem(form, response);
    }
    if (!isAllowed(request)) {
      seen.refusals++;
      const resource = `${base()}/.well-known/oauth-protected-resource/mcp`;
      return answer(response, 401, {}, { 'www-authenticate': `Bearer resource_metadata="${resource}"` });
    }
    void serve(request as Parameters<typeof serve>[0], response);
  });
  const base = () => server.url;
  context.after(async () => {
    await handler.close();
    server.close();
  });
  return hosted;
}

export function answer(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  };
}
