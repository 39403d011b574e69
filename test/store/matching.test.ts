// Profiles and listings as rows, on both databases: versions, look-alikes, search in order, five live ones under a race, tasks
// that close a listing, and what is hidden and forgotten.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import type { Database } from '#service/store/database.ts';
import { createListingStore, type NewListing } from '#service/store/listings.ts';
import { findMatches, type MatchPage, type MatchPlace, saveMatchWords } from '#service/store/matchWords.ts';
import { createProfileStore, type NewProfile } from '#service/store/profiles.ts';
import { onBothDatabases } from '../support/databases.ts';
import { addressOf, buildTask } from '../support/indexer/fakeChain.ts';
import { showTasks } from '../support/indexer/rows.ts';

const hashOf = (at: number) => `0x${String(at).padStart(64, '0')}` as Hex;

const profileOf = (at: number, change: Partial<NewProfile> = {}): NewProfile => ({
  account: addressOf(at),
  version: 10,
  document: '{}',
  documentHash: hashOf(at),
  signature: '0xab',
  name: `Name ${at}`,
  skeleton: `name${at}`,
  namedAt: at,
  score: at,
  words: new Set(['§art', at % 2 === 0 ? 'even' : 'odd']),
  ...change,
});

const listingOf = (at: number, poster: number, change: Partial<NewListing> = {}): NewListing => ({
  id: hashOf(at),
  market: 'standard',
  poster: addressOf(poster),
  version: 10,
  document: '{}',
  documentHash: hashOf(at),
  signature: '0xab',
  expiresAt: 1_000,
  words: new Set(['¤standard', 'bird']),
  ...change,
});

const limits = { mostLive: 5, mostKept: 100 };

onBothDatabases(({ create }) => {
  test('the highest version of a profile wins, and a withdrawn one keeps only its version', async () => {
    const store = createProfileStore(await create());
    const refused = (change: object, code: string, known: string) =>
      assert.rejects(store.save(profileOf(1, change), 300), { code, details: { known } });
    await store.save(profileOf(1), 100);
    await store.save(profileOf(1), 100);
    await refused({ documentHash: hashOf(9) }, 'VERSION_TAKEN', '10');
    await refused({ version: 9 }, 'VERSION_OLD', '10');
    assert.equal(await store.withdraw(addressOf(1), 200), 200);
    const [left] = await store.load([addressOf(1)]);
    assert.deepEqual([left?.version, left?.document, left?.name, left?.signature], [200, null, null, null]);
    await refused({ version: 199 }, 'VERSION_OLD', '200');
    assert.equal(await store.withdraw(addressOf(2), 200), null);
    assert.deepEqual((await store.find({ words: [], after: null, limit: 10 })).profiles, []);
  });

  test('names that look alike name the older one; lists go by rank, page after page, with all words', async () => {
    const store = createProfileStore(await create());
    for (let at = 1; at <= 9; at++) await store.save(profileOf(at, at > 7 ? { skeleton: 'same' } : {}), at);
    const [one, two] = await store.load([addressOf(8), addressOf(9)]);
    const marks = [one, two].map((found) => found?.looksLike ?? null).filter(Boolean);
    assert.deepEqual(marks, [addressOf(8)]);
    const seen: string[] = [];
    for (let after = null as Parameters<typeof store.find>[0]['after']; ; ) {
      const { profiles, next } = await store.find({ words: ['§art', 'odd'], after, limit: 2 });
      seen.push(...profiles.map(({ account }) => account));
      if (next === null) break;
      after = next;
    }
    assert.deepEqual(seen, [9, 7, 5, 3, 1].map(addressOf));
    await store.saveScore(addressOf(1), 50);
    const [best] = (await store.find({ words: ['odd'], after: null, limit: 1 })).profiles;
    assert.deepEqual([best?.account, best?.score], [addressOf(1), 50]);
    assert.deepEqual(await store.listProfiled([addressOf(1).toLowerCase(), addressOf(44).toLowerCase()]), [
      addressOf(1).toLowerCase(),
    ]);
  });

  test('whatever words are asked for, the pages lead to every match once and in order', async () => {
    const database = await create();
    const list = Array.from({ length: 300 }, (_, at) => ({
      subject: addressOf(at + 1),
      rank: (at * 7) % 5,
      at: (at * 13) % 50,
      // Frequent together, frequent but rarely together, and rare.
      words: ['a', 'b', 'c', 'd'].filter(
        (_word, index) => [at % 3 > 0, at % 2 > 0, at % 2 === 0 || at % 97 === 1, at % 150 === 1][index],
      ),
    }));
    await database.transaction(async (tx) => {
      for (const { words, ...place } of list) await saveMatchWords(tx, 'profile', place, words);
    });
    const order = list.toSorted(
      (one, other) => other.rank - one.rank || other.at - one.at || (one.subject < other.subject ? -1 : 1),
    );
    for (const words of [
      [],
      ['a'],
      ['a', 'b'],
      ['b', 'a', 'c'],
      ['c', 'b'],
      ['d', 'a'],
      ['a', 'b', 'd'],
      ['a', 'x'],
    ])
      for (const limit of [1, 7]) {
        const seen: string[] = [];
        for (let after: MatchPlace | null = null, pages = 0; ; pages++) {
          const page: MatchPage = await findMatches(database, 'profile', { words, after, limit });
          seen.push(...page.places.map(({ subject }) => subject));
          assert.ok(page.places.length <= limit && pages <= 700);
          if (page.next === null) break;
          after = page.next;
        }
        const fitting = order.filter((one) => words.every((word) => one.words.includes(word)));
        assert.deepEqual(
          seen,
          fitting.map(({ subject }) => subject),
          `${words} by ${limit}`,
        );
      }
  });

  test('of eight versions of a profile at once the highest stays, in any order', async () => {
    const store = createProfileStore(await create());
    for (let account = 1; account <= 5; account++) {
      const versions = [14, 18, 11, 17, 12, 16, 13, 15];
      await Promise.allSettled(
        versions.map((version) =>
          store.save(profileOf(account, { version, documentHash: hashOf(version) }), 100),
        ),
      );
      assert.equal((await store.load([addressOf(account)]))[0]?.version, 18);
    }
  });

  test('of eight listings at once five are kept; a task takes one, and its id is not published again', async () => {
    const store = createListingStore(await create());
    const saved = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) => store.save(listingOf(at + 1, 1), 100, limits)),
    );
    const refusals = saved.filter((one) => one.status === 'rejected').map(({ reason }) => reason.code);
    assert.deepEqual(refusals, Array(3).fill('LISTING_LIMIT'));
    const { listings } = await store.find({ words: ['bird'], after: null, limit: 10 });
    assert.equal(listings.length, 5);
    const id = listings[0]?.id as Hex;
    await assert.rejects(store.save(listingOf(Number(id), 2), 100, limits), { code: 'NOT_THE_OWNER' });
    await store.saveProposer(id, addressOf(7));
    await store.saveProposer(id, addressOf(7));
    await store.saveOffer(id, hashOf(77));
    assert.equal(await store.findBetween(addressOf(7), addressOf(1), 100), id);
    assert.equal(await store.findByDigest(hashOf(77).toUpperCase().replace('0X', '0x')), id);
    assert.equal((await store.load(id))?.proposers, 1);
    const tasks = [4, 5, 6, 7].map((number) => `v2:standard:${number}`);
    const taken = await Promise.all(tasks.map((taskId) => store.take(id, taskId, 120)));
    assert.equal(taken.filter(Boolean).length, 1, 'once, also under a race');
    assert.deepEqual(await store.listProposers(id), [addressOf(7).toLowerCase()]);
    assert.equal((await store.load(id))?.taskId, tasks[taken.indexOf(true)]);
    await store.close(id, 125);
    assert.equal((await store.load(id))?.document, '{}', 'those who proposed still see what it was');
    const again = { version: 11 };
    await assert.rejects(store.save(listingOf(Number(id), 1, again), 130, limits), { code: 'VERSION_OLD' });
    assert.equal((await store.find({ words: ['bird'], after: null, limit: 10 })).listings.length, 4);
  });

  test('a task that came while changes were missed is found by the digest of an offer', async () => {
    const database = await create();
    const store = createListingStore(database);
    const digest = hashOf(77);
    const task = {
      ...buildTask('standard', 3n, 1, 1_000),
      state: 'ACTIVE',
      settlementDigest: digest,
    } as const;
    const other = { ...buildTask('standard', 4n, 1, 1_000), settlementDigest: hashOf(78) };
    const head = { number: 9n, hash: hashOf(9), time: 1_009 };
    await showTasks(database, [task, other], { head, startBlock: 0n, seenAt: 0 });
    for (const at of [1, 2]) {
      await store.save(listingOf(at, 1), 100, limits);
      await store.saveOffer(hashOf(at), hashOf(76 + at));
    }
    const found = async () => (await store.listOvertaken('', 9)).map((row) => ({ ...row }));
    assert.deepEqual(await found(), [{ id: hashOf(1), digest, market: 'standard', number: 3 }]);
    await store.take(hashOf(1), 'v2:standard:3', 120);
    assert.deepEqual(await found(), []);
  });

  test('listings are hidden and shown with their poster’s collateral, closed, ended and forgotten', async () => {
    const database: Database = await create();
    const store = createListingStore(database);
    await store.save(listingOf(1, 1), 100, limits);
    await store.save(listingOf(2, 2, { expiresAt: 150 }), 100, limits);
    assert.deepEqual((await store.listPosters(true, 100)).length, 2);
    const [own] = await store.loadOpen(addressOf(1), true, 100);
    assert.ok(own);
    await store.hide(own.id);
    assert.equal((await store.find({ words: ['bird'], after: null, limit: 10 })).listings.length, 1);
    await store.show(own, new Set(['bird']));
    assert.equal((await store.find({ words: ['bird'], after: null, limit: 10 })).listings.length, 2);
    assert.deepEqual(await store.listEnded(200, 10), [hashOf(2)]);
    await store.hide(hashOf(2));
    await store.close(hashOf(1), 210);
    await store.show(own, new Set(['bird']));
    const closed = await store.load(hashOf(1));
    assert.deepEqual([closed?.document, closed?.version], [null, 10]);
    assert.equal(closed?.isLive, false, 'it was read before it was closed');
    await store.saveProposer(hashOf(2), addressOf(5));
    await store.forget(500);
    assert.equal(await store.load(hashOf(2)), undefined);
    assert.deepEqual(await database.query('SELECT * FROM listing_proposers'), []);
    assert.ok(await store.load(hashOf(1)), 'its signature has not ended');
  });
});
