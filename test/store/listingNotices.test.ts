// Notices of saved searches and of listings, on both databases: once, of what still fits and was not there before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Market } from '#sdk/domain/market.ts';
import { splitWords } from '#sdk/domain/searchWords.ts';
import { markWord, tagWord } from '#service/store/matchWords.ts';
import { onBothDatabases } from '../support/databases.ts';
import { addressOf } from '../support/indexer/fakeChain.ts';
import { beginNotices } from '../support/notices.ts';

const poster = addressOf(1);
const post = { kind: 'post', market: 'standard', poster: 1 } as const;
const claim = { kind: 'claim', market: 'standard', task: 1 } as const;
const day = 86_400;

onBothDatabases(({ create, once }) => {
  once('a saved search of listings brings those that came since, by the same summary', async () => {
    const { step, subscribe, searches, listings, clock, now, round, look, kinds, letters, clear } =
      beginNotices(await create());
    const reader = addressOf(9);
    const list = (id: number, title: string, tags: readonly string[], market: Market = 'standard') => {
      const task = { schema: 'svc-task-v1', title, description: '', criteria: 'Any.', milestones: [], tags };
      const budget = { minTokWei: '0', maxTokWei: String(900n * 10n ** 18n) };
      const hash = `0x${String(id).repeat(64)}` as const;
      const words = new Set([markWord(market), ...tags.map(tagWord), ...splitWords(title)]);
      const document = JSON.stringify({ market, task, budget });
      const signed = { version: now(), document, documentHash: hash, signature: '0x' } as const;
      const made = { id: hash, market, poster, expiresAt: now() + 20 * day, words, ...signed };
      return listings.save(made, now(), { mostLive: 9, mostKept: 9 });
    };
    await step([post]);
    await subscribe(reader);
    await list(1, 'Draw a bird', ['ink', 'paper']);
    clock.ahead += 10;
    const saved = await searches.add(reader, 'view=wanted&tag=Ink,paper&minAmountUsd=5&sort=highest');
    assert.equal(saved.query, 'market=standard&view=wanted&tag=Ink%2Cpaper');
    await assert.rejects(searches.add(reader, 'view=wanted&poster=0x1'), { code: 'ADDRESS_MALFORMED' });
    await list(2, 'Draw a fish', ['Ink', 'PAPER']);
    await list(3, 'Paint a fish', ['ink']);
    await list(4, 'Draw a small fish', ['ink', 'paper'], 'micro');
    clear();
    clock.ahead += 901;
    await look();
    await look();
    assert.deepEqual(kinds(), ['search']);
    const { data, link } = letters.at(-1)?.letter ?? assert.fail();
    assert.deepEqual(data.searches, [
      { id: saved.id, query: saved.query, listings: [`0x${'2'.repeat(64)}`] },
    ]);
    assert.equal(link.path, '/market.html?market=standard&view=wanted&tag=Ink%2Cpaper');
    clear();
    clock.ahead += day + 60;
    await look();
    assert.deepEqual(kinds(), [], 'once');
    await list(5, 'Draw a whale', ['paper', 'ink']);
    clock.ahead += 901;
    await searches.round(new AbortController().signal);
    await listings.close(`0x${'5'.repeat(64)}`, now());
    await round();
    assert.deepEqual(kinds(), [], 'a listing that was closed before the notice');
  });

  test('saved searches bring one summary a day, of new tasks that still fit; ten of a wallet, and none for nobody', async () => {
    const { step, subscribe, searches, clock, look, kinds, letters, clear } = beginNotices(await create());
    const reader = addressOf(9);
    const long = { ...post, days: 9 };
    await step([long]);
    await subscribe(reader);
    const saved = await searches.add(
      reader,
      `market=standard&sort=highest&poster=${poster}&minAmountUsd=0.0`,
    );
    assert.equal(saved.query, `market=standard&poster=${poster}&minAmountUsd=0.0`);
    assert.equal((await searches.add(reader, saved.query)).id, saved.id, 'the same again');
    await searches.add(reader, 'market=micro&q=lighthouse');
    await searches.add(addressOf(8), saved.query);
    clear();
    clock.ahead += 901;
    await look();
    assert.deepEqual(kinds(), [], 'what was there before is not new');
    await step([long, { ...long, poster: 2 }, { ...long, isPrivate: true }]);
    await look();
    assert.deepEqual(kinds(), [], 'not before its time');
    clock.ahead += 901;
    await look();
    await look();
    assert.deepEqual(kinds(), ['search']);
    const { facts, link, data } = letters.at(-1)?.letter ?? assert.fail();
    assert.deepEqual(
      facts.map(([label]) => label),
      [`New: standard tasks, by ${poster.slice(0, 6)}…${poster.slice(-4)}, at least $0.0`],
    );
    assert.deepEqual(data.searches, [{ id: saved.id, query: saved.query, tasks: ['v2:standard:2'] }]);
    assert.equal(link.path, `/market.html?market=standard&poster=${poster}&minUsd=0.0`);
    clear();
    // A flood of posts, and a new search on the same day: one summary, a day later, of what is still open.
    await step(Array.from({ length: 8 }, (_, at) => (at === 0 ? post : long)));
    await searches.add(reader, 'market=standard');
    clock.ahead += day - 60;
    await look();
    assert.deepEqual(kinds(), []);
    clock.ahead += 120;
    await look();
    assert.deepEqual(kinds(), ['search']);
    const [fact] = letters.at(-1)?.letter.facts ?? [];
    assert.match(fact?.[1] ?? '', /^task 6, standard market, .*; and more$/);
    assert.equal((fact?.[1] ?? '').split('; ').length, 6);
    for (const { id } of await searches.list(reader)) await searches.remove(reader, id);
    const many = Array.from({ length: 14 }, (_, at) => searches.add(reader, `market=standard&q=bird${at}`));
    const added = await Promise.allSettled(many);
    assert.equal(added.filter(({ status }) => status === 'fulfilled').length, 10);
    await assert.rejects(searches.add(reader, 'minAmountUsd=-1'), /dollars/);
  });

  test('a task out of a listing tells those who were not chosen, once', async () => {
    const { chain, now, step, subscribe, kinds, letters, listings, clear } = beginNotices(await create());
    const worker = addressOf(5);
    await subscribe(addressOf(7), 'other@example.org');
    await subscribe(worker, 'worker@example.org');
    await step([post]);
    const digest = `0x${'d1'.repeat(32)}` as const;
    const id = `0x${'ab'.repeat(32)}` as const;
    for (const wallet of [addressOf(7), worker]) await listings.saveProposer(id, wallet);
    await listings.saveOffer(id, digest);
    clear();
    await step([{ ...claim, digest, worker }]);
    chain.revert(1);
    chain.mine();
    await step([{ ...claim, digest, worker }]);
    await step();
    const taken = letters.filter(({ letter }) => letter.kind === 'taken');
    const shown = taken.map(({ to, letter }) => [to, letter.link.path]);
    assert.deepEqual(shown, [['other@example.org', `/market.html?listing=${id}`]]);
    assert.ok(kinds().length > 0);
    // A second task out of the same listing: the worker of the first one was chosen.
    const signed = {
      version: 1,
      document: '{}',
      documentHash: id,
      signature: '0x',
      expiresAt: 1e12,
    } as const;
    const listing = { id, market: 'standard', poster, words: new Set<string>(), ...signed } as const;
    await listings.save(listing, now(), { mostLive: 5, mostKept: 5 });
    await listings.take(id, 'v2:standard:1', now());
    const second = `0x${'d2'.repeat(32)}` as const;
    await listings.saveOffer(id, second);
    await step([post]);
    clear();
    await step([{ ...claim, task: 2, digest: second, worker: addressOf(8) }]);
    await step();
    assert.ok(letters.every(({ letter }) => letter.kind !== 'taken'));
  });
});
