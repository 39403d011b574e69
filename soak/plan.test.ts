// Proves that a seed decides the whole plan, and that every kind of fault has its place in it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPlan, faultKinds } from './plan.ts';

const options = { seed: 7, seconds: 1_200, people: 4, kinds: faultKinds };

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

test('every kind of fault comes before any comes again, even in the shortest run', () => {
  for (const seed of [1, 2, 3]) {
    const { faults } = buildPlan({ ...options, seed });
    for (let start = 0; start + faultKinds.length <= faults.length; start += faultKinds.length) {
      const round = faults.slice(start, start + faultKinds.length).map(({ kind }) => kind);
      assert.deepEqual(round.sort(), faultKinds.toSorted());
    }
    const short = buildPlan({ ...options, seed, seconds: 5 });
    assert.ok(short.isShort);
    assert.deepEqual(short.faults.map(({ kind }) => kind).sort(), faultKinds.toSorted());
  }
});

test('processes whose memory is watched are spared before the second half', () => {
  const { faults } = buildPlan(options);
  for (const { at, sparesWatched } of faults) assert.equal(sparesWatched, at > options.seconds * 400);
});
