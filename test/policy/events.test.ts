// No order of events spends more than a policy allows: concurrency, kills, restarts, clocks.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { numberToHex } from 'viem';
import { encodeTopUp } from '#sdk/actions/collateral.ts';
import type { TaskTerms } from '#sdk/domain/terms.ts';
import { windowMs } from '#service/policy/decisionLog.ts';
import {
  agreeTo,
  callsOf,
  createPath,
  fee,
  from,
  fund,
  payment,
  standard,
  start,
  tok,
  usdc,
} from './guarding.ts';

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
  const readNow = async () => clock.chain / 1_000;
  const { isSigned } = start({}, undefined, () => clock.local, undefined, { readNow });
  assert.equal(await isSigned(callsOf(fund(tok(2_000)))), true);
  clock.local = noon + 25 * 3_600_000;
  assert.equal(await isSigned(callsOf(fund(1n))), false);
  clock.local = noon;
  clock.chain = noon + 25 * 3_600_000;
  assert.equal(await isSigned(callsOf(fund(1n))), false, 'a chain that runs ahead opens none either');
  clock.local = noon + windowMs;
  assert.equal(await isSigned(callsOf(fund(tok(2_000)))), true);
});

/** A wallet whose clock and chain the test moves. `ends` is what the chain says of terms, by their salt. */
function promise(day = { tok: tok(2_000), usdc: usdc(1_000) }) {
  const noon = 10 * windowMs;
  const clock = { local: noon, chain: noon };
  const ends = new Map<string, 'used' | 'revoked'>();
  const limits = { perAction: day, perDay: day, perCounterparty: day, maxTaskTok: day.tok };
  const wallet = start(limits, undefined, () => clock.local, undefined, {
    readNow: async () => clock.chain / 1_000,
    readTermsEnd: async (_, { salt, acceptBy }) => {
      if (ends.get(salt) === 'used') return 'used';
      return ends.has(salt) || clock.chain / 1_000 > acceptBy ? 'void' : null;
    },
  });
  const saltAt = (number: number) => numberToHex(number, { size: 32 });
  const sign = (totalAmount: bigint, hours: number, salt = 1, changed: Partial<TaskTerms> = {}) => {
    const acceptBy = BigInt(noon / 1_000 + hours * 3_600);
    const own = { totalAmount, acceptBy, salt: saltAt(salt), ...changed };
    return wallet.isSigned(agreeTo(own));
  };
  const pass = (hours: number) => {
    clock.local = clock.chain = noon + hours * 3_600_000;
  };
  return {
    ...wallet,
    clock,
    ends,
    saltAt,
    sign,
    pass,
    canPay: (amount: bigint) => wallet.isSigned(callsOf(fund(amount))),
  };
}

test('signed terms count until acceptBy, also after a day, and then no longer; the chain decides when', async () => {
  for (const total of [tok(900), 2n ** 96n - 1n - fee]) {
    const day = { tok: total + fee, usdc: usdc(1_000) };
    const week = promise(day);
    assert.equal(await week.sign(total, 7 * 24), true);
    for (const hours of [0, 23, 25, 6 * 24, 7 * 24]) {
      week.pass(hours);
      assert.equal(await week.canPay(1n), false, `${hours} hours later`);
    }
    week.pass(7 * 24 + 1);
    assert.equal(await week.canPay(day.tok), true, 'nobody can use them any more');
    const hour = promise(day);
    assert.equal(await hour.sign(total, 1), true);
    hour.clock.local += 40 * windowMs;
    assert.equal(await hour.canPay(1n), false, 'a clock that runs ahead gives nothing back');
    hour.pass(2);
    hour.clock.local -= 3 * windowMs;
    assert.equal(await hour.canPay(day.tok), true);
    assert.equal(await hour.canPay(1n), false, 'and gives it back once');
    hour.pass(3);
    assert.equal(await hour.canPay(1n), false);
  }
});

test('terms that were taken back count no longer, those that became a task count for a day from then', async () => {
  const { sign, canPay, ends, saltAt, pass, guard } = promise({ tok: tok(4_000), usdc: usdc(1_000) });
  const left = tok(4_000 - 900) - fee;
  assert.equal(await sign(tok(900), 7 * 24, 1), true);
  assert.equal(await sign(tok(900), 7 * 24, 2), true);
  assert.equal(await canPay(left), false);
  ends.set(saltAt(1), 'revoked');
  const atOnce = await Promise.all([left + 1n, left + 1n, left + 1n].map(canPay));
  assert.deepEqual(atOnce, [false, false, false], 'three at once give one back, and the other one counts');
  assert.deepEqual(await guard.tryAll([callsOf(fund(left))]), []);
  assert.equal(await canPay(left), true);
  assert.equal(await canPay(1n), false);
  ends.set(saltAt(2), 'used');
  for (const hours of [30, 53]) {
    pass(hours);
    assert.equal(await canPay(left + 1n), false, 'a task came out of them, which was seen after 30 hours');
  }
  pass(55);
  assert.equal(await canPay(tok(4_000)), true);
});

test('terms that could be used later than in 14 days are refused; while the chain does not answer they count', async () => {
  const { sign } = promise();
  for (const acceptBy of [2n ** 64n - 1n, BigInt(10 * windowMs) / 1_000n + 14n * 86_400n + 1n])
    await assert.rejects(sign(tok(1), 0, 1, { acceptBy }), { code: 'POLICY_REFUSED' });
  assert.equal(await sign(tok(1), 14 * 24), true);
  const silent = start({}, undefined, undefined, undefined, {
    readTermsEnd: () => Promise.reject(new Error('no answer')),
  });
  const acceptBy = BigInt(Math.floor(Date.now() / 1_000) - 3_600);
  assert.equal(await silent.isSigned(agreeTo({ acceptBy })), true);
  assert.equal(await silent.isSigned(callsOf(fund(tok(2_000)))), false);
});

test('a payment that could be kept for the next day, to be taken with that of then, is refused', async () => {
  const readNow = async () => 1_000_000;
  const { submit, isSigned } = start({ actions: { 'x402-payment': {} } }, undefined, undefined, undefined, {
    readNow,
  });
  await assert.rejects(submit(payment(usdc(50), {}, 1_003_601n)), { code: 'POLICY_REFUSED' });
  assert.equal(await isSigned(payment(usdc(50), {}, 1_003_600n)), true);
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
