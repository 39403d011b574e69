// Disputes through prepare: ruled on, sponsored, without a bond, and who may judge. What each ending moves: amounts.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ArbitratorRecord, readArbitrators } from '#sdk/chain/readAgents.ts';
import { buildDocument } from '#sdk/documents/buildDocument.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { findArbitratorObstacle } from '#sdk/domain/arbitration.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { preparing } from './market.ts';
import { bring, stepsOf } from './steps.ts';

const day = 86_400;

/** A delivery that its poster disputes. */
async function dispute(): Promise<string> {
  const taskId = await bring('delivered', '1000');
  await preparing.act('open-dispute', 'newcomer', { taskId, evidenceText: 'A bird is missing.' });
  return taskId;
}

const answer = { evidenceText: 'All birds are there.' };

test('an arbitrator bonds, both name it, it rules, and its bond comes free', async () => {
  const { act, prepareCalls, addressOf, advance } = preparing;
  await act('register-arbitrator', 'treasury', { amountTok: '10000', minHeldTok: '7' });
  const taskId = await bring('delivered', '1000');
  const { prepared } = await act('open-dispute', 'newcomer', {
    taskId,
    evidenceText: 'A bird is missing.',
  });
  const fields = { taskId, name: 'A bird is missing.', description: 'A bird is missing.' };
  const { hash, uri } = buildDocument('svc-evidence-v1', { ...fields, artifacts: [] });
  assert.deepEqual([prepared.evidenceHash, prepared.uri], [hash, uri]);
  assert.match(JSON.stringify(prepared.steps), /Allow the payment gateway to take 50 TOK/);
  const arbitrator = addressOf('treasury');
  await act('propose-arbitrator', 'newcomer', { taskId, arbitrator });
  const unheard = await prepareCalls('submit-evidence', 'newcomer', { taskId, nothingToAdd: true });
  assert.match(String(unheard.warnings), /^Nobody is in office yet to hear this: it has no effect/);
  assert.match(unheard.steps[0]?.summary ?? '', /^Say that you have nothing to add to the dispute of task/);
  const answered = await act('answer-dispute', 'visitor', { taskId, ...answer });
  assert.match(JSON.stringify(answered.prepared.steps), /Allow the payment gateway to take 50 TOK/);
  await act('propose-arbitrator', 'visitor', { taskId, arbitrator });
  await act('submit-evidence', 'newcomer', { taskId, evidenceText: 'The photograph, enlarged.' });
  const ruling = { taskId, workerBps: 10_000, reasonText: 'All birds are there.' };
  const early = await prepareCalls('resolve-dispute', 'treasury', ruling);
  assert.match(JSON.stringify(early.simulation), /TooEarly/, 'the worker was not heard');
  await act('submit-evidence', 'visitor', { taskId, nothingToAdd: true });
  const { prepared: ruled } = await act('resolve-dispute', 'treasury', ruling);
  assert.match(String(ruled.money), /1000 TOK from escrow to the worker/);
  await act('unbond-arbitrator', 'treasury');
  const back = await prepareCalls('register-arbitrator', 'treasury', { amountTok: '1' });
  assert.equal(back.steps.at(-1)?.args.minHeld, String(parseTok('7')), 'the least amount stays as it was');
  assert.match(String(back.warnings), /ends your unbonding/);
  await advance(14 * day + 1);
  await act('withdraw-bond', 'treasury');
});

test('a sponsor puts up the bond, and the worker who concedes loses half of it', async () => {
  const { act, prepare, taskOf, addressOf } = preparing;
  const taskId = await dispute();
  const sponsored = await stepsOf(taskId, 'shop');
  assert.deepEqual(
    sponsored.map(({ action, as, when }) => `${action} ${as} ${when}`),
    ['answer-dispute sponsor now', 'resolve-timed-out anyone later'],
  );
  for (const [more, message] of [
    [answer, /only the worker speaks for its side/],
    [{ ...answer, withoutBond: true }, /withoutBond: only the worker/],
  ] as const)
    await assert.rejects(prepare('answer-dispute', { taskId, ...more, from: addressOf('shop') }), {
      code: 'ARGUMENTS_INVALID',
      message,
    });
  const { prepared } = await act('answer-dispute', 'shop', { taskId });
  assert.match(String(prepared.warnings), /you have no say/);
  assert.equal((await taskOf(taskId)).dispute?.workerPayer, addressOf('shop'));
  const conceding = (await stepsOf(taskId, 'visitor')).find(({ action }) => action === 'concede');
  assert.match(conceding?.risk ?? '', /half of your dispute bond, 25 TOK/);
  await act('concede', 'visitor', { taskId });
});

test('a poster without a bond is heard by the fallback arbitrator, and pays a fee out of what it gets back', async () => {
  const { act, addressOf, taskOf } = preparing;
  const taskId = await bring('delivered', '1000');
  const evidenceText = 'A bird is missing.';
  const { prepared } = await act('open-dispute', 'newcomer', { taskId, evidenceText, withoutBond: true });
  assert.match(JSON.stringify(prepared.steps), /Dispute the delivery of task [0-9]+ without a bond/);
  const { dispute: found } = await taskOf(taskId);
  assert.deepEqual(
    [found?.phase, found?.judge, found?.posterPayer],
    ['ESCALATED', addressOf('fallback'), null],
  );
  for (const side of ['newcomer', 'visitor'] as const)
    await act('submit-evidence', side, { taskId, nothingToAdd: true });
  await act('resolve-dispute', 'fallback', { taskId, workerBps: 4_000, reasonText: 'Four of ten.' });
});

test('a concession that was prepared before the answer does not land after it', async () => {
  const { act, prepareCalls, access } = preparing;
  const taskId = await dispute();
  const { calls } = await prepareCalls('concede', 'newcomer', { taskId });
  await act('answer-dispute', 'visitor', { taskId, ...answer });
  const simulation = await access.reads.simulate(preparing.addressOf('newcomer'), calls);
  assert.match(
    JSON.stringify(simulation, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    /WrongPhase/,
  );
  await act('concede', 'newcomer', { taskId });
});

test('the owner names a fallback arbitrator, who accepts', async () => {
  const { act, addressOf } = preparing;
  const { prepared } = await act('schedule-fallback', 'operator', { next: addressOf('shop') });
  assert.match(String(prepared.warnings), /until the named wallet accepts/);
  await act('accept-fallback', 'shop');
});

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

test('the court takes exactly the arbitrators that the rule allows', async () => {
  const { act, addressOf, taskOf, prepareCalls, rpc, access } = preparing;
  const contracts = access.contracts.standard;
  const taskId = await bring('delivered', '1000');
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
  for (const who of ['newcomer', 'visitor', 'shop', 'treasury'] as const) await act('unbond-arbitrator', who);
  assert.equal((await taskOf(taskId)).worker, addressOf('visitor'));
});
