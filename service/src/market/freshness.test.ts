// Proves that a version changes whenever an answer may: with every write, and with every deadline that passes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markets } from '@svc/sdk/domain';
import type { Shown } from '../store/chainRow.ts';
import { createFreshness } from './freshness.ts';

function createNeeds() {
  const world = { now: 100, version: 1, deadlines: [150, 200], notify: () => {} };
  return {
    world,
    needs: {
      loadShown: async () => null,
      loadVersion: async () => world.version,
      loadNextDeadline: async (_market: unknown, now: number) =>
        world.deadlines.find((deadline) => deadline >= now) ?? null,
      listen: async (onNotice: () => void) => {
        world.notify = onNotice;
        return async () => undefined;
      },
      now: () => world.now,
    },
  };
}

/** Lets the look that a notice has caused come to its end. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a write changes the version, a notice without one does not', async () => {
  const { world, needs } = createNeeds();
  const freshness = await createFreshness(needs);
  const first = freshness.version('standard');
  world.notify();
  await settle();
  assert.equal(freshness.version('standard'), first);
  world.version = 2;
  world.notify();
  await settle();
  assert.notEqual(freshness.version('standard'), first);
  await freshness.close();
});

test('in the second after a deadline no version is given twice, until it has been looked at', async () => {
  const { world, needs } = createNeeds();
  const freshness = await createFreshness(needs);
  const before = freshness.version('standard');
  world.now = 150;
  assert.equal(freshness.version('standard'), before, 'on the second itself a task can still be claimed');
  world.now = 151;
  const unknown = [freshness.version('standard'), freshness.version('standard')];
  assert.equal(new Set([before, ...unknown]).size, 3);
  await settle();
  const after = freshness.version('standard');
  assert.equal(freshness.version('standard'), after);
  assert.ok(![before, ...unknown].includes(after));
  await freshness.close();
});

test('a block that is written during a look is not shown before the versions that it raised', async () => {
  const { world, needs } = createNeeds();
  const freshness = await createFreshness({
    ...needs,
    // A write follows each look at a version.
    loadVersion: async () => world.version++,
    loadShown: async () => ({ head: { number: BigInt(world.version) } }) as Shown,
  });
  const shown = Number(freshness.state()?.head.number);
  for (const market of markets) assert.ok(shown <= Number.parseInt(freshness.version(market), 10), market);
  await freshness.close();
});
