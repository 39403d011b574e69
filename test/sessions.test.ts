// Attacks on sessions: another wallet's, another gateway's, replayed, expired, revoked, and those of smart wallets.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWalletClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { openSession, signSession } from '#sdk/client/session.ts';
import { addressKey } from '#sdk/domain/address.ts';
import type { SessionBody } from '#sdk/schemas/sessions.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { base } from './support/baseChain.ts';
import { type Cast, createCast } from './support/cast.ts';
import {
  type ContractWallet,
  deployContractWallet,
  describeUndeployedWallet,
  enterContractWallet,
} from './support/contractWallet.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import {
  type InterceptingProxy,
  signatureMethods,
  startInterceptingProxy,
} from './support/interceptingProxy.ts';
import { until } from './support/until.ts';

const chainId = 8453;
const ann = privateKeyToAccount(accountOf('newcomer').privateKey);
const eve = privateKeyToAccount(generatePrivateKey());

let gateway: TestGateway;
let cast: Cast;
let proxy: InterceptingProxy;
/** What the gateway asks the chain about signatures. */
const asked: string[] = [];
let isChainSilent = false;

before(async () => {
  gateway = await startGateway();
  proxy = await startInterceptingProxy(gateway.devnet.rpcUrl, (method, forward) => {
    if (signatureMethods.includes(method)) asked.push(method);
    return isChainSilent ? new Promise(() => undefined) : forward();
  });
  await gateway.restart({ rpcUrls: [proxy.url] });
  await until(async () => (await gateway.get('/health')).body.ready === true);
  cast = await createCast(gateway.devnet.rpcUrl, 'standard');
});
after(async () => {
  await gateway.close();
  proxy.close();
});

const sign = (wallet: Parameters<typeof signSession>[0] = ann, parts: { validUntil?: number } = {}) =>
  signSession(wallet, gateway.url(), { chainId, ...parts });
const open = (body: SessionBody) => gateway.post('/v1/sessions', body);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const close = (headers: Record<string, string>) => gateway.send('DELETE', '/v1/sessions', undefined, headers);

const now = () => Math.floor(Date.now() / 1_000);

describe('a session', () => {
  test('opens for an account and for a wallet client, and ends when it is revoked', async () => {
    const wallet = createWalletClient({ account: ann, chain: base, transport: http(gateway.devnet.rpcUrl) });
    for (const signer of [ann, wallet]) {
      const { token, expiresAt } = await openSession({ baseUrl: gateway.url() }, signer, { chainId });
      assert.ok(expiresAt > now());
      assert.deepEqual((await close(bearer(token))).body, { revoked: true });
      assert.equal((await close(bearer(token))).body.code, 'SESSION_REQUIRED');
    }
    assert.deepEqual(asked, [], 'a key needs no question to the chain');
  });

  test('of another wallet, for another gateway or chain, or with a changed field is refused', async () => {
    const good = await sign();
    const attacks: [string, SessionBody, number][] = [
      ['another wallet', { ...good, wallet: accountOf('visitor').address }, 403],
      ['another signer', { ...(await sign(eve)), wallet: ann.address }, 403],
      ['another nonce', { ...good, nonce: `0x${'11'.repeat(32)}` }, 403],
      ['another end', { ...good, validUntil: good.validUntil + 1 }, 403],
      ['another chain', await signSession(ann, gateway.url(), { chainId: 1 }), 403],
      ['another gateway', await signSession(ann, 'https://evil.example', { chainId }), 422],
      ['a gateway that was exchanged', { ...good, gateway: 'https://evil.example' }, 422],
      ['no gateway', { ...good, gateway: '' }, 422],
    ];
    for (const [attack, body, status] of attacks) assert.equal((await open(body)).status, status, attack);
    assert.equal((await open(good)).status, 201, 'the document itself is still good');
  });

  test('opens once for each document, also when many requests come at once', async () => {
    const body = await sign();
    const answers = await Promise.all(Array.from({ length: 30 }, () => open(body)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    assert.ok(answers.every(({ status, body: { code } }) => status === 201 || code === 'SESSION_USED'));
    const token = answers.find(({ status }) => status === 201)?.body.token;
    await close(bearer(token));
    assert.equal((await open(body)).body.code, 'SESSION_USED', 'a revoked session is not opened again');
    const upper = {
      ...body,
      nonce: `0x${body.nonce.slice(2).toUpperCase()}` as const,
      wallet: addressKey(body.wallet),
    };
    assert.equal((await open(upper)).body.code, 'SESSION_USED', 'another spelling is the same document');
  });

  test('lasts 24 hours at most, and never longer than its document says', async () => {
    assert.match((await open(await sign(ann, { validUntil: now() - 1 }))).body.error, /expired/);
    assert.match((await open(await sign(ann, { validUntil: now() + 86_500 }))).body.error, /longer than 24/);
    const { token } = (await open(await sign(ann, { validUntil: now() + 2 }))).body;
    const read = () => gateway.get('/v1/mailbox', bearer(token));
    assert.equal((await read()).status, 200);
    await until(async () => (await read()).body.code === 'SESSION_REQUIRED');
  });

  test('is never found by what is not its token, which the rows hold as a hash', async () => {
    const none = 'A'.repeat(43);
    const wrong = ['', 'Bearer', 'Bearer x', `Bearer ${none}`, `Basic ${none}`, 'Bearer \u00e9'];
    for (const authorization of wrong)
      assert.equal((await close({ authorization })).body.code, 'SESSION_REQUIRED', authorization);
    const { token } = (await open(await sign(ann, { validUntil: now() + 1_000 }))).body;
    const inUrl = await fetch(`${gateway.url()}/v1/sessions?token=${token}`, { method: 'DELETE' });
    assert.equal(inUrl.status, 403);
    const rows = await gateway.site().market.database.query('SELECT * FROM sessions');
    assert.ok(rows.length > 0);
    assert.ok(!JSON.stringify(rows).includes(token));
  });
});

describe('a smart wallet', () => {
  let wallet: ContractWallet;
  const later = () => ({ validUntil: now() + 1_000 });

  test('that has no part in the market causes no question to the chain', async () => {
    wallet = await deployContractWallet(cast, gateway.devnet.rpcUrl, eve);
    asked.length = 0;
    for (let at = 0; at < 20; at++)
      assert.equal((await open(await sign(wallet, later()))).body.code, 'NO_STANDING');
    assert.deepEqual(asked, []);
  });

  test('opens a session by ERC-1271 once it has its collateral, and the chain is asked once', async () => {
    await enterContractWallet(cast, wallet);
    asked.length = 0;
    let token = '';
    let body: SessionBody | undefined;
    await until(async () => {
      body = await sign(wallet, later());
      ({ token = '' } = (await open(body)).body);
      return token !== '';
    });
    assert.ok(asked.length <= 3, asked.join());
    asked.length = 0;
    assert.equal((await open(body as SessionBody)).body.code, 'SESSION_USED');
    assert.equal((await close(bearer(token))).status, 200);
    assert.deepEqual(asked, [], 'a document that was used and a session that is open need no question');
  });

  test('does not open one with the signature of another key', async () => {
    const forged = await sign(
      { address: wallet.address, signTypedData: ann.signTypedData as never },
      later(),
    );
    assert.equal((await open(forged)).status, 422);
  });

  test('that is not deployed opens one by ERC-6492, if the rows know it', async () => {
    const undeployed = await describeUndeployedWallet(cast, gateway.devnet.rpcUrl, eve);
    assert.equal((await open(await sign(undeployed, later()))).body.code, 'NO_STANDING');
    const { market } = gateway.site();
    await market.database.chain.write(
      `INSERT INTO events SELECT block_number, log_index + 1000, block_hash, block_time, tx_hash, market,
         contract, address, name, task_number, replace(args, $1, $2) FROM events WHERE name = 'Deposited' AND args LIKE $3`,
      [wallet.address, undeployed.address, `%${wallet.address}%`],
    );
    // 403 until the event has become a row of its wallet, and 503 for the moment in which it becomes one.
    await until(async () => (await open(await sign(undeployed, later()))).status === 201);
  });

  test('gets an answer after five seconds where the chain is silent, and nobody is let in', async () => {
    isChainSilent = true;
    try {
      const { status, headers } = await open(await sign(wallet, later()));
      assert.equal(status, 503);
      assert.ok(headers.get('retry-after'));
    } finally {
      isChainSilent = false;
    }
  });
});
