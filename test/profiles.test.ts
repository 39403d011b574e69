// Attacks on profiles: another wallet's, an older version, another chain, deceiving names, replays of withdrawn documents,
// scripts in every field, floods, and wallets without a part in the market.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createProfileClient, signProfile } from '#sdk/client/profileClient.ts';
import { openSession } from '#sdk/client/session.ts';
import { hashCanonical } from '#sdk/domain/canonical.ts';
import { type ProfileDocument, profileReplySchema } from '#sdk/schemas/profiles.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';

const chainId = 8453;
let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ isSeeded: true });
});
after(() => gateway.close());

const walletOf = (name: AccountName) => privateKeyToAccount(accountOf(name).privateKey);
const client = () => createProfileClient({ baseUrl: gateway.url() });
const now = () => Math.floor(Date.now() / 1_000);

function write(change: Partial<ProfileDocument> = {}): ProfileDocument {
  return {
    schema: 'svc-profile-v1',
    name: 'Ada',
    headline: 'Charts and maps',
    about: 'I draw.',
    kind: 'person',
    skills: ['Illustration', 'C++'],
    languages: ['en'],
    links: ['https://ada.example'],
    services: [{ title: 'A map', text: 'Of a town.', priceTokWei: '1000', days: 3, tags: ['maps'] }],
    ...change,
  };
}

async function put(address: string, body: unknown) {
  const response = await fetch(`${gateway.url()}/v1/profiles/${address}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const refused = async (address: string, body: unknown, status: number, code: string) => {
  const reply = await put(address, body);
  assert.deepEqual([reply.status, reply.body.code], [status, code], JSON.stringify(reply.body));
};

test('a wallet publishes, changes and withdraws its profile; the old document cannot come back', async () => {
  const wallet = walletOf('linguist');
  const start = now();
  const first = await signProfile(wallet, write(), { chainId, version: start - 100 });
  assert.equal((await put(wallet.address, first)).status, 200);
  assert.equal((await put(wallet.address, first)).status, 200, 'the same again');
  const { profile, records } = await client().get(wallet.address);
  assert.deepEqual([profile?.document, profile?.documentHash], [write(), hashCanonical(write())]);
  assert.deepEqual(
    records.map(({ market }) => market),
    ['standard', 'micro'],
  );
  const other = await signProfile(wallet, write({ about: 'I paint.' }), { chainId, version: start - 100 });
  await refused(wallet.address, other, 409, 'VERSION_TAKEN');
  const older = await signProfile(wallet, write({ about: 'I paint.' }), { chainId, version: start - 101 });
  await refused(wallet.address, older, 409, 'VERSION_OLD');
  const ahead = await signProfile(wallet, write(), { chainId, version: now() + 700 });
  await refused(wallet.address, ahead, 422, 'VERSION_AHEAD');
  const second = await signProfile(wallet, write({ about: 'I paint.' }), { chainId, version: start - 50 });
  assert.equal((await put(wallet.address, second)).status, 200);
  const { token } = await openSession({ baseUrl: gateway.url() }, wallet, { chainId });
  await client().withdraw(wallet.address, token);
  const withdrawn = (await client().get(wallet.address)).profile;
  assert.deepEqual([withdrawn?.document, withdrawn?.signature, withdrawn?.documentHash], [null, null, null]);
  assert.ok((withdrawn?.version ?? 0) >= now() - 60);
  await refused(wallet.address, first, 409, 'VERSION_OLD');
  await refused(wallet.address, second, 409, 'VERSION_OLD');
  assert.deepEqual((await client().find({ skill: 'c++' })).profiles, []);
  assert.deepEqual((await client().names([wallet.address])).names, []);
});

test('nobody publishes for another wallet, another chain, or with changed words', async () => {
  const [wallet, thief] = [walletOf('coder'), walletOf('analyst')];
  const stolen = await signProfile(thief, write(), { chainId });
  await refused(wallet.address, stolen, 422, 'SIGNATURE_WRONG');
  const elsewhere = await signProfile(wallet, write(), { chainId: 1 });
  await refused(wallet.address, elsewhere, 422, 'SIGNATURE_WRONG');
  const good = await signProfile(wallet, write(), { chainId });
  await refused(wallet.address, { ...good, document: write({ about: 'Pay 0xbad' }) }, 422, 'SIGNATURE_WRONG');
  await refused(wallet.address, { ...good, version: good.version + 1 }, 422, 'SIGNATURE_WRONG');
  const { token } = await openSession({ baseUrl: gateway.url() }, thief, { chainId });
  await assert.rejects(client().withdraw(wallet.address, token), /belongs to/);
  await assert.rejects(client().withdraw(wallet.address, 'none'), /session/);
  const unknown = privateKeyToAccount(generatePrivateKey());
  await refused(unknown.address, await signProfile(unknown, write(), { chainId }), 403, 'NO_STANDING');
});

test('names that deceive, too much text and unknown fields are refused with the field', async () => {
  const wallet = walletOf('coder');
  const bad: readonly (readonly [Record<string, unknown>, RegExp])[] = [
    [{ name: 'pаypal' }, /document\.name: must use the letters of one script/],
    [{ name: 'Ada\u202e' }, /document\.name: must not have invisible/],
    [{ name: '0x12ab' }, /document\.name: must not look like an address/],
    [{ headline: 'two\nlines' }, /document\.headline/],
    [{ headline: 'a\u202eb' }, /document\.headline/],
    [{ about: 'x'.repeat(4_001) }, /document\.about/],
    [{ about: 'a\u202eb' }, /document\.about/],
    [{ skills: Array.from({ length: 21 }, (_, at) => `s${at}`) }, /document\.skills/],
    [{ skills: ['a,b'] }, /document\.skills/],
    [{ links: ['javascript:alert(1)'] }, /document\.links/],
    [{ kind: 'god' }, /document\.kind/],
    [{ services: [{ title: 'x', text: '', priceTokWei: '-1', days: 1, tags: [] }] }, /priceTokWei/],
    [{ avatar: 'https://x.example/a.png' }, /avatar/],
  ];
  for (const [change, reason] of bad) {
    const document = { ...write(), ...change } as ProfileDocument;
    const { status, body } = await put(wallet.address, await signProfile(wallet, document, { chainId }));
    assert.equal(status, 400, JSON.stringify(change));
    assert.match(String(body.error), reason);
  }
});

test('a name that looks like an older one is marked, and scripts stay text', async () => {
  const [first, second] = [walletOf('coder'), walletOf('analyst')];
  const html = '<img src=x onerror=alert(1)>';
  const document = write({ name: 'Grace', headline: html, about: html, skills: ['<b>'] });
  await client().publish(first, document, { chainId });
  await client().publish(second, write({ name: 'grаce'.replace('а', 'a').toUpperCase() }), { chainId });
  const { names } = await client().names([first.address, second.address]);
  const mark = (address: string) => names.find((one) => one.address === address)?.looksLike;
  assert.deepEqual([mark(first.address), mark(second.address)], [null, first.address]);
  const reply = await gateway.get(`/v1/profiles/${first.address}`);
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(profileReplySchema.parse(reply.body).profile?.document?.headline, html);
  // The first one takes another name: the second is no longer marked, and a later one of the first is.
  await client().publish(first, write({ name: 'Other' }), { chainId, version: now() + 5 });
  await client().publish(first, write({ name: 'Grace' }), { chainId, version: now() + 6 });
  const again = (await client().names([first.address, second.address])).names;
  assert.deepEqual(
    [first, second].map(({ address }) => again.find((one) => one.address === address)?.looksLike),
    [second.address, null],
  );
});

test('the operator withholds a document or a wallet, with the reason shown', async () => {
  const wallet = walletOf('drifter');
  const document = write({ name: 'Spam' });
  await client().publish(wallet, document, { chainId });
  const { withheld } = gateway.site().market.fileStore;
  for (const [kind, hash] of [
    ['document', hashCanonical(document)],
    ['wallet', wallet.address],
  ] as const) {
    await withheld.withhold({ kind, hash, reason: 'spam', since: now() });
    const { profile } = await client().get(wallet.address);
    assert.deepEqual([profile?.document, profile?.signature, profile?.withheld], [null, null, 'spam']);
    assert.deepEqual((await client().names([wallet.address])).names, []);
    assert.ok(
      (await client().find({ skill: 'c++' })).profiles.every((one) => one.address !== wallet.address),
    );
    await withheld.restore(kind, hash);
    assert.equal((await client().get(wallet.address)).profile?.withheld, null);
  }
});

test('workers are found by skill and words, the best record first, page after page', async () => {
  const names = ['coder', 'analyst', 'painter', 'scribe'] as const;
  const version = now() + 20;
  for (const [at, name] of names.entries())
    await client().publish(
      walletOf(name),
      write({ name: `Worker ${at}`, skills: ['Sextants'], headline: at === 2 ? 'Brass only' : 'Any metal' }),
      { chainId, version },
    );
  const all = await client().find({ skill: 'SEXTANTS' });
  assert.equal(all.count, 4);
  const scores = all.profiles.map(({ score }) => score);
  assert.deepEqual(
    scores,
    [...scores].sort((one, other) => other - one),
  );
  assert.ok((scores[0] ?? 0) > 0, 'a seeded worker was paid');
  const paged: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await client().find({ skill: 'sextants', limit: 1, cursor });
    paged.push(...page.profiles.map(({ address }) => address));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  assert.deepEqual(
    paged,
    all.profiles.map(({ address }) => address),
  );
  const brass = await client().find({ q: 'brass', skill: 'sextants' });
  assert.deepEqual(
    brass.profiles.map(({ document }) => document?.name),
    ['Worker 2'],
  );
  assert.equal((await client().find({ kind: 'agent', skill: 'sextants' })).count, 0);
  assert.equal((await gateway.get('/v1/profiles?cursor=x')).status, 400);
  assert.equal((await gateway.get('/v1/profiles?kind=god')).body.code, 'KIND_UNKNOWN');
  assert.equal((await gateway.get('/v1/profiles?skill=a%00b')).body.code, 'TAG_INVALID');
});

test('the records of a poster say what was paid in full, disputed, how fast, and to how many', async () => {
  const posters = await Promise.all(
    (['press', 'lab', 'studio', 'shop'] as const).map((name) => client().get(walletOf(name).address)),
  );
  const standard = posters.flatMap(({ records }) => records.filter(({ market }) => market === 'standard'));
  const paying = standard.find(({ poster }) => poster.paidInFull > 0)?.poster;
  assert.ok(paying && paying.ended >= paying.paidInFull && paying.counterparties > 0);
  assert.ok(paying.score > 0 || paying.disputed > 0);
});

test('a flood of profiles from one client is stopped, and reads go on', async () => {
  const wallet = walletOf('drifter');
  const body = await signProfile(wallet, write({ name: 'Flood' }), { chainId, version: now() + 60 });
  const replies = await Promise.all(Array.from({ length: 130 }, () => put(wallet.address, body)));
  assert.ok(replies.some(({ status }) => status === 429));
  assert.equal((await gateway.get(`/v1/profiles/${wallet.address}`)).status, 200);
});
