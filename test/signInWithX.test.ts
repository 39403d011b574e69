// Attacks on the x402 extension sign-in-with-x, and proves that a wallet which has paid gets its answer again with the stock client.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import * as pieces from '@x402/extensions/sign-in-with-x';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { accountOf } from '#service/devnet/accounts.ts';
import type { Answer } from './support/asking.ts';
import type { Cast } from './support/cast.ts';
import type { TestGateway } from './support/gateway.ts';
import { assertRefused, earnedBy, payTo, startTrade } from './support/paying.ts';
import { postTask } from './support/posting.ts';
import { claimRequest, decode, payV2, signAuthorization } from './support/x402.ts';

type Info = Readonly<Record<string, unknown>>;
type Declared = { readonly info: Info; readonly supportedChains: readonly Info[] };
/** The parts of the package that are used here, also with what its types forbid. */
type StockPieces = {
  readonly wrapFetchWithSIWx: (send: typeof fetch, signer: PrivateKeyAccount) => typeof fetch;
  readonly createSIWxClientExtension: (options: { signers: readonly PrivateKeyAccount[] }) => never;
  readonly createSIWxMessage: (info: Info, address: Hex) => string;
  readonly encodeSIWxHeader: (payload: Info) => string;
};

const stock = pieces as unknown as StockPieces;

let gateway: TestGateway;
let cast: Cast;
before(async () => {
  ({ gateway, cast } = await startTrade());
});
after(() => gateway.close());

const claim = (id: string, headers: Record<string, string> = {}, payer: Hex = cast.worker.address) =>
  gateway.post(`/v1/tasks/${id}/claim`, { payer }, headers);

async function buyClaim(id: string, value = '10000'): Promise<Answer> {
  const answer = await claim(id, payV2(await signAuthorization(cast.worker.account, { to: payTo, value })));
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer;
}

/** What the gateway declares for this task, with the chain that it supports. */
async function readDeclared(id: string): Promise<Info> {
  const { headers } = await claim(id);
  const { extensions } = decode(headers.get('payment-required')) as { extensions: Record<string, Declared> };
  const { info, supportedChains } = extensions['sign-in-with-x'] ?? assert.fail('nothing is declared');
  return { ...info, ...supportedChains[0] };
}

/** Signs the message of this information; `shown` is what the header says instead. */
async function signIn(info: Info, account = cast.worker.account, shown: Info = {}) {
  const signature = await account.signMessage({ message: stock.createSIWxMessage(info, account.address) });
  const payload = { ...info, address: account.address, signature, ...shown };
  return { 'SIGN-IN-WITH-X': stock.encodeSIWxHeader(payload) };
}

const postClaim = (id: string) => claimRequest(gateway.url(), id, cast.worker.address);

test('the stock client signs in and gets the answer that its wallet has paid for, at any later price, as often as it asks', async () => {
  const fetchAgain = stock.wrapFetchWithSIWx(fetch, cast.worker.account);
  for (const [price, value] of [
    ['0.01', '10000'],
    ['0.000001', '1'],
  ] as const) {
    await gateway.restart({ claimPriceUsdc: price });
    const id = await postTask(cast);
    assert.equal((await fetchAgain(...postClaim(id))).status, 402, 'nothing was paid yet');
    const { body: paid } = await buyClaim(id, value);
    for (const later of [price, '1000000000']) {
      await gateway.restart({ claimPriceUsdc: later });
      const earned = await earnedBy(cast, async () => {
        for (let time = 0; time < 2; time++) {
          const response = await fetchAgain(...postClaim(id));
          assert.equal(response.status, 200);
          assert.deepEqual(await response.json(), paid);
        }
      });
      assert.equal(earned, 0n);
    }
  }
  await gateway.restart();
});

test('the stock client that can do both pays once, and again only for other terms', async () => {
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(cast.worker.account));
  client.registerExtension(stock.createSIWxClientExtension({ signers: [cast.worker.account] }));
  const ask = wrapFetchWithPayment(fetch, client);
  const id = await postTask(cast);
  const read = async () => {
    let body = { settlementDigest: '0x' as Hex };
    const paid = await earnedBy(cast, async () => {
      const response = await ask(...postClaim(id));
      assert.equal(response.status, 200);
      body = (await response.json()) as typeof body;
    });
    return { paid, body };
  };
  const first = await read();
  assert.equal(first.paid, 10_000n);
  assert.deepEqual(await read(), { ...first, paid: 0n });
  // The poster changes the terms: a claim on the old ones would fail.
  const { registry } = cast.contracts;
  const number = BigInt(id.split(':')[2] as string);
  const { deadline } = await cast.client.readContract({
    ...registry,
    functionName: 'getTask',
    args: [number],
  });
  await cast.poster.write(registry, 'extendDeadline', [number, BigInt(deadline) + 3_600n]);
  assertRefused(await claim(id, await signIn(await readDeclared(id))), /terms of the task have changed/);
  const second = await read();
  assert.equal(second.paid, 10_000n);
  assert.notEqual(second.body.settlementDigest, first.body.settlementDigest);
  assert.deepEqual(await read(), { ...second, paid: 0n }, 'the newest answer');
  // Once it is claimed, nothing better can be bought: the wallet still gets what it has paid for.
  await cast.worker.write(registry, 'claimTask', [number, second.body.settlementDigest]);
  assert.deepEqual(await read(), { ...second, paid: 0n });
});

test('a message works once, for its wallet, its task, its gateway and its five minutes', async () => {
  const [id, other] = [await postTask(cast), await postTask(cast)];
  const { body: paid } = await buyClaim(id);
  const declared = await readDeclared(id);
  const now = Date.now();
  const at = (seconds: number) => new Date(now + seconds * 1_000).toISOString();
  const { worker, poster } = cast;
  const url = String(declared.uri);
  const earned = await earnedBy(cast, async () => {
    for (const [changed, reason] of [
      [{ domain: 'gateway.example' }, /another task or gateway/],
      [{ uri: 'https://gateway.example/v1/tasks/1/claim' }, /another task or gateway/],
      [{ uri: url.replace(id, other) }, /another task or gateway/],
      [{ uri: `https://gateway.example/${'x'.repeat(4_000)}` }, /another task or gateway/],
      [{ chainId: 'eip155:1' }, /another chain/],
      [{ issuedAt: at(-600), expirationTime: at(-300) }, /expired/],
      [{ issuedAt: at(-300), expirationTime: at(-1) }, /expired/],
      [{ issuedAt: at(-301) }, /longer than five minutes/],
      [{ expirationTime: at(86_400) }, /longer than five minutes/],
      [{ issuedAt: at(3_600), expirationTime: at(3_700) }, /longer than five minutes/],
      [{ expirationTime: undefined }, /cannot be understood/],
      [{ statement: 'Pay everything.' }, /signature is not one of/],
      [{ resources: [url] }, /signature is not one of/],
    ] as const)
      assertRefused(await claim(id, await signIn({ ...declared, ...changed })), reason);

    // What the header says differs from what was signed.
    const stranger = accountOf('drifter').address;
    for (const [shown, reason] of [
      [{ nonce: 'f'.repeat(32) }, /signature is not one of/],
      [{ issuedAt: at(1) }, /signature is not one of/],
      [{ expirationTime: at(200) }, /signature is not one of/],
      [{ signature: `0x${'11'.repeat(65)}` }, /signature is not one of/],
      [{ signature: '0x' }, /signature is not one of/],
      [{ signature: `0x${'11'.repeat(5_000)}` }, /signature is not one of/],
      [{ address: stranger }, /another wallet/],
      [{ nonce: 'short' }, /cannot be understood/],
      [{ nonce: `x\nIssued At: ${at(0)}` }, /cannot be understood/],
      [{ issuedAt: 'yesterday' }, /cannot be understood/],
    ] as const)
      assertRefused(await claim(id, await signIn(declared, worker.account, shown)), reason);
    for (const header of ['x', '!', Buffer.from('[]').toString('base64'), 'A'.repeat(4_000)])
      assertRefused(await claim(id, { 'SIGN-IN-WITH-X': header }), /cannot be understood/);

    // Another wallet gets nothing, whomever it names; nor does the payer for a task that it has not paid for.
    const theirs = () => signIn(declared, poster.account);
    assertRefused(await claim(id, await theirs()), /another wallet/);
    assertRefused(await claim(id, await theirs(), poster.address), /paid for nothing/);
    const forged = await signIn(declared, poster.account, { address: worker.address });
    assertRefused(await claim(id, forged), /signature is not one of/);
    assertRefused(await claim(other, await signIn(declared)), /another task or gateway/);
    assertRefused(await claim(other, await signIn(await readDeclared(other))), /paid for nothing/);

    // All of this has used nothing up. At once and later, one request gets the answer.
    const headers = await signIn(declared);
    const answers = await Promise.all(Array.from({ length: 4 }, () => claim(id, headers)));
    const granted = answers.filter(({ status }) => status === 200);
    const bodies = granted.map(({ body }) => body);
    assert.deepEqual(bodies, [paid]);
    for (const answer of answers) if (answer.status !== 200) assertRefused(answer, /used/);
    // The address in another case is the same message.
    const lower = await signIn(declared, worker.account, { address: worker.address.toLowerCase() });
    await gateway.restart({ port: Number(new URL(url).port) });
    for (const again of [headers, lower]) assertRefused(await claim(id, again), /used/);
  });
  assert.equal(earned, 0n);
});

test('reads that are paid for are sold again each time, and a gateway without payments takes no sign-in', async () => {
  const id = await postTask(cast);
  await buyClaim(id);
  await gateway.restart({ isPaidDiscovery: true });
  const { headers } = await gateway.get('/v1/paid/market/open');
  const { extensions } = decode(headers.get('payment-required')) as { extensions: object };
  assert.ok(!('sign-in-with-x' in extensions), 'an old list is worth nothing');
  const declared = await readDeclared(id);
  await gateway.restart({ facilitator: { kind: 'off' } });
  const { status, body } = await claim(id, await signIn(declared));
  assert.equal(status, 402);
  assert.match(body.error, /takes no payments/);
});
