// Who may judge: the rule of the SDK against the court itself, for every reason that it refuses a wallet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ArbitratorRecord, readArbitrators } from '#sdk/chain/readAgents.ts';
import { findArbitratorObstacle } from '#sdk/domain/arbitration.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import type { Preparing } from '../support/preparing.ts';
import { bring } from './steps.ts';

/** Every account of the embedded chain, also those that the court does not know. */
const everyone: readonly AccountName[] = [
  'newcomer',
  'visitor',
  'shop',
  'treasury',
  'referee',
  'fallback',
  'studio',
];

export function testArbitrators(get: () => Preparing): void {
  test('the court takes exactly the arbitrators that the rule allows', async () => {
    const { act, addressOf, taskOf, prepareCalls, rpc, access } = get();
    const contracts = access.contracts.standard;
    const taskId = await bring(get(), 'delivered', '1000');
    // Parties and a bond payer that have a bond, one that asks for more than this case, and one that leaves.
    await act('register-arbitrator', 'newcomer', { minHeldTok: '0' });
    await act('register-arbitrator', 'visitor', { minHeldTok: '0' });
    await act('register-arbitrator', 'shop', { minHeldTok: '1000' });
    await act('register-arbitrator', 'treasury', { minHeldTok: '1000.1' });
    await act('register-arbitrator', 'studio', { minHeldTok: '1' });
    await act('unbond-arbitrator', 'studio');
    await act('open-dispute', 'newcomer', { taskId, evidenceText: 'A bird is missing.' });

    const compare = async () => {
      const { arbitratorMinBondTokWei: minBond } = await access.reads.readFigures('standard');
      const known = await readArbitrators(rpc, contracts);
      const task = await taskOf(taskId);
      const found: Record<string, string> = {};
      for (const who of [...new Set([...everyone, ...known.map(({ address }) => address)])]) {
        const address = who.startsWith('0x') ? (who as `0x${string}`) : accountOf(who as AccountName).address;
        const none = { address, bond: 0n, minHeld: 0n, unbondAt: 0n } as ArbitratorRecord;
        const record = known.find((one) => one.address === address) ?? none;
        const obstacle = findArbitratorObstacle(task, record, minBond);
        const { simulation } = await prepareCalls('propose-arbitrator', 'newcomer', {
          taskId,
          arbitrator: address,
        });
        assert.equal(
          simulation.status === 'success',
          obstacle === null,
          `${who}: ${obstacle} ${JSON.stringify(simulation)}`,
        );
        found[who] = obstacle ?? 'yes';
      }
      return found;
    };

    const before = await compare();
    assert.equal(before.newcomer, 'a party of the task');
    assert.equal(before.visitor, 'a party of the task');
    assert.equal(before.shop, 'yes', 'a smallest case of exactly this amount');
    assert.match(String(before.treasury), /accepts only more/);
    assert.equal(before.studio, 'withdrawing the bond');
    assert.match(String(before.fallback), /bond below/);
    assert.equal(before.referee, 'yes');
    await act('answer-dispute', 'shop', { taskId });
    assert.equal((await compare()).shop, 'paid the bond of the worker');
    await act('concede', 'visitor', { taskId });
    for (const who of ['newcomer', 'visitor', 'shop', 'treasury'] as const)
      await act('unbond-arbitrator', who);
    assert.equal((await taskOf(taskId)).worker, addressOf('visitor'));
  });
}
