// An event makes every cached reply stale that it may have changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { staleKeys } from './queryKeys.ts';

test('a reset makes every reply stale that an event about any task could make stale', () => {
  const task = { id: 'v2:micro:3', market: 'micro', state: 'CLAIMED', blockNumber: 7 } as const;
  const changed = staleKeys({ type: 'task', seq: 1, task }).map(([name]) => name);
  const reset = staleKeys({ type: 'reset' });
  assert.deepEqual(
    reset,
    changed.map((name) => [name]),
  );
  for (const name of ['tasks', 'task', 'timeline', 'union', 'wallet', 'gateway', 'ledger', 'needed'])
    assert.ok(changed.includes(name), name);
});
