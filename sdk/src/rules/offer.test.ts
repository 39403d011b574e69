// Proves that the fields of a form become exactly the terms that they say, in TOK and in dollars, and that all mistakes come at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTok } from '../domain/amount.ts';
import { SvcError } from '../domain/errors.ts';
import type { ListingDocument } from '../schemas/listings.ts';
import { buildOffer, changeOffer, type OfferFields, type StandingOffer, startFromListing } from './offer.ts';
import { hashTermsDocument } from './terms.ts';

const now = 1_900_000_000;
const day = 86_400;
const place = { chainId: 8453, registry: '0x7a5C00000000000000000000000000000000f00d' } as const;
const parties = {
  poster: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  worker: '0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199',
};
const work = { ...parties, title: 'Birds', criteria: 'All of them.', deadline: '+7d' };
/** 0.005 USD for one TOK. */
const priceE8 = 500_000n;

const build = (given: object, price: bigint | null = priceE8) =>
  buildOffer({ ...work, ...given } as OfferFields, place, { now, priceE8: price });
const totalOf = (given: object, price?: bigint | null) => BigInt(build(given, price).terms.totalAmountTokWei);

function refusalOf(given: object, price?: bigint | null): string {
  try {
    build(given, price);
  } catch (error) {
    assert.ok(error instanceof SvcError && error.code === 'ARGUMENTS_INVALID', String(error));
    return error.message;
  }
  return assert.fail(`took ${JSON.stringify(given)}`);
}

test('what is not said is the same for everybody: three days of review, one day for signatures, one milestone', () => {
  const { terms, document, settlementDigest, expiresAt } = build({ totalAmountTok: '1500' });
  assert.equal(terms.reviewPeriod, 3 * day);
  assert.deepEqual([terms.deadline, terms.acceptBy, expiresAt], [now + 7 * day, now + day, now + day]);
  assert.deepEqual([terms.market, terms.scope, terms.milestones], ['standard', 'open', []]);
  assert.deepEqual([document?.title, document?.criteria, document?.tags], ['Birds', 'All of them.', []]);
  assert.equal(settlementDigest, hashTermsDocument(terms));
});

test('the same moment and time in days, as a date and in seconds', () => {
  const at = now + 7 * day;
  for (const deadline of [
    '+7d',
    `+${7 * day}`,
    at,
    String(at),
    new Date(at * 1_000).toISOString().replace('.000Z', 'Z'),
  ])
    assert.equal(build({ totalAmountTok: '1500', deadline }).terms.deadline, at, String(deadline));
  for (const reviewPeriod of ['2d', '48h', '172800', 172_800])
    assert.equal(build({ totalAmountTok: '1500', reviewPeriod }).terms.reviewPeriod, 2 * day);
});

test('dollars become TOK at the published price, rounded up to a hundredth, and never without a price', () => {
  assert.equal(totalOf({ totalAmountUsd: '150' }), parseTok('30000'));
  assert.equal(totalOf({ totalAmountUsd: '1' }, 300_000n), parseTok('333.34'));
  assert.equal(totalOf({ totalAmountUsd: '0.500001' }), parseTok('100.01'));
  for (const price of [null, 0n])
    assert.match(
      refusalOf({ totalAmountUsd: '150' }, price),
      /totalAmountUsd: the market publishes no price/,
    );
  assert.match(refusalOf({ totalAmountUsd: '0' }), /totalAmountTok: must be 100 TOK or more/);
  assert.match(refusalOf({ totalAmountUsd: '0.0000001' }), /totalAmountUsd: An amount in USD/);
  assert.match(refusalOf({ totalAmountUsd: '79228162514264337593543' }, 1n), /totalAmountUsd: is more than/);
  assert.match(
    refusalOf({ totalAmountUsd: '150', totalAmountTok: '1' }),
    /give it or totalAmountUsd, not both/,
  );
  assert.match(
    refusalOf({ totalAmountTokWei: '150', totalAmountTok: '1' }),
    /or totalAmountTokWei, not both/,
  );
});

test('milestones in dollars add up to a total in dollars, each rounded by itself', () => {
  const milestones = ['0.5', '1'].map((amountUsd, at) => ({ amountUsd, description: `Part ${at}` }));
  for (const total of [{ totalAmountUsd: '1.5' }, {}]) {
    const { terms } = build({ ...total, milestones }, 300_000n);
    const [first, second] = ['166.67', '333.34'].map((tok) => String(parseTok(tok)));
    assert.deepEqual(terms.milestones, [{ amountTokWei: first }, { amountTokWei: second }]);
    assert.equal(terms.totalAmountTokWei, String(parseTok('500.01')));
  }
  assert.match(refusalOf({ totalAmountUsd: '2', milestones }), /do not add up/);
  assert.match(refusalOf({ milestones }, null), /milestones: the market publishes no price/);
});

test('all mistakes come at once, each with its field, at every depth', () => {
  const bad = {
    ...{ poster: 'bob', deadline: 'soon', totalAmountTok: '1e3', wage: '5', titel: 'x' },
    milestones: [{ amountTok: '1', text: 'x' }],
    artifacts: [{ name: 'a.txt', mediaType: 'text/plain', bytes: 1, sha256: 'ab'.repeat(32), hash: 'x' }],
  };
  const said = refusalOf(bad);
  for (const line of [
    /^ {2}poster: An address must/m,
    /^ {2}deadline: must be/m,
    /^ {2}totalAmountTok: An amount in TOK/m,
    /^ {2}wage: there is no such field; there are market, poster/m,
    /^ {2}titel: there is no such field; did you mean title\?/m,
    /^ {2}milestones\.0\.text: there is no such field; there are amountTok,/m,
    /^ {2}artifacts\.0\.hash: there is no such field; there are name, mediaType/m,
  ])
    assert.match(said, line);
  const late = refusalOf({ title: undefined, totalAmountTok: '1', deadline: '+400d', reviewPeriod: '1s' });
  for (const line of [/title: give it/, /must be 100 TOK/, /within 365 days/, /must be 12h to 30d/])
    assert.match(late, line);
  assert.match(refusalOf({ criteria: ' ', totalAmountTok: '1500' }), /criteria: is required/);
  assert.match(refusalOf({ milestones: ['100', '200'] }), /what each of the 2 milestones delivers/);
});

test('the name that criteria had is taken alone, and no name of a prototype is a field', () => {
  const { criteria: _, ...old } = { ...work, totalAmountTok: '1500' };
  const take = (given: object) => buildOffer(given as OfferFields, place, { now });
  assert.equal(take({ ...old, criteriaText: 'All.' }).document?.criteria, 'All.');
  assert.throws(() => take({ ...old, criteria: 'a', criteriaText: 'b' }), /did you mean criteria\?/);
  for (const name of ['__proto__', 'constructor', 'toString'])
    assert.throws(() => take(JSON.parse(`{"${name}": {"title": "x"}}`)), /there is no such field/);
});

test('a changed offer keeps all that is not changed, and its texts where only amounts change', () => {
  const artifact = { name: 'a.txt', mediaType: 'text/plain', bytes: 1, sha256: 'ab'.repeat(32) };
  const last = build({
    ...{ tags: ['birds'], artifacts: [artifact], scope: 'private', reviewPeriod: '5d', market: 'micro' },
    milestones: [
      { amountTok: '100', description: 'One.' },
      { amountTok: '200', description: 'Two.' },
    ],
  }) as StandingOffer;
  const change = (changed: OfferFields) => buildOffer(changeOffer(last, changed), place, { now, priceE8 });
  const same = change({});
  const { blind: _, ...words } = same.document ?? {};
  const { blind: _last, ...lastWords } = last.document;
  assert.deepEqual(words, lastWords);
  const figures = [
    'market',
    'poster',
    'worker',
    'totalAmountTokWei',
    'milestones',
    'deadline',
    'scope',
    'reviewPeriod',
  ] as const;
  for (const name of figures) assert.deepEqual(same.terms[name], last.terms[name], name);
  const dearer = change({ milestones: ['150', '250'] });
  assert.deepEqual(dearer.document?.milestones, ['One.', 'Two.']);
  assert.equal(dearer.terms.totalAmountTokWei, String(parseTok('400')));
  const whole = change({ totalAmountUsd: '2' });
  assert.deepEqual([whole.terms.milestones, whole.document?.milestones], [[], []]);
  assert.equal(whole.terms.totalAmountTokWei, String(parseTok('400')));
  assert.throws(() => change({ milestones: ['1', '2', '3'] }), /each of the 3 milestones/);
});

test('an offer for a listing has its words, shares and times, and its highest price unless another is given', () => {
  const listing: ListingDocument = {
    ...{ schema: 'svc-listing-v1', market: 'standard', milestoneBps: [3_000, 7_000] },
    task: {
      ...{ schema: 'svc-task-v1', title: 'Birds', description: 'At dawn.', criteria: 'All.', tags: ['lake'] },
      milestones: ['One.', 'Two.'],
    },
    budget: { minTokWei: String(parseTok('400')), maxTokWei: String(parseTok('800')) },
    deadline: now + 20 * day,
    reviewPeriod: 5 * day,
  };
  const propose = (changed: OfferFields, price: bigint | null = null) =>
    buildOffer({ ...parties, ...startFromListing(listing, changed, price) }, place, { now, priceE8: price });
  const { terms, document } = propose({});
  assert.deepEqual(document, listing.task);
  assert.deepEqual([terms.deadline, terms.reviewPeriod, terms.scope], [now + 20 * day, 5 * day, 'open']);
  assert.deepEqual(
    terms.milestones.map(({ amountTokWei }) => amountTokWei),
    ['240', '560'].map((tok) => String(parseTok(tok))),
  );
  assert.equal(propose({ totalAmountTok: '600' }).terms.totalAmountTokWei, String(parseTok('600')));
  assert.equal(propose({ totalAmountUsd: '3' }, priceE8).terms.totalAmountTokWei, String(parseTok('600')));
  assert.throws(() => propose({ totalAmountTok: 'much' }), /totalAmountTok: An amount in TOK/);
  assert.equal(propose({ deadline: '+3d' }).terms.deadline, now + 3 * day);
});
