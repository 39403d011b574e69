// docs/quick-start.md, from the first deposit to the payment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { erc20Abi } from 'viem';
import { accountOf } from '#service/devnet/accounts.ts';
import { readCommands, readGuide, runCommands } from '../support/guide.ts';
import { scene } from './scene.ts';

const [install = '', ...steps] = readCommands(readGuide('docs/quick-start.md'));

test('the quick start ends with a worker who is paid', async (context) => {
  // What is left out here, the continuous integration does on every clean clone.
  assert.match(install, /^git clone .* svc\ncd svc\nnpm ci\nnpm start\n$/);
  const { chain } = scene;
  const balance = () =>
    chain.publicClient.readContract({
      address: chain.deployment.tokToken,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [accountOf('newcomer').address],
    });
  const before = await balance();
  const lines = (await runCommands(context, steps, scene)).split('\n');
  assert.equal(lines.filter((line) => line === 'settled').length, 6);
  assert.deepEqual(
    lines.filter((line) => /^[A-Z]+$|^\d+$|^true$/.test(line)),
    ['POSTED', 'COMPLETED', '1500000000000000000000', 'true'],
  );
  assert.ok(lines.some((line) => /^TaskPosted .* TaskCompleted/.test(line)));
  // The reward, less what it cost to claim.
  assert.equal((await balance()) - before, 500n * 10n ** 18n);
});
