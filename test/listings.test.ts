// Attacks on listings: another wallet's, an older version, another chain or market, floods, a sixth one, a poster whose
// collateral left, a closed one that is published again, and a page that one wallet tries to fill.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPublicClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { contractsOf } from '#sdk/chain/contracts.ts';
import type { WalletState } from '#sdk/chain/readAgents.ts';
import { type MarketFigures, readTermsEnd } from '#sdk/chain/readMarket.ts';
import { createRpc } from '#sdk/chain/rpc.ts';
import { joinMarket } from '#sdk/client/joinMarket.ts';
import { createListingClient, createListingId, signListing } from '#sdk/client/listingClient.ts';
import { openSession } from '#sdk/client/session.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { hashCanonical } from '#sdk/domain/canonical.ts';
import { countFreeBonds, type Proposal } from '#sdk/negotiation/proposals.ts';
import { toContractTerms } from '#sdk/negotiation/terms.ts';
import type { Listing, ListingDocument } from '#sdk/schemas/listings.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { until } from './support/until.ts';

const chainId = 8453;
const day = 86_400;
let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ isSeeded: true });
});
after(() => gateway.close());

const walletOf = (name: AccountName) => privateKeyToAccount(accountOf(name).privateKey);
const join = (name: AccountName) =>
  joinMarket({ url: gateway.url(), account: walletOf(name), rpcUrl: gateway.devnet.rpcUrl });
const client = () => createListingClient({ baseUrl: gateway.url() });
const now = () => Math.floor(Date.now() / 1_000);
const placeOf = (market: 'standard' | 'micro' = 'standard') => ({
  chainId,
  registry: gateway.devnet.deployment.markets[market].taskRegistry,
});
const place = () => placeOf();

function write(
  change: Partial<ListingDocument> = {},
  words: Partial<ListingDocument['task']> = {},
): ListingDocument {
  return {
    schema: 'svc-listing-v1',
    market: 'standard',
    task: {
      schema: 'svc-task-v1',
      title: 'Draw ten birds',
      description: 'For a field guide.',
      criteria: 'Ten pictures.',
      milestones: [],
      tags: ['Illustration'],
      ...words,
    },
    budget: { minTokWei: String(parseTok('500')), maxTokWei: String(parseTok('900')) },
    milestoneBps: [],
    deadline: gateway.devnet.clock.now() + 40 * day,
    reviewPeriod: 3 * day,
    ...change,
  };
}

/** What the chain says of the terms of a signed proposal. */
function readEnd({ offer: { terms, settlementDigest } }: Proposal) {
  const { deployment, rpcUrl } = gateway.devnet;
  const { chainId, genesisHash } = deployment;
  const rpc = createRpc({ urls: [rpcUrl], chainId, genesisHash });
  const { poster, worker, salt } = toContractTerms(terms).terms;
  const signed = { poster, worker, salt, digest: settlementDigest, acceptBy: terms.acceptBy };
  return readTermsEnd(rpc, contractsOf(deployment, terms.market), signed);
}

/** The oracle of the market answers that the sequencer is down, or was within the last hour. */
async function whileOutage(run: () => Promise<void>): Promise<void> {
  const { rpcUrl, deployment } = gateway.devnet;
  const client = createPublicClient({ transport: http(rpcUrl) });
  const oracle = deployment.usdOracle;
  const code = await client.getCode({ address: oracle });
  const set = async (now: Hex) => {
    await client.request({ method: 'hardhat_setCode', params: [oracle, now] } as never);
    await client.request({ method: 'evm_mine', params: [] } as never);
  };
  // Answers every call with 1.
  await set('0x600160005260206000f3');
  try {
    await run();
  } finally {
    await set(code ?? '0x');
  }
}

async function put(id: string, body: unknown) {
  const response = await fetch(`${gateway.url()}/v1/listings/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const refused = async (id: string, body: unknown, status: number, code: string) => {
  const reply = await put(id, body);
  assert.deepEqual([reply.status, reply.body.code], [status, code], JSON.stringify(reply.body));
};

const signIn = async (name: AccountName) =>
  (await openSession({ baseUrl: gateway.url() }, walletOf(name), { chainId })).token;

test('a poster publishes, edits and closes a listing; nothing of before comes back', async () => {
  const wallet = walletOf('press');
  const start = now();
  const id = createListingId();
  const first = await signListing(wallet, write(), { place: place(), id, version: start - 100 });
  assert.equal((await put(id, first)).status, 200);
  assert.equal((await put(id, first)).status, 200, 'the same again');
  const listing = await client().get(id);
  assert.deepEqual([listing.state, listing.proposals, listing.taskId], ['live', 'none', null]);
  assert.equal(listing.documentHash, hashCanonical(first.document));
  const other = await signListing(wallet, write({ reviewPeriod: 2 * day }), {
    place: place(),
    id,
    version: start - 100,
  });
  await refused(id, other, 409, 'VERSION_TAKEN');
  const longer = await signListing(wallet, first.document, {
    place: place(),
    id,
    version: first.version,
    expiresAt: first.expiresAt + 1,
  });
  await refused(id, longer, 409, 'VERSION_TAKEN');
  const older = await signListing(wallet, write({ reviewPeriod: day }), {
    place: place(),
    id,
    version: start - 200,
  });
  await refused(id, older, 409, 'VERSION_OLD');
  const edited = await client().publish(wallet, write({ reviewPeriod: 2 * day }), { place: place(), id });
  assert.deepEqual([edited.document?.reviewPeriod, edited.createdAt], [2 * day, listing.createdAt]);
  await assert.rejects(client().close(id, await signIn('lab')), /belongs to/);
  await client().close(id, await signIn('press'));
  const closed = await client().get(id);
  assert.deepEqual([closed.state, closed.document, closed.signature], ['closed', null, null]);
  await refused(id, first, 409, 'VERSION_OLD');
  const again = await signListing(wallet, write(), { place: place(), id, version: now() + 10 });
  await refused(id, again, 409, 'VERSION_OLD');
  assert.equal((await gateway.get(`/v1/listings/0x${'00'.repeat(32)}`)).status, 404);
  assert.equal((await gateway.get('/v1/listings/none')).body.code, 'LISTING_ID_MALFORMED');
});

test('nobody publishes for another wallet, another chain, another market, or over the id of another', async () => {
  const [wallet, thief] = [walletOf('lab'), walletOf('coder')];
  const id = createListingId();
  const good = await signListing(wallet, write(), { place: place(), id });
  await refused(id, { ...good, poster: thief.address }, 422, 'SIGNATURE_WRONG');
  await refused(createListingId(), good, 422, 'SIGNATURE_WRONG');
  await refused(id, { ...good, expiresAt: good.expiresAt + 1 }, 422, 'SIGNATURE_WRONG');
  await refused(id, { ...good, document: write({}, { criteria: 'Anything.' }) }, 422, 'SIGNATURE_WRONG');
  await refused(id, { ...good, document: write({ market: 'micro' }) }, 422, 'SIGNATURE_WRONG');
  const elsewhere = await signListing(wallet, write(), { place: { ...place(), chainId: 1 }, id });
  await refused(id, elsewhere, 422, 'SIGNATURE_WRONG');
  const other = await signListing(wallet, write(), { place: placeOf('micro'), id });
  await refused(id, other, 422, 'SIGNATURE_WRONG');
  assert.equal((await put(id, good)).status, 200);
  const over = await signListing(thief, write(), { place: place(), id, version: now() + 60 });
  await refused(id, over, 403, 'NOT_THE_OWNER');
  const poor = await signListing(walletOf('newcomer'), write(), { place: place(), id: createListingId() });
  await refused(poor.id, poor, 403, 'NO_STANDING');
});

test('times, shares and words that could not become a task are refused with the field', async () => {
  const wallet = walletOf('studio');
  const bad: readonly (readonly [ListingDocument, RegExp])[] = [
    [write({}, { criteria: ' ' }), /criteria must say/],
    [write({}, { title: ' ' }), /title/],
    [write({}, { blind: `0x${'11'.repeat(32)}` }), /no blind/],
    [write({ budget: { minTokWei: '1', maxTokWei: '2' } }), /budget/],
    [write({ budget: { minTokWei: String(parseTok('900')), maxTokWei: String(parseTok('500')) } }), /budget/],
    [write({ milestoneBps: [5_000, 4_000] }, { milestones: ['a', 'b'] }), /milestoneBps/],
    [write({ milestoneBps: [5_000, 5_000] }), /milestoneBps/],
    [write({ reviewPeriod: 60 }), /reviewPeriod/],
  ];
  for (const [document, reason] of bad) {
    const body = await signListing(wallet, document, { place: place(), id: createListingId() });
    const reply = await put(body.id, body);
    assert.equal(reply.status, 400, String(reason));
    assert.match(String(reply.body.error), reason);
  }
  const late = await signListing(wallet, write(), {
    place: place(),
    expiresAt: now() + 31 * day,
  });
  await refused(late.id, late, 422, 'LISTING_TIMES');
  const over = await signListing(wallet, write(), {
    place: place(),
    expiresAt: now() - 1,
    version: now() - 60,
  });
  await refused(over.id, over, 422, 'LISTING_TIMES');
  const ahead = await signListing(wallet, write(), { place: place(), version: now() + 700 });
  await refused(ahead.id, ahead, 422, 'VERSION_AHEAD');
});

test('a sixth live listing is refused, also under a race; closing one makes room', async () => {
  const wallet = walletOf('shop');
  const bodies = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      signListing(wallet, write({}, { title: `Job ${at}` }), { place: place() }),
    ),
  );
  const replies = await Promise.all(
    bodies.map(async (body) => ({ id: body.id, ...(await put(body.id, body)) })),
  );
  const live = replies.filter(({ status }) => status === 200);
  assert.equal(live.length, 5);
  assert.ok(replies.every(({ status, body }) => status === 200 || body.code === 'LISTING_LIMIT'));
  const left = bodies.find(({ id }) => live.every((one) => one.id !== id));
  assert.ok(left);
  await client().close(live[0]?.id ?? '', await signIn('shop'));
  assert.equal((await put(left.id, left)).status, 200);
});

test('one wallet fills at most a fifth of a page; its own list shows all; filters and pages agree', async () => {
  const version = now() + 5;
  for (const name of ['archive', 'analyst', 'painter', 'scribe'] as const)
    await client().publish(walletOf(name), write({}, { title: `A lighthouse for ${name}`, tags: ['Sea'] }), {
      place: place(),
      version,
    });
  const page = await client().find({ market: 'standard', limit: 10 });
  const shop = walletOf('shop').address;
  assert.equal(page.listings.filter(({ poster }) => poster === shop).length, 2);
  assert.equal((await client().find({ poster: shop.toLowerCase(), limit: 10 })).count, 5);
  const sea = await client().find({ tag: 'sea' });
  assert.equal(sea.count, 4);
  const paged: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const part = await client().find({ tag: 'SEA', limit: 1, cursor });
    paged.push(...part.listings.map(({ id }) => id));
    if (part.nextCursor === null) break;
    cursor = part.nextCursor;
  }
  assert.deepEqual(
    paged,
    sea.listings.map(({ id }) => id),
  );
  assert.equal((await client().find({ q: 'lighthouse scribe' })).count, 1);
  assert.equal((await client().find({ market: 'micro', tag: 'sea' })).count, 0);
});

test('a wallet that proposed writes six messages until it is answered, others three; a task closes the listing', async () => {
  const [poster, worker] = await Promise.all([join('painter'), join('analyst')]);
  const listing = await poster.matching.list(write({}, { title: 'Bind a book' }));
  await worker.do.approveTokRouter({ market: 'standard', amountTok: '1000' });
  const proposal = await worker.matching.propose(listing, {
    totalAmountTok: '600',
    days: 2,
    isBinding: true,
  });
  assert.equal((await worker.matching.get(listing.id)).proposals, 'few');
  for (const text of ['three', 'four', 'five', 'six']) await worker.matching.say(proposal, text);
  await assert.rejects(worker.matching.say(proposal, 'seven'), /6 messages until/);
  const [found = assert.fail()] = await poster.matching.proposals(listing);
  assert.deepEqual([found.state, found.comparison.isPlain, found.worker], ['binding', true, worker.address]);
  await assert.rejects(
    poster.do.createTask({ ...poster.matching.toTask(found), workerSignature: `0x${'11'.repeat(65)}` }),
  );
  assert.equal(await readEnd(found), null);
  await poster.do.createTask(poster.matching.toTask(found));
  assert.equal(await readEnd(found), 'used');
  await assert.rejects(poster.do.createTask(poster.matching.toTask(found)), 'a signature works once');
  await until(async () => (await worker.matching.get(listing.id)).state === 'taken');
  const taken = await worker.matching.get(listing.id);
  assert.match(taken.taskId ?? '', /^v2:standard:/);
  assert.equal((await client().find({ q: 'bind book' })).count, 0);
  const again = await signListing(walletOf('painter'), write(), {
    place: place(),
    id: listing.id as `0x${string}`,
    version: now() + 30,
  });
  await refused(listing.id, again, 409, 'VERSION_OLD');
  await Promise.all([poster.close(), worker.close()]);
});

test('a worker signs no more proposals than it has bonds; a withdrawal takes the signature back on chain', async () => {
  const [poster, other, worker] = await Promise.all([join('archive'), join('scribe'), join('newcomer')]);
  await worker.do.approveTokRouter({ market: 'standard', amountTok: '5000' });
  await worker.do.topUp({ market: 'standard', amountUsdc: '25' });
  const read = await worker.client.actions.read({ address: worker.address, market: 'standard' }).prepare();
  const { wallet, figures } = read as unknown as { wallet: WalletState; figures: MarketFigures };
  const free = countFreeBonds(wallet.deposit, figures);
  assert.ok(free > 0 && free < 7, `${free} bonds`);
  const listings: Listing[] = [];
  for (let at = 0; at <= free; at++)
    listings.push(
      await (at % 2 === 0 ? poster : other).matching.list(write({}, { title: `Bind book ${at}` })),
    );
  const price = { totalAmountTok: '600', days: 2, isBinding: true };
  const signed: Proposal[] = [];
  // The gateway may not know of the collateral yet.
  await until(async () => {
    const sent = await worker.matching.propose(listings[0] ?? assert.fail(), price).catch(() => undefined);
    return sent !== undefined && signed.push(sent) > 0;
  });
  for (const listing of listings.slice(1, free)) signed.push(await worker.matching.propose(listing, price));
  const last = listings.at(-1) ?? assert.fail();
  await assert.rejects(worker.matching.propose(last, price), /signed proposals? (is|are) live.*free bond/);
  const [open] = await worker.matching.proposals(last);
  assert.equal(open?.state, 'open', 'proposed, not signed');

  const [first = assert.fail()] = signed;
  assert.equal(await readEnd(first), null);
  const { terms } = first.offer;
  const late = { ...first, offer: { ...first.offer, terms: { ...terms, acceptBy: 1 } } };
  assert.equal(await readEnd(late), 'void');
  await whileOutage(async () => {
    assert.equal(await readEnd(late), null, 'the registry takes it again, so a policy goes on counting it');
  });
  await worker.matching.withdraw(first);
  assert.equal(await readEnd(first), 'void', 'a policy counts it no longer');
  const [seen = assert.fail()] = await poster.matching.proposals(listings[0] ?? assert.fail());
  assert.equal(seen.state, 'withdrawn');
  // Also a poster whose program ignores the message cannot use the signature.
  await assert.rejects(
    poster.do.createTask(poster.matching.toTask(seen)),
    /revoked|taken back|TermsAreRevoked/i,
  );
  await worker.matching.sign(open ?? assert.fail());

  await poster.matching.invite(listings[0] ?? assert.fail(), walletOf('coder').address);
  const invited = await join('coder');
  const { messages } = await invited.mailbox.read({ after: 0 });
  assert.ok(messages.some(({ wire }) => wire?.includes(listings[0]?.id ?? '-') && wire.includes('invite')));
  await Promise.all([poster.close(), other.close(), worker.close(), invited.close()]);
});

test('scripts stay text, and the operator withholds a listing with the reason shown', async () => {
  const wallet = walletOf('linguist');
  const html = '<script>alert(1)</script>';
  const document = write({}, { title: html, description: html, criteria: html, tags: [html] });
  const { id } = await client().publish(wallet, document, { place: place() });
  const reply = await gateway.get(`/v1/listings/${id}`);
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json/);
  const { withheld } = gateway.site().market.fileStore;
  await withheld.withhold({ kind: 'document', hash: hashCanonical(document), reason: 'spam', since: now() });
  const hidden = await client().get(id);
  assert.deepEqual([hidden.state, hidden.document, hidden.withheld], ['hidden', null, 'spam']);
  assert.equal((await client().find({ poster: wallet.address })).count, 0);
});

test('a flood of listings from one client is stopped, and reads go on', async () => {
  const body = await signListing(walletOf('coder'), write({}, { title: 'Flood' }), { place: place() });
  const replies = await Promise.all(Array.from({ length: 130 }, () => put(body.id, body)));
  assert.ok(replies.some(({ status }) => status === 429));
  assert.ok(replies.every(({ status }) => status === 200 || status === 429));
  assert.equal((await gateway.get(`/v1/listings/${body.id}`)).status, 200);
});
