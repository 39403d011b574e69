// No order of events spends more than a policy allows: concurrency, kills, restarts, clocks.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { encodeTopUp } from '#sdk/actions/collateral.ts';
import { windowMs } from '#service/policy/decisionLog.ts';
import { callsOf, createPath, from, fund, payment, standard, start, tok, usdc } from './guarding.ts';

export function testEvents(): void {
  test('concurrent requests cannot exceed a limit together, with several guards over one file', async (context) => {
    const path = createPath(context);
    const guards = Array.from({ length: 4 }, () => start({ actions: { 'x402-payment': {} } }, path));
    context.after(() => {
      for (const { ledger } of guards) ledger.close();
    });
    const signed = await Promise.all(
      Array.from({ length: 40 }, (_, at) => guards[at % 4]?.isSigned(payment(usdc(4)))),
    );
    assert.equal(signed.filter(Boolean).length, 12, '12 times 4 of 50');
  });

  test('a restarted server remembers what it spent', async (context) => {
    const path = createPath(context);
    const before = start({}, path);
    assert.equal(await before.isSigned(callsOf(fund(tok(1_500)))), true);
    before.ledger.close();
    const after = start({}, path, undefined, before.saved);
    context.after(after.ledger.close);
    assert.equal(await after.isSigned(callsOf(fund(tok(501)))), false);
    assert.equal(await after.isSigned(callsOf(fund(tok(500)))), true);
  });

  test('killed between reserving and sending: only what was surely never signed is given back', async (context) => {
    const path = createPath(context);
    const killed = start({}, path);
    await killed.submit(callsOf(fund(tok(900))), null);
    await killed.submit(callsOf(fund(tok(900))), 'submitted');
    killed.ledger.close();
    const after = start({}, path, undefined, killed.saved);
    context.after(after.ledger.close);
    assert.equal(await after.isSigned(callsOf(fund(tok(1_101)))), false, 'what was sent still counts');
    assert.equal(await after.isSigned(callsOf(fund(tok(1_100)))), true, 'what was never saved is given back');
  });

  test('a request that failed unsigned is given back, one that was signed is not', async () => {
    const { guard, submit, isSigned } = start();
    const unsigned = await submit(callsOf(fund(tok(2_000))), 'failed');
    guard.ended(unsigned.id, true);
    guard.ended(unsigned.id, true);
    const failed = await submit(callsOf(fund(tok(2_000))), 'failed');
    guard.ended(failed.id, false);
    guard.ended(failed.id, true);
    assert.equal(await isSigned(callsOf(fund(1n))), false);
  });

  test('a clock that is set back opens no new day; a day later the budget is there again', async () => {
    let time = 10 * windowMs;
    const { isSigned } = start({}, undefined, () => time);
    assert.equal(await isSigned(callsOf(fund(tok(2_000)))), true);
    for (const moved of [-windowMs, -9 * windowMs, windowMs - 1]) {
      time = 10 * windowMs + moved;
      assert.equal(await isSigned(callsOf(fund(1n))), false, String(moved));
    }
    time = 11 * windowMs;
    assert.equal(await isSigned(callsOf(fund(tok(2_000)))), true);
  });

  test('a clock that runs 25 hours ahead of the chain opens no new day', async () => {
    const noon = 10 * windowMs;
    const clock = { local: noon, chain: noon };
    const { isSigned } = start(
      {},
      undefined,
      () => clock.local,
      undefined,
      async () => clock.chain / 1_000,
    );
    assert.equal(await isSigned(callsOf(fund(tok(2_000)))), true);
    clock.local = noon + 25 * 3_600_000;
    assert.equal(await isSigned(callsOf(fund(1n))), false);
    clock.local = noon;
    clock.chain = noon + 25 * 3_600_000;
    assert.equal(await isSigned(callsOf(fund(1n))), false, 'a chain that runs ahead opens none either');
    clock.local = noon + windowMs;
    assert.equal(await isSigned(callsOf(fund(tok(2_000)))), true);
  });

  test('several requests are tried together, and nothing is reserved', async () => {
    const { guard, isSigned, ledger } = start();
    const [half, more] = [callsOf(fund(tok(1_000))), callsOf(fund(tok(1_001)))];
    assert.deepEqual(await guard.tryAll([half, half]), []);
    assert.match((await guard.tryAll([half, more])).join(' '), /perDay/);
    assert.deepEqual(ledger.list(10), []);
    assert.equal(await isSigned(half), true);
    assert.match((await guard.tryAll([half, half])).join(' '), /perDay/, 'what was spent counts');
  });

  test('the log keeps every row', async (context) => {
    const path = createPath(context);
    const { isSigned, ledger } = start({}, path);
    await isSigned(callsOf(encodeTopUp(standard, usdc(1))));
    ledger.close();
    const database = new DatabaseSync(path);
    context.after(() => database.close());
    for (const attack of ["UPDATE entry SET kind = 'released'", 'DELETE FROM entry'])
      assert.throws(() => database.exec(attack), /never/);
  });

  test('a dry run signs nothing and says what would happen, over the whole day', async () => {
    const { submit, asked, ledger } = start({ mode: 'dry-run' });
    await assert.rejects(submit(callsOf(fund(tok(2_000)))), {
      code: 'POLICY_DRY_RUN',
      message: /would sign this/,
    });
    await assert.rejects(submit(callsOf(fund(1n))), {
      code: 'POLICY_DRY_RUN',
      message: /owner would be asked: perDay/,
    });
    assert.equal(asked.length, 0);
    assert.deepEqual(ledger.loadSpent(from), []);
  });
}
