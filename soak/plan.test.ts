// Proves that a seed decides the whole plan, and that every kind of fault has its place in it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults as entries, faultKinds } from './faults/all.ts';
import { buildPlan } from './plan.ts';

const options = { seed: 7, seconds: 1_800, people: 4, kinds: faultKinds };

test('the same seed gives the same plan, another one another', () => {
  assert.deepEqual(buildPlan(options), buildPlan(options));
  assert.notDeepEqual(buildPlan(options), buildPlan({ ...options, seed: 8 }));
});

test('moves and faults come in order, within the run, for each person', () => {
  const { personal, public: common, faults } = buildPlan(options);
  assert.equal(personal.length, options.people);
  for (const moves of [...personal, common, faults]) {
    const times = moves.map(({ at }) => at);
    assert.ok(times.length > 10);
    assert.deepEqual(
      times,
      times.toSorted((left, right) => left - right),
    );
    assert.ok(times.every((at) => at >= 0 && at < options.seconds * 1_000));
  }
});

test('every kind of fault comes before any comes again; a short run has a few of the short ones', () => {
  for (const seed of [1, 2, 3]) {
    const { faults } = buildPlan({ ...options, seed });
    assert.deepEqual(
      faults
        .slice(0, faultKinds.length)
        .map(({ kind }) => kind)
        .sort(),
      faultKinds.toSorted(),
    );
    const short = buildPlan({ ...options, seed, seconds: 5 });
    assert.ok(short.isShort);
    assert.equal(new Set(short.faults.map(({ kind }) => kind)).size, 7);
    assert.ok(short.faults.every(({ kind }) => entries[kind].lasts === undefined));
  }
});

test('processes whose memory is watched are spared before the second half', () => {
  const { faults } = buildPlan(options);
  for (const { at, kind, sparesWatched } of faults) {
    assert.equal(sparesWatched, at > options.seconds * 400);
    assert.ok(!sparesWatched || entries[kind].hitsWatched === undefined, kind);
  }
});
