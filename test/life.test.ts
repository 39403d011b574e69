// Proves with stock viem alone that tasks live as the rules say, and that every wallet's balances add up to the wei.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { markets } from '#sdk/domain/market.ts';
import { findDifferences, takeSnapshot } from '../scripts/play/balances.ts';
import { type Cast, createCast } from '../scripts/play/cast.ts';
import { enter, playNegotiated, playToCompletion, playToRuling } from '../scripts/play/stories.ts';
import { type RunningChain, startChain } from './support/devnet.ts';

const stories = {
  'posted, funded, claimed, started, delivered, accepted and completed': playToCompletion,
  'delivered, disputed, given to an arbitrator by both, and ruled': playToRuling,
  'created with both signatures, delivered and accepted': playNegotiated,
};

let chain: RunningChain;
before(async () => {
  chain = await startChain();
});
after(() => chain.stop());

for (const market of markets) {
  let cast: Cast;
  for (const [what, play] of Object.entries(stories)) {
    test(`on ${market} a task is ${what}, and every balance adds up to the wei`, async () => {
      if (cast === undefined) {
        cast = await createCast(chain.report.rpcUrl, market);
        await enter(cast, () => {});
      }
      const started = await takeSnapshot(cast);
      const told: string[] = [];
      const expected = await play(cast, (_, step) => {
        told.push(step);
      });
      assert.ok(told.length >= 5);
      const ended = await takeSnapshot(cast);
      assert.deepEqual(findDifferences(started, ended, expected), []);
      const oneWeiMore = { ...expected, worker: expected.worker + 1n };
      assert.equal(findDifferences(started, ended, oneWeiMore).length, 1, 'a single wei would be noticed');
    });
  }
}

test('npm run play tells the same stories to a person, with what each wallet has', async () => {
  const script = join(import.meta.dirname, '../scripts/play.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--rpc', chain.report.rpcUrl]);
  assert.equal(stdout.match(/All balances add up to the wei\./g)?.length, 3);
  assert.match(stdout, /newcomer posts task \d+ .*\n +TOK: poster \d+/);
});
