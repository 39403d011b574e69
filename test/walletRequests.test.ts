// Proves wallet requests on a real chain: who may make and decide them, and that only the chain settles one.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createWalletClient, encodeFunctionData, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { multicall3Abi } from '#contracts/generated/abi/multicall3.ts';
import { tokTokenAbi } from '#contracts/generated/abi/tokToken.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { approvalTokenHeader, splitApprovalUrl } from '#sdk/domain/approvalLink.ts';
import { createdRequestSchema, walletRequestSchema } from '#sdk/schemas/walletRequest.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { multicall3Address } from '#service/devnet/canonical.ts';
import { base } from './support/baseChain.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { ask } from './support/rawHttp.ts';
import { until } from './support/until.ts';

const { address: from, privateKey } = accountOf('newcomer');
const stranger = accountOf('visitor');
let gateway: TestGateway;
let token: Hex;
before(async () => {
  gateway = await startGateway();
  token = gateway.devnet.deployment.tokToken;
});
after(() => gateway.close());

function encodeApproval(amount: bigint): Hex {
  return encodeFunctionData({ abi: tokTokenAbi, functionName: 'approve', args: [stranger.address, amount] });
}

function encodeTransfer(amount: bigint): Hex {
  return encodeFunctionData({ abi: tokTokenAbi, functionName: 'transfer', args: [stranger.address, amount] });
}

function buildCalls(...datas: Hex[]) {
  return {
    kind: 'calls',
    action: 'approve-tok-router',
    summary: 'Let the visitor take TOK',
    chainId: 8453,
    from,
    calls: datas.map((data) => ({ to: token, value: '0x0', data })),
  };
}

const typedData = {
  domain: { name: 'svc', version: '2', chainId: 8453 },
  types: { Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  message: { text: 'as agreed' },
};

const signatureRequest = {
  kind: 'signature',
  action: 'build-task-terms',
  summary: 'Sign the terms',
  chainId: 8453,
  from,
  typedData,
};

/** The secrets of the approval links, by request. */
const tokens = new Map<string, string>();

async function make(body: unknown = buildCalls(encodeApproval(1n))): Promise<string> {
  const { status, body: made } = await gateway.post('/v1/requests', body);
  assert.equal(status, 201, JSON.stringify(made));
  tokens.set(made.requestId, splitApprovalUrl(made.approvalUrl).token ?? assert.fail());
  return made.requestId;
}

const read = async (id: string) => (await gateway.get(`/v1/requests/${id}`)).body;
const withToken = (token = '') => ({ [approvalTokenHeader]: token });
const decide = (id: string, result: unknown, headers: Record<string, string> = withToken(tokens.get(id))) =>
  gateway.post(`/v1/requests/${id}/result`, result, headers);

/** As a wallet does once its owner has agreed. */
async function send(data: Hex, { to = token, key = privateKey, gas = 200_000n } = {}): Promise<Hex> {
  const account = privateKeyToAccount(key);
  const wallet = createWalletClient({ account, chain: base, transport: http(gateway.devnet.rpcUrl) });
  return wallet.sendTransaction({ to, data, gas });
}

async function settle(id: string, transactionHashes: readonly Hex[]) {
  const { status, body } = await decide(id, { status: 'submitted', transactionHashes });
  assert.equal(status, 200, JSON.stringify(body));
  await until(async () => (await read(id)).status !== 'submitted');
  const { status: outcome, error } = await read(id);
  return { outcome, error };
}

describe('a request', () => {
  test('is answered 201 with an id nobody can guess and the page on which its owner decides', async () => {
    const { status, headers, body } = await gateway.post('/v1/requests', buildCalls(encodeApproval(1n)));
    assert.equal(status, 201);
    assert.equal(headers.get('cache-control'), 'no-store');
    const { requestId, approvalUrl, expiresAt } = createdRequestSchema.parse(body);
    assert.match(requestId, /^[\w-]{22}$/);
    const page = `${gateway.url()}/approve.html?request=${requestId}`;
    assert.match(approvalUrl.slice(page.length), /^#token=[\w-]{43}$/);
    const shown = walletRequestSchema.parse(await read(requestId));
    assert.equal(shown.approvalUrl, page, 'who only knows the id sees the page, and decides nothing');
    assert.equal(shown.status, 'pending');
    assert.equal(shown.expiresAt, expiresAt);
    assert.equal(shown.expiresAt - shown.createdAt, 86_400);
    assert.notEqual(await make(), requestId);
  });

  test('that is unknown is 404, and one that does not fit is 400 with the field that is wrong', async () => {
    assert.equal((await gateway.get('/v1/requests/AAAAAAAAAAAAAAAAAAAAAA')).status, 404);
    assert.equal((await decide('nothing', { status: 'rejected' })).status, 404);
    const wrong: [unknown, RegExp][] = [
      [{ ...buildCalls('0x'), from: 'me' }, /from/],
      [{ ...buildCalls('0x'), chainId: 'base' }, /chainId/],
      [{ ...buildCalls(), calls: [] }, /calls/],
      [{ ...buildCalls('0x'), kind: 'gift' }, /kind/],
      [{ ...signatureRequest, typedData: { types: {} } }, /typedData/],
      [null, /body|object|kind/],
    ];
    for (const [body, reason] of wrong) {
      const answer = await gateway.post('/v1/requests', body);
      assert.equal(answer.status, 400);
      assert.match(answer.body.error, reason);
    }
  });
});

test('calls and typed data for another chain are refused, also where only the domain names it', async () => {
  const domain = { ...typedData.domain, chainId: 1 };
  const attacks: [unknown, string][] = [
    [{ ...buildCalls('0x'), chainId: 1 }, '1'],
    [{ ...signatureRequest, chainId: 84532 }, '84532'],
    [{ ...signatureRequest, typedData: { ...typedData, domain } }, '1'],
    [{ ...signatureRequest, typedData: { ...typedData, domain: { ...domain, chainId: '0x1' } } }, '0x1'],
  ];
  for (const [body, found] of attacks) {
    const answer = await gateway.post('/v1/requests', body);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.code, 'REQUEST_CHAIN_WRONG');
    assert.ok(answer.body.error.startsWith(`The request is for chain ${found};`), answer.body.error);
  }
});

describe('the chain decides', () => {
  test('only the calls themselves, of the wallet itself, all of them, in order and after the request, settle it', async () => {
    const [one, two] = [encodeApproval(3n), encodeApproval(4n)];
    const early = await send(one);
    await until(async () => (await gateway.get('/health')).status === 200);
    await gateway.devnet.clock.advance(120);
    const bundle = encodeFunctionData({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [[{ target: token, allowFailure: false, callData: one }]],
    });
    const hashes = [await send(one), await send(two)] as const;
    const others = /not the requested ones/;
    const cases: [what: string, calls: Hex[], hashes: readonly Hex[], failure: RegExp | null][] = [
      ['one', [one], [hashes[0]], null],
      ['both', [one, two], hashes, null],
      ['swapped', [one, two], [hashes[1], hashes[0]], others],
      ['only the first', [one, two], [hashes[0]], /./],
      ['another amount', [one], [hashes[1]], others],
      ['of another wallet', [one], [await send(one, { key: stranger.privateKey })], others],
      ['in a bundle of another contract', [one], [await send(bundle, { to: multicall3Address })], others],
      ['mined before the request', [one], [early], /older than the request/],
    ];
    for (const [what, calls, sent, failure] of cases) {
      const { outcome, error } = await settle(await make(buildCalls(...calls)), sent);
      assert.equal(outcome, failure === null ? 'settled' : 'failed', what);
      assert.match(error ?? '', failure ?? /^$/, what);
    }
    const id = await make(buildCalls(one, one));
    const twice = await decide(id, { status: 'submitted', transactionHashes: [hashes[0], hashes[0]] });
    assert.equal(twice.status, 400);
  });

  test('calls that are sent one by one are remembered while it waits, and never forgotten again', async () => {
    const [one, two] = [encodeApproval(11n), encodeApproval(12n)];
    const id = await make(buildCalls(one, two));
    const first = await send(one);
    const note = (...transactionHashes: Hex[]) => decide(id, { status: 'sending', transactionHashes });
    const { body } = await note(first);
    assert.deepEqual([body.status, body.transactionHashes], ['pending', [first]]);
    const second = await send(two);
    assert.equal((await note(first, second)).body.status, 'pending');
    assert.equal((await note(first)).status, 400);
    assert.equal((await note(first, second, `0x${'ab'.repeat(32)}`)).status, 400);
    assert.deepEqual(await settle(id, [first, second]), { outcome: 'settled', error: null });
    assert.equal((await note(first, second)).status, 409);
  });

  test('a revert fails the request, with the reason in words', async () => {
    const data = encodeTransfer(parseTok('79000000000'));
    const { outcome, error } = await settle(await make(buildCalls(data)), [await send(data)]);
    assert.equal(outcome, 'failed');
    assert.match(error, /are needed/);
  });

  test('a transaction that nobody knows leaves it submitted, and the wallet may name its replacement', async () => {
    const data = encodeApproval(9n);
    const id = await make(buildCalls(data));
    const lost = await decide(id, { status: 'submitted', transactionHashes: [`0x${'ab'.repeat(32)}`] });
    assert.equal(lost.body.status, 'submitted');
    assert.equal((await settle(id, [await send(data)])).outcome, 'settled');
  });
});

test('an invented transaction ends no request: its owner can reject it until the chain shows one', async () => {
  const data = encodeApproval(14n);
  const invented = { status: 'submitted', transactionHashes: [`0x${'ce'.repeat(32)}`] };
  const id = await make(buildCalls(data));
  assert.equal((await decide(id, invented)).body.status, 'submitted');
  const rejected = await decide(id, { status: 'rejected', reason: 'Not mine.' });
  assert.deepEqual([rejected.status, rejected.body.status], [200, 'rejected'], JSON.stringify(rejected.body));
  assert.match(rejected.body.error, /^The owner says: Not mine\. .*chain does not show/);
  assert.match(rejected.body.error, /cececece/, 'the caller can look whether it was sent after all');
  const mined = await make(buildCalls(data));
  const hash = await send(data);
  await decide(mined, { status: 'submitted', transactionHashes: [hash] });
  assert.equal((await decide(mined, { status: 'rejected' })).status, 409);
});

describe('anyone who knows the id of a request', () => {
  const fake = { status: 'submitted', transactionHashes: [`0x${'ab'.repeat(32)}`] };
  const sending = { ...fake, status: 'sending' };
  const openSessionOf = async (key: Hex) => ({
    Authorization: `Bearer ${await gateway.signIn(privateKeyToAccount(key))}`,
  });

  test('can neither reject it nor claim that it was sent', async () => {
    const id = await make(buildCalls(encodeApproval(1n), encodeApproval(2n)));
    const foreign = [
      {},
      withToken(''),
      withToken(tokens.get(await make())),
      withToken(tokens.get(id)?.slice(1)),
      withToken(`${tokens.get(id)}A`),
      withToken(id),
      { Authorization: `Bearer ${tokens.get(id)}` },
      await openSessionOf(stranger.privateKey),
    ];
    for (const headers of foreign)
      for (const result of [{ status: 'rejected' }, fake, sending]) {
        const { status, body } = await decide(id, result, headers);
        assert.deepEqual([status, body.code], [403, 'WALLET_REQUEST_NOT_YOURS'], JSON.stringify(headers));
        assert.ok(!JSON.stringify(body).includes(tokens.get(id) ?? ''));
      }
    const { status, transactionHashes } = await read(id);
    assert.deepEqual([status, transactionHashes], ['pending', []]);
  });

  test('needs a session of its wallet instead of the link: so are requests decided that are older than links', async () => {
    const id = await make();
    const own = await openSessionOf(privateKey);
    assert.equal((await decide(id, { status: 'rejected' }, own)).body.status, 'rejected');
  });

  test('cannot end what a key is sending: only the process that made the request reports on it', async () => {
    const data = encodeApproval(13n);
    const id = await make({ ...buildCalls(data), decidedBy: 'wallet' });
    assert.equal((await decide(id, { status: 'rejected' }, await openSessionOf(privateKey))).status, 403);
    assert.deepEqual(await settle(id, [await send(data)]), { outcome: 'settled', error: null });
  });
});

describe('the owner decides', () => {
  test('a signature counts only if it is the wallet’s and for this document', async () => {
    const id = await make(signatureRequest);
    const sign = (key: Hex, text = 'as agreed') =>
      privateKeyToAccount(key).signTypedData({ ...typedData, message: { text } } as never);
    // It ends like a wrapped signature (ERC-8010), and nothing can be unwrapped.
    const unreadable = `0x${'00'.repeat(64)}${'8010'.repeat(16)}`;
    const wrong = [await sign(stranger.privateKey), await sign(privateKey, 'for more'), unreadable];
    // It is proof enough: no link is needed.
    for (const signature of wrong) {
      const { status } = await decide(id, { status: 'signed', signature }, {});
      assert.equal(status, 422);
      assert.equal((await read(id)).status, 'pending');
    }
    const signature = await sign(privateKey);
    const { body } = await decide(id, { status: 'signed', signature }, {});
    assert.deepEqual([body.status, body.signature], ['settled', signature]);
  });

  test('a document cannot name whose signature is checked, or how', async () => {
    const foreign = await privateKeyToAccount(stranger.privateKey).signTypedData(typedData as never);
    const own = await privateKeyToAccount(privateKey).signTypedData(typedData as never);
    const smuggled = [
      { address: stranger.address },
      { signature: own },
      { hash: `0x${'00'.repeat(32)}` },
      { blockNumber: 0 },
      { factory: token, factoryData: '0x', erc6492VerifierAddress: token, mode: 'eoa' },
    ];
    for (const more of smuggled) {
      const id = await make({ ...signatureRequest, typedData: { ...typedData, ...more } });
      const named = Object.keys(more).join(', ');
      assert.equal((await decide(id, { status: 'signed', signature: foreign })).status, 422, named);
      assert.equal((await decide(id, { status: 'signed', signature: own })).body.status, 'settled', named);
    }
  });
});

describe('pages of other sites', () => {
  const body = () => JSON.stringify(buildCalls(encodeApproval(1n)));
  const write = (headers: Record<string, string>, path = '/v1/requests') =>
    ask(gateway.url(), {
      path,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: path.endsWith('/result') ? '{"status":"rejected"}' : body(),
    });

  test('may not write: neither under their own origin, nor under a name that points here', async () => {
    const id = await make();
    const { host } = new URL(gateway.url());
    const foreign = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: 'http://127.0.0.1:1' },
      { Host: 'evil.example:4020' },
      { Host: 'evil.example:4020', Origin: 'http://evil.example:4020' },
    ];
    for (const headers of foreign) {
      for (const path of ['/v1/requests', `/v1/requests/${id}/result`]) {
        const { status, headers: answered } = await write({ Host: host, ...headers }, path);
        assert.equal(status, 403, JSON.stringify(headers));
        assert.equal(answered['access-control-allow-origin'], undefined);
      }
    }
    assert.equal((await read(id)).status, 'pending');
    for (const own of [{ Origin: new URL(gateway.url()).origin }, {}])
      assert.equal((await write({ Host: host, ...own })).status, 201, 'our page, and what is no browser');
    const simple = await write({ 'Content-Type': 'text/plain' });
    assert.equal(simple.status, 415);
  });
});
