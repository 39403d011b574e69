// Attacks on profiles and listings: another wallet's, an older version, another chain or market, deceiving names, floods, a
// sixth one, a withdrawn or closed one that is published again, and a page that one wallet tries to fill. Versions, search and
// races on both databases: store/matching.test.ts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createListingClient, createListingId, signListing } from '#sdk/client/listingClient.ts';
import { createProfileClient, signProfile } from '#sdk/client/profileClient.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { hashCanonical } from '#sdk/domain/canonical.ts';
import type { Listing, ListingDocument } from '#sdk/schemas/listings.ts';
import type { ProfileDocument } from '#sdk/schemas/profiles.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { testProposals } from './matching/proposals.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { writeListing } from './support/listings.ts';

const chainId = 8453;
const day = 86_400;
let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ isSeeded: true });
});
after(() => gateway.close());

const walletOf = (name: AccountName) => privateKeyToAccount(accountOf(name).privateKey);
const listings = () => createListingClient({ baseUrl: gateway.url() });
const profiles = () => createProfileClient({ baseUrl: gateway.url() });
const now = () => Math.floor(Date.now() / 1_000);
const placeOf = (market: 'standard' | 'micro' = 'standard') => ({
  chainId,
  registry: gateway.devnet.deployment.markets[market].taskRegistry,
});
const write = (change?: Partial<ListingDocument>, words?: Partial<ListingDocument['task']>) =>
  writeListing(gateway, change, words);
const signAs = (
  name: AccountName,
  document: ListingDocument,
  parts: Partial<Parameters<typeof signListing>[2]> = {},
) => signListing(walletOf(name), document, { place: placeOf(), ...parts });
const signIn = (name: AccountName) => gateway.signIn(walletOf(name));

function writeProfile(change: Partial<ProfileDocument> = {}): ProfileDocument {
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

/** Publishes at a path: `profiles/0x…` or `listings/0x…`. */
const put = (path: string, body: unknown) => gateway.send('PUT', `/v1/${path}`, body);

async function refused(path: string, body: unknown, status: number, code: string): Promise<void> {
  const reply = await put(path, body);
  assert.deepEqual([reply.status, reply.body.code], [status, code], JSON.stringify(reply.body));
}

test('a wallet publishes, changes and withdraws its profile; the old document cannot come back', async () => {
  const wallet = walletOf('linguist');
  const path = `profiles/${wallet.address}`;
  const start = now();
  const sign = (about: string, version: number) =>
    signProfile(wallet, writeProfile({ about }), { chainId, version });
  const first = await sign('I draw.', start - 100);
  assert.equal((await put(path, first)).status, 200);
  assert.equal((await put(path, first)).status, 200, 'the same again');
  const { profile, records } = await profiles().get(wallet.address);
  assert.deepEqual(
    [profile?.document, profile?.documentHash],
    [writeProfile(), hashCanonical(writeProfile())],
  );
  assert.equal(records.length, 2);
  await refused(path, await sign('I paint.', start - 100), 409, 'VERSION_TAKEN');
  await refused(path, await sign('I paint.', start - 101), 409, 'VERSION_OLD');
  await refused(path, await sign('I draw.', now() + 700), 422, 'VERSION_AHEAD');
  const second = await sign('I paint.', start - 50);
  assert.equal((await put(path, second)).status, 200);
  await profiles().withdraw(wallet.address, await signIn('linguist'));
  const withdrawn = (await profiles().get(wallet.address)).profile;
  assert.deepEqual([withdrawn?.document, withdrawn?.signature, withdrawn?.documentHash], [null, null, null]);
  for (const old of [first, second]) await refused(path, old, 409, 'VERSION_OLD');
  assert.deepEqual((await profiles().find({ skill: 'c++' })).profiles, []);
  assert.deepEqual((await profiles().names([wallet.address])).names, []);
});

test('a poster publishes, edits and closes a listing; nothing of before comes back', async () => {
  const start = now();
  const id = createListingId();
  const sign = (version: number, days = 3) =>
    signAs('press', write({ reviewPeriod: days * day }), { id, version });
  const first = await sign(start - 100);
  assert.equal((await put(`listings/${id}`, first)).status, 200);
  assert.equal((await put(`listings/${id}`, first)).status, 200, 'the same again');
  const listing = await listings().get(id);
  assert.deepEqual([listing.state, listing.proposals, listing.taskId], ['live', 'none', null]);
  assert.equal(listing.documentHash, hashCanonical(first.document));
  await refused(`listings/${id}`, await sign(start - 100, 2), 409, 'VERSION_TAKEN');
  await refused(`listings/${id}`, await sign(start - 200, 1), 409, 'VERSION_OLD');
  const { version, expiresAt } = first;
  const longer = await signAs('press', first.document, { id, version, expiresAt: expiresAt + 1 });
  await refused(`listings/${id}`, longer, 409, 'VERSION_TAKEN');
  const place = placeOf();
  const edited = await listings().publish(walletOf('press'), write({ reviewPeriod: 2 * day }), { place, id });
  assert.deepEqual([edited.document?.reviewPeriod, edited.createdAt], [2 * day, listing.createdAt]);
  await assert.rejects(listings().close(id, await signIn('lab')), /belongs to/);
  await listings().close(id, await signIn('press'));
  const closed = await listings().get(id);
  assert.deepEqual([closed.state, closed.document, closed.signature], ['closed', null, null]);
  for (const again of [first, await sign(now() + 10)])
    await refused(`listings/${id}`, again, 409, 'VERSION_OLD');
  assert.equal((await gateway.get(`/v1/listings/0x${'00'.repeat(32)}`)).status, 404);
  assert.equal((await gateway.get('/v1/listings/none')).body.code, 'LISTING_ID_MALFORMED');
});

test('nobody publishes for another wallet, another chain, another market, with changed words, or over the id of another', async () => {
  const wallet = walletOf('coder');
  const path = `profiles/${wallet.address}`;
  const own = await signProfile(wallet, writeProfile(), { chainId });
  const id = createListingId();
  const good = await signAs('lab', write(), { id });
  const wrong: [path: string, body: object][] = [
    [path, await signProfile(walletOf('analyst'), writeProfile(), { chainId })],
    [path, await signProfile(wallet, writeProfile(), { chainId: 1 })],
    [path, { ...own, document: writeProfile({ about: 'Pay 0xbad' }) }],
    [path, { ...own, version: own.version + 1 }],
    [`listings/${id}`, { ...good, poster: wallet.address }],
    [`listings/${createListingId()}`, good],
    [`listings/${id}`, { ...good, expiresAt: good.expiresAt + 1 }],
    [`listings/${id}`, { ...good, document: write({}, { criteria: 'Anything.' }) }],
    [`listings/${id}`, { ...good, document: write({ market: 'micro' }) }],
    [`listings/${id}`, await signAs('lab', write(), { place: { ...placeOf(), chainId: 1 }, id })],
    [`listings/${id}`, await signAs('lab', write(), { place: placeOf('micro'), id })],
  ];
  for (const [at, body] of wrong) await refused(at, body, 422, 'SIGNATURE_WRONG');
  await assert.rejects(profiles().withdraw(wallet.address, await signIn('analyst')), /belongs to/);
  await assert.rejects(profiles().withdraw(wallet.address, 'none'), /session/);
  assert.equal((await put(`listings/${id}`, good)).status, 200);
  const over = await signAs('coder', write(), { id, version: now() + 60 });
  await refused(`listings/${id}`, over, 403, 'NOT_THE_OWNER');
  const unknown = privateKeyToAccount(generatePrivateKey());
  const profile = await signProfile(unknown, writeProfile(), { chainId });
  await refused(`profiles/${unknown.address}`, profile, 403, 'NO_STANDING');
  const poor = await signAs('newcomer', write());
  await refused(`listings/${poor.id}`, poor, 403, 'NO_STANDING');
});

test('names that deceive, too much text, and what could not become a task are refused with the field', async () => {
  const deceiving: readonly (readonly [object, RegExp])[] = [
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
  const wallet = walletOf('coder');
  const impossible: readonly (readonly [ListingDocument, RegExp])[] = [
    [write({}, { criteria: ' ' }), /criteria must say/],
    [write({}, { title: ' ' }), /title/],
    [write({}, { blind: `0x${'11'.repeat(32)}` }), /no blind/],
    [write({ budget: { minTokWei: '1', maxTokWei: '2' } }), /budget/],
    [write({ budget: { minTokWei: String(parseTok('900')), maxTokWei: String(parseTok('500')) } }), /budget/],
    [write({ milestoneBps: [5_000, 4_000] }, { milestones: ['a', 'b'] }), /milestoneBps/],
    [write({ milestoneBps: [5_000, 5_000] }), /milestoneBps/],
    [write({ reviewPeriod: 60 }), /reviewPeriod/],
  ];
  const bodies: (readonly [path: string, body: object, reason: RegExp])[] = [];
  for (const [change, reason] of deceiving) {
    const document = { ...writeProfile(), ...change };
    bodies.push([`profiles/${wallet.address}`, await signProfile(wallet, document, { chainId }), reason]);
  }
  for (const [document, reason] of impossible) {
    const body = await signAs('studio', document);
    bodies.push([`listings/${body.id}`, body, reason]);
  }
  for (const [path, body, reason] of bodies) {
    const reply = await put(path, body);
    assert.equal(reply.status, 400, String(reason));
    assert.match(String(reply.body.error), reason);
  }
  for (const [parts, code] of [
    [{ expiresAt: now() + 31 * day }, 'LISTING_TIMES'],
    [{ expiresAt: now() - 1, version: now() - 60 }, 'LISTING_TIMES'],
    [{ version: now() + 700 }, 'VERSION_AHEAD'],
  ] as const) {
    const body = await signAs('studio', write(), parts);
    await refused(`listings/${body.id}`, body, 422, code);
  }
});

test('a name that looks like an older one is marked, until the older one takes another', async () => {
  const [first, second] = [walletOf('coder'), walletOf('analyst')];
  const publish = (wallet: typeof first, name: string, version = now()) =>
    profiles().publish(wallet, writeProfile({ name }), { chainId, version });
  const marks = async () => {
    const { names } = await profiles().names([first.address, second.address]);
    return [first, second].map(({ address }) => names.find((one) => one.address === address)?.looksLike);
  };
  await publish(first, 'Grace');
  await publish(second, 'GRACE');
  assert.deepEqual(await marks(), [null, first.address]);
  await publish(first, 'Other', now() + 5);
  await publish(first, 'Grace', now() + 6);
  assert.deepEqual(await marks(), [second.address, null]);
});

test('scripts stay text, and the operator withholds a profile, a wallet or a listing with the reason shown', async () => {
  const wallet = walletOf('drifter');
  const html = '<script>alert(1)</script>';
  const document = writeProfile({ name: 'Spam', headline: html, about: html, skills: ['<b>'] });
  await profiles().publish(wallet, document, { chainId });
  const words = write({}, { title: html, description: html, criteria: html, tags: [html] });
  const { id } = await listings().publish(walletOf('linguist'), words, { place: placeOf() });
  for (const path of [`/v1/profiles/${wallet.address}`, `/v1/listings/${id}`]) {
    const { headers, body } = await gateway.get(path);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.ok(JSON.stringify(body).includes(html));
  }
  const { withheld } = gateway.site().market.fileStore;
  for (const [kind, hash] of [
    ['document', hashCanonical(document)],
    ['wallet', wallet.address],
  ] as const) {
    await withheld.withhold({ kind, hash, reason: 'spam', since: now() });
    const { profile } = await profiles().get(wallet.address);
    assert.deepEqual([profile?.document, profile?.signature, profile?.withheld], [null, null, 'spam']);
    assert.deepEqual((await profiles().names([wallet.address])).names, []);
    const { profiles: found } = await profiles().find({ skill: '<b>' });
    assert.deepEqual(found, []);
    await withheld.restore(kind, hash);
    assert.equal((await profiles().get(wallet.address)).profile?.withheld, null);
  }
  await withheld.withhold({ kind: 'document', hash: hashCanonical(words), reason: 'spam', since: now() });
  const hidden = await listings().get(id);
  assert.deepEqual([hidden.state, hidden.document, hidden.withheld], ['hidden', null, 'spam']);
  assert.equal((await listings().find({ poster: walletOf('linguist').address })).count, 0);
});

test('workers are found by skill and words, the best record first; a poster has its record', async () => {
  const version = now() + 20;
  for (const [at, name] of (['coder', 'analyst', 'painter', 'scribe'] as const).entries()) {
    const headline = at === 2 ? 'Brass only' : 'Any metal';
    const document = writeProfile({ name: `Worker ${at}`, skills: ['Sextants'], headline });
    await profiles().publish(walletOf(name), document, { chainId, version });
  }
  const scores = (await profiles().find({ skill: 'SEXTANTS' })).profiles.map(({ score }) => score);
  assert.deepEqual(
    scores,
    scores.toSorted((one, other) => other - one),
  );
  assert.ok(scores.length === 4 && (scores[0] ?? 0) > 0, 'a seeded worker was paid');
  const brass = await profiles().find({ q: 'brass', skill: 'sextants' });
  const names = brass.profiles.map(({ document }) => document?.name);
  assert.deepEqual(names, ['Worker 2']);
  assert.equal((await profiles().find({ kind: 'agent', skill: 'sextants' })).count, 0);
  assert.equal((await gateway.get('/v1/profiles?cursor=x')).status, 400);
  assert.equal((await gateway.get('/v1/profiles?kind=god')).body.code, 'KIND_UNKNOWN');
  assert.equal((await gateway.get('/v1/profiles?skill=a%00b')).body.code, 'TAG_INVALID');
  const posters = await Promise.all(
    (['press', 'lab', 'studio', 'shop'] as const).map((name) => profiles().get(walletOf(name).address)),
  );
  const paying = posters
    .flatMap(({ records }) => records)
    .find(({ poster }) => poster.paidInFull > 0)?.poster;
  assert.ok(paying && paying.ended >= paying.paidInFull && paying.counterparties > 0);
});

test('a sixth live listing is refused, and closing one makes room; one wallet fills at most a fifth of a page', async () => {
  const version = now() + 5;
  const publish = (name: AccountName, title: string, tags: string[] = []) =>
    listings().publish(walletOf(name), write({}, { title, tags }), { place: placeOf(), version });
  const own: Listing[] = [];
  for (let at = 0; at < 5; at++) own.push(await publish('shop', `Job ${at}`));
  await assert.rejects(publish('shop', 'Job 5'), /five live listings/);
  await listings().close(own[0]?.id ?? '', await signIn('shop'));
  await publish('shop', 'Job 5');
  for (const name of ['archive', 'analyst', 'painter', 'scribe'] as const)
    await publish(name, `A lighthouse for ${name}`, ['Sea']);
  const { listings: page } = await listings().find({ market: 'standard', limit: 10 });
  const shop = walletOf('shop').address;
  assert.equal(page.filter(({ poster }) => poster === shop).length, 2);
  for (const [filter, count] of [
    [{ poster: shop.toLowerCase(), limit: 10 }, 5],
    [{ tag: 'SEA' }, 4],
    [{ q: 'lighthouse scribe' }, 1],
    [{ market: 'micro', tag: 'sea' }, 0],
  ] as const)
    assert.equal((await listings().find(filter)).count, count, JSON.stringify(filter));
});

testProposals(() => gateway);

test('a flood of profiles or listings from one client is stopped, and reads go on', async () => {
  const wallet = walletOf('drifter');
  const profile = await signProfile(wallet, writeProfile(), { chainId, version: now() + 60 });
  const listing = await signAs('coder', write({}, { title: 'Flood' }));
  for (const [path, body] of [
    [`profiles/${wallet.address}`, profile],
    [`listings/${listing.id}`, listing],
  ] as const) {
    const replies = await Promise.all(Array.from({ length: 130 }, () => put(path, body)));
    assert.ok(replies.some(({ status }) => status === 429));
    assert.ok(replies.every(({ status }) => status === 200 || status === 429));
    assert.equal((await gateway.get(`/v1/${path}`)).status, 200);
  }
});
