// Proves that a keeper that runs for months keeps nothing of its rounds.
import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Rpc } from '@svc/sdk/chain';
import { createKeeper, type KeeperOptions } from './keeper.ts';

test('a round leaves nothing in memory', async (context) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Only those of this test: `queryObjects` looks at everything that the tests before have left in this process.
  const promises: WeakRef<object>[] = [];
  const hook = createHook({
    init: (_id, type, _trigger, promise) => {
      if (type === 'PROMISE') promises.push(new WeakRef(promise));
    },
  }).enable();
  context.after(() => hook.disable());
  const counts: number[] = [];
  const stop = new AbortController();
  const rpc = { ask: () => Promise.reject(new Error('away')) } as unknown as Rpc;
  let rounds = 0;
  const keeper = createKeeper({
    rpc,
    sender: {} as KeeperOptions['sender'],
    contracts: { standard: {}, micro: {} } as KeeperOptions['contracts'],
    pollMs: 0,
    onEvent: () => {
      // The first rounds create what later rounds use.
      if (++rounds % 200 !== 0) return;
      collect();
      counts.push(promises.filter((one) => one.deref() !== undefined).length);
      if (rounds === 400) stop.abort();
    },
  });
  await keeper.run(stop.signal);
  const [early = 0, late = 0] = counts;
  assert.ok(late - early < 100, `${late - early} more promises after another 200 rounds`);
});
