// A change is asked about wherever it shows, and a reset wherever anything does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysOf } from './staleKeys.ts';

test('a reset makes every answer stale that a change of any task could have made stale', () => {
  const task = { id: 'v2:micro:3', market: 'micro', state: 'CLAIMED', blockNumber: 7 } as const;
  const changed = keysOf({ type: 'task', seq: 1, task }).map(([name]) => name);
  const reset = keysOf({ type: 'reset' });
  assert.deepEqual(
    reset,
    changed.map((name) => [name]),
  );
  for (const name of ['tasks', 'task', 'timeline', 'union', 'wallet', 'gateway', 'ledger'])
    assert.ok(changed.includes(name), name);
});
