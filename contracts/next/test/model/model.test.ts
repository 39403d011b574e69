// Random sequences on both markets against the model. `npm run contracts:next:model` plays the long form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markets } from '../../../../sdk/src/domain/market.ts';
import { playRandom } from './random.ts';

const { SVC_MODEL_RUNS = '2', SVC_MODEL_STEPS = '150', SVC_MODEL_SEEDS = '1' } = process.env;

for (const market of markets)
  for (const seed of SVC_MODEL_SEEDS.split(',').map(Number))
    test(`${market}: everybody has on chain what the model says, seed ${seed}`, async (context) => {
      const counts = await playRandom(market, seed, Number(SVC_MODEL_RUNS), Number(SVC_MODEL_STEPS));
      const lines = [...counts].map(([name, { done, refused }]) => `${name} ${done}/${refused}`);
      context.diagnostic(lines.sort().join(', '));
      assert.ok([...counts.values()].some(({ done }) => done > 0));
    });
