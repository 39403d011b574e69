// Proves that nobody pays for nothing: authorizations that others send first, answers that get lost, and a gateway that
// dies between the settlement and its answer.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { createRpc, type Rpc } from '#sdk/chain/rpc.ts';
import { type Payment, paymentSchema } from '#service/contract/paymentSchemas.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { multicall3Address } from '#service/devnet/canonical.ts';
import { createLocalFacilitator, type Facilitator } from '#service/payments/facilitator.ts';
import { type RefundNeeds, refundPayment } from '#service/payments/refund.ts';
import { createPaymentService } from '#service/payments/takePayments.ts';
import { buildRequirementV2, type Offer } from '#service/payments/x402.ts';
import { createPaymentLedger } from '#service/store/paymentLedger.ts';
import { createPaymentNames } from '#service/store/paymentNames.ts';
import { createPaymentStore } from '#service/store/payments.ts';
import type { Cast, Party } from './support/cast.ts';
import { ask } from './support/devnet.ts';
import type { TestGateway } from './support/gateway.ts';
import { earnedBy, payTo, readUsdc, startTrade } from './support/paying.ts';
import { until } from './support/until.ts';
import { argumentsOf, decode, payV2, type SignedAuthorization, signAuthorization } from './support/x402.ts';

let gateway: TestGateway;
let cast: Cast;
let local: Facilitator;
before(async () => {
  ({ gateway, cast } = await startTrade());
  const { rpcUrl } = gateway.devnet;
  local = createLocalFacilitator({
    rpc: createRpc({ urls: [rpcUrl] }),
    chainId: 8453,
    key: accountOf('treasury').privateKey,
  });
});
after(() => gateway.close());
// What one test leaves unanswered would pay for the next.
beforeEach(async () => {
  world.skipped = 0;
  await gateway.site().market.database.write('DELETE FROM payments');
});

const batchAbi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'function aggregate3(Call[] calls)',
]);

const world = { skipped: 0 };
function createPayments(facilitator: Partial<Facilitator> = {}, confirmations = 1, node?: Rpc) {
  const { database, rpc, now } = gateway.site().market;
  return createPaymentService({
    store: createPaymentStore(database),
    names: createPaymentNames(database),
    ledger: createPaymentLedger(database),
    confirmations,
    facilitator: { ...local, ...facilitator },
    rpc: node ?? rpc,
    minedMs: 1_000,
    now: () => now() + world.skipped,
  });
}

const offerOf = (): Offer => ({
  price: {
    amount: 10_000n,
    asset: gateway.devnet.deployment.usdc,
    payTo,
    chainId: 8453,
    domain: gateway.devnet.deployment.usdcDomain,
  },
  url: 'http://gateway.example/claim',
  description: 'a claim',
  timeouts: [300],
  discovery: { method: 'POST' },
});

async function sign(parts: object = {}): Promise<{ payment: Payment; signed: SignedAuthorization }> {
  const signed = await signAuthorization(cast.worker.account, { to: payTo, ...parts });
  const header = payV2(signed)['PAYMENT-SIGNATURE'] ?? null;
  return { payment: paymentSchema.parse(decode(header)), signed };
}

/** Anybody can: the authorization itself says who pays whom. */
async function sendAuthorization(by: Party, signed: SignedAuthorization): Promise<Hex> {
  const { transactionHash } = await by.write(
    cast.contracts.usdc,
    'transferWithAuthorization',
    argumentsOf(signed),
  );
  return transactionHash;
}

type Payments = ReturnType<typeof createPayments>;
const hold = (payments: Payments, payment: Payment, purpose = 'claim') =>
  payments.hold(payment, offerOf(), purpose);
const settle = async (payments: Payments, payment: Payment, purpose?: string) =>
  (await hold(payments, payment, purpose)).settle();
const unpaid = { code: 'PAYMENT_REQUIRED' };

/** Does the work, and checks what the payee got by it. */
async function expectEarned(amount: bigint, work: () => Promise<unknown>): Promise<void> {
  assert.equal(await earnedBy(cast, work), amount);
}

describe('an authorization that somebody else sends first', () => {
  test('counts for nothing here: another gateway may have given its answer for it', async () => {
    const { payment, signed } = await sign();
    const payments = createPayments({
      settle: async (...args) => {
        await sendAuthorization(cast.poster, signed);
        return local.settle(...args);
      },
    });
    await expectEarned(10_000n, async () => {
      await assert.rejects(settle(payments, payment), { ...unpaid, message: /somebody else has settled/ });
      await assert.rejects(settle(createPayments(), payment), unpaid);
    });
  });
});

/** The same authorization with another signature. */
const forge = (payment: Payment, signed: SignedAuthorization) =>
  paymentSchema.parse({ ...payment, payload: { ...signed, signature: `0x${'12'.repeat(65)}` } });

describe('a gateway that dies over a settlement', () => {
  /** What is left to a second gateway process on the same rows, once the first one's hold is over. */
  async function resume(payment: Payment): Promise<string> {
    world.skipped += 21;
    const again = await hold(createPayments(), payment);
    const { transaction } = await again.settle();
    await again.answer('{}');
    world.skipped += 21;
    await assert.rejects(hold(createPayments(), payment), { message: /has been used/ });
    return transaction;
  }

  test('between the note and the sending sends again, and charges once', async () => {
    const { payment } = await sign();
    const payments = createPayments({
      settle: async (_payment, _requirement, note) => {
        await note(`0x${'5a'.repeat(32)}`);
        throw new Error('here it dies');
      },
    });
    await expectEarned(10_000n, async () => {
      await assert.rejects(settle(payments, payment));
      await resume(payment);
    });
  });

  test('between the sending and the block finds its transaction, and charges once', async () => {
    const { payment } = await sign();
    const before = await readUsdc(cast, payTo);
    const noted: string[] = [];
    await ask(cast.client, 'evm_setAutomine', false);
    const payments = createPayments({
      settle: (one, requirement, note) => {
        const kept = (hash: Hex) => note(hash).then(() => void noted.push(hash));
        void local.settle(one, requirement, kept).catch(() => undefined);
        return new Promise(() => undefined);
      },
    });
    void settle(payments, payment).catch(() => undefined);
    await until(async () => {
      const [hash] = noted as Hex[];
      return hash !== undefined && (await cast.client.getTransaction({ hash }).catch(() => null)) !== null;
    });
    const resumed = resume(payment);
    await pause(300);
    await ask(cast.client, 'evm_setAutomine', true);
    await ask(cast.client, 'evm_mine');
    assert.deepEqual(noted, [await resumed]);
    assert.equal((await readUsdc(cast, payTo)) - before, 10_000n);
  });
});

const remote = (parts: Partial<Facilitator>) =>
  createPayments({ isSender: async (one) => one.toLowerCase() === payTo.toLowerCase(), ...parts });

describe('a facilitator elsewhere', () => {
  test('that refuses has settled nothing for us, although its account did for somebody else', async () => {
    const { payment } = await sign();
    const payments = remote({
      settle: async (one, requirement) => {
        await local.settle(one, requirement, async () => undefined);
        return { txHash: null, reason: 'invalid_exact_evm_nonce_already_used' };
      },
    });
    for (let times = 0; times < 2; times++) await assert.rejects(settle(payments, payment), unpaid);
  });

  test('whose answer is lost has settled for us, if the transaction is of its own account', async () => {
    for (const isOwn of [true, false]) {
      const { payment, signed } = await sign();
      const payments = remote({
        settle: async (one, requirement) => {
          if (isOwn) await local.settle(one, requirement, async () => undefined);
          else await sendAuthorization(cast.poster, signed);
          throw new Error('the line is dead');
        },
      });
      if (isOwn) assert.equal((await settle(payments, payment)).success, true);
      else await assert.rejects(settle(payments, payment), unpaid);
    }
  });

  test('is not believed about a transaction that did not pay us', async () => {
    const other = await sendAuthorization(cast.poster, (await sign()).signed);
    const payments = remote({ settle: async () => ({ txHash: other, reason: '' }) });
    await assert.rejects(settle(payments, (await sign()).payment), unpaid);
  });
});

test('one transfer does not pay for the numbers that were used up beside it', async () => {
  const unsettled = createPayments({ settle: async () => ({ txHash: null, reason: 'later' }) });
  const wanted = await Promise.all([sign(), sign()]);
  for (const { payment } of wanted) await assert.rejects(settle(unsettled, payment), unpaid);
  const decoys = wanted.map(({ signed: { authorization } }) =>
    signAuthorization(cast.worker.account, {
      to: cast.worker.address,
      value: '0',
      nonce: authorization.nonce,
    }),
  );
  const paid = await sign();
  const batch = [...(await Promise.all(decoys)), paid.signed];
  const calls = batch.map((signed) => ({
    target: cast.contracts.usdc.address,
    allowFailure: false,
    callData: encodeFunctionData({
      abi: cast.contracts.usdc.abi,
      functionName: 'transferWithAuthorization',
      args: argumentsOf(signed),
    }),
  }));
  let txHash: Hex = '0x';
  await expectEarned(10_000n, async () => {
    const batched = { address: multicall3Address, abi: batchAbi };
    ({ transactionHash: txHash } = await cast.worker.write(batched, 'aggregate3', [calls]));
  });
  // Neither where this gateway looks for its own transaction, nor where a facilitator names that one.
  const naming = remote({ settle: async () => ({ txHash, reason: '' }) });
  for (const { payment } of wanted)
    for (const payments of [createPayments(), naming])
      await assert.rejects(settle(payments, payment), unpaid);
});

describe('a settlement whose answer is lost', () => {
  test('on the way to the payer can be asked for again and is not charged again', async () => {
    const { payment } = await sign();
    const payments = createPayments();
    await expectEarned(10_000n, async () => {
      const { transaction } = await settle(payments, payment);
      // Here the process dies: it neither answers nor lets go.
      await assert.rejects(hold(payments, payment), { message: /being settled/ });
      await assert.rejects(hold(payments, payment, 'claim other'), { message: /something else/ });
      world.skipped += 21;
      const again = await hold(createPayments(), payment);
      assert.equal((await again.settle()).transaction, transaction);
      assert.equal(await payments.findAnswer(payment, offerOf(), 'claim'), null);
      await again.answer('{"calls":[]}');
      world.skipped += 21;
      const found = await createPayments().findAnswer(payment, offerOf(), 'claim');
      assert.deepEqual([found?.body, found?.settlement.transaction], ['{"calls":[]}', transaction]);
      assert.equal(await payments.findAnswer(payment, offerOf(), 'claim other'), null);
      await assert.rejects(hold(payments, payment), { message: /has been used/ });
    });
  });

  test('is given by one of two who hold it, one for too long, however they are mixed', async () => {
    const { payment } = await sign();
    const payments = createPayments();
    const slow = await hold(payments, payment);
    // Here its process stands still, or the chain's clock jumps ahead.
    world.skipped += 21;
    const quick = await hold(payments, payment);
    await expectEarned(10_000n, async () => {
      await Promise.all([slow.settle(), quick.settle()]);
      await assert.rejects(slow.answer('{}'), { ...unpaid, message: /somebody else/ });
      await quick.answer('{}');
      await assert.rejects(hold(payments, payment), { message: /has been used/ });
    });
  });

  test('cannot be taken by somebody who knows its number alone', async () => {
    const { payment, signed } = await sign();
    await settle(createPayments(), payment);
    world.skipped += 21;
    const forged = forge(payment, signed);
    await assert.rejects(hold(createPayments(), forged), { message: /not the one/ });
    const own = await hold(createPayments(), payment);
    await own.settle();
    await own.answer('{}');
    assert.equal(await createPayments().findAnswer(forged, offerOf(), 'claim'), null);
  });
});

describe('money that nothing was given for', () => {
  test('pays for the next claim of its payer, though nobody saw its receipt, and is charged once', async () => {
    const { payment } = await sign();
    const next = await sign();
    const blind = createPayments({
      settle: async (one, requirement, note) => {
        await local.settle(one, requirement, note);
        throw new Error('the receipt was not seen');
      },
    });
    // Two payments are signed, and one is taken.
    await expectEarned(10_000n, async () => {
      // Another wallet claims the task meanwhile: the gateway comes to settle, and never again to this claim.
      await settle(blind, payment, 'claim v2:standard:1').catch(() => undefined);
      world.skipped += 21;
      const held = await hold(createPayments(), next.payment, 'claim v2:standard:2');
      await held.settle();
      await held.answer('{}');
    });
    world.skipped += 21;
    for (const [used, task] of [
      [payment, 1],
      [next.payment, 2],
    ] as const)
      await assert.rejects(hold(createPayments(), used, `claim v2:standard:${task}`), {
        message: /has been used/,
      });
  });

  test('is not given away to a forged payment, and the price of today counts', async () => {
    const { payment } = await sign();
    await settle(createPayments(), payment, 'claim v2:standard:1');
    world.skipped += 21;
    const forged = forge(payment, (await sign()).signed);
    await assert.rejects(hold(createPayments(), forged, 'claim v2:standard:2'), unpaid);
    const offer = { ...offerOf(), price: { ...offerOf().price, amount: 20_000n } };
    const dear = await signAuthorization(cast.worker.account, { to: payTo, value: '20000' });
    const accepted = buildRequirementV2(offer);
    const more = paymentSchema.parse({ x402Version: 2, accepted, payload: dear });
    await expectEarned(20_000n, async () =>
      (await createPayments().hold(more, offer, 'claim v2:standard:2')).settle(),
    );
  });

  test('pays for the next claim of a payer who has nothing else, and for nobody who only knows its address', async () => {
    const [{ payment }, next] = await Promise.all([sign(), sign()]);
    const { transaction } = await settle(createPayments(), payment, 'claim v2:standard:1');
    world.skipped += 21;
    const { usdc } = cast.contracts;
    const rest = await readUsdc(cast, cast.worker.address);
    await cast.worker.write(usdc, 'transfer', [cast.poster.address, rest]);
    try {
      const forged = forge(payment, (await sign()).signed);
      const poor = { ...unpaid, message: /less USDC/ };
      await assert.rejects(hold(createPayments(), forged, 'claim v2:standard:2'), unpaid);
      // A facilitator elsewhere may look at the balance first.
      const hasty = createPayments({
        verify: async () => ({ isValid: false, reason: 'invalid_exact_evm_insufficient_balance' }),
      });
      await assert.rejects(hold(hasty, forged, 'claim v2:standard:2'), poor);
      const held = await hold(hasty, next.payment, 'claim v2:standard:2');
      assert.equal((await held.settle()).transaction, transaction);
      await held.answer('{}');
      await assert.rejects(hold(createPayments(), (await sign()).payment, 'claim v2:standard:3'), poor);
    } finally {
      await cast.poster.write(usdc, 'transfer', [cast.worker.address, rest]);
    }
  });

  test('pays for the next claim also where the operator has another account by now, and can be refunded', async () => {
    const { payment } = await sign();
    const { transaction } = await settle(createPayments(), payment, 'claim v2:standard:1');
    world.skipped += 21;
    const offer = { ...offerOf(), price: { ...offerOf().price, payTo: accountOf('visitor').address } };
    const signed = await signAuthorization(cast.worker.account, { to: offer.price.payTo });
    const accepted = buildRequirementV2(offer);
    const next = paymentSchema.parse({ x402Version: 2, accepted, payload: signed });
    for (const _ of ['first', 'again']) {
      const held = await createPayments().hold(next, offer, 'claim v2:standard:2');
      assert.equal((await held.settle()).transaction, transaction);
      world.skipped += 21;
    }
    const before = await readUsdc(cast, cast.worker.address);
    await refundTo(keyOf(signed));
    assert.equal((await readUsdc(cast, cast.worker.address)) - before, 10_000n);
  });

  test('is known after a look at the chain, and what expired unsent is closed', async () => {
    const { database, now } = gateway.site().market;
    const ledger = createPaymentLedger(database);
    const [paid, unsent] = await Promise.all([sign(), sign()]);
    const dying = createPayments({
      settle: async (one, requirement, note) => {
        if (one.payload.signature === paid.signed.signature) await local.settle(one, requirement, note);
        return new Promise(() => undefined);
      },
    });
    for (const { payment } of [paid, unsent]) {
      const held = await hold(dying, payment);
      void held.settle().catch(() => undefined);
    }
    await until(async () => (await database.query('SELECT * FROM payment_transactions')).length > 0);
    const { reconcile } = createPayments();
    const { usdc } = gateway.devnet.deployment;
    const later = now() + world.skipped + 90;
    await until(async () => (await reconcile(later, usdc)).settled === 1);
    assert.deepEqual(await reconcile(later, usdc), { settled: 0, void: 0 });
    assert.deepEqual(await reconcile(later + 1_800, usdc), { settled: 0, void: 1 });
    const [entry, ...rest] = await ledger.listOpen(later, { limit: 9 });
    assert.deepEqual([entry?.state, entry?.nonce], ['settled', paid.signed.authorization.nonce]);
    assert.deepEqual(rest, []);
    world.skipped += 21;
  });
});

const keyOf = ({ authorization }: SignedAuthorization) => ({
  payer: cast.worker.address,
  nonce: authorization.nonce as Hex,
});

function refundTo(key: ReturnType<typeof keyOf>, parts: Partial<RefundNeeds> = {}): Promise<Hex> {
  const { database, rpc, now } = gateway.site().market;
  const ledger = createPaymentLedger(database);
  const { deployment } = gateway.devnet;
  const needs = { ledger, rpc, deployment, key: accountOf('treasury').privateKey, ...parts };
  return refundPayment(needs, key, now() + world.skipped);
}

test('a refund goes back to the payer once: not while the payment is used, not twice, and not beside a use', async () => {
  const { database } = gateway.site().market;
  const ledger = createPaymentLedger(database);
  const { payment, signed } = await sign();
  const key = keyOf(signed);
  const refund = (parts: Partial<RefundNeeds> = {}) => refundTo(key, { ledger, ...parts });
  await assert.rejects(refund(), { code: 'REFUND_REFUSED', message: /no such payment/ });
  const before = await readUsdc(cast, cast.worker.address);
  await settle(createPayments(), payment);
  await assert.rejects(refund(), { code: 'REFUND_REFUSED', message: /in use/ });
  world.skipped += 21;
  const poor = `0x${'77'.repeat(32)}` as const;
  await assert.rejects(refund({ key: poor }), { code: 'REFUND_REFUSED', message: /has 0 USDC/ });
  // Killed after the transfer: the row does not know of it.
  const dying = { ...ledger, endRefund: () => Promise.reject(new Error('here it dies')) };
  await assert.rejects(refund({ ledger: dying }), /here it dies/);
  await assert.rejects(hold(createPayments(), payment), unpaid);
  // As blocks go, the refund was sent long after the payment, and this is long after the refund.
  await database.write('UPDATE payments SET since_block = since_block - 60000');
  const { rpc } = gateway.site().market;
  const askLater: Rpc['ask'] = async (request) => {
    const answer = await rpc.ask(request);
    if (!request.params.includes('latest')) return answer;
    const block = answer as { readonly number: bigint };
    return { ...answer, number: block.number + 60_000n };
  };
  const txHash = await refund({ rpc: { ...rpc, ask: askLater } });
  assert.equal((await ledger.load(key))?.refundHash, txHash);
  await assert.rejects(refund(), { code: 'REFUND_REFUSED' });
  assert.equal(await readUsdc(cast, cast.worker.address), before, 'charged once, refunded once');
  await settle(createPayments(), (await sign()).payment, 'claim v2:standard:2');
  assert.equal(before - (await readUsdc(cast, cast.worker.address)), 10_000n, 'no credit is left');
});

test('money that a fork took away pays for nothing else and is not refunded; its payment can be sent again', async () => {
  const [lost, next, later] = await Promise.all([sign(), sign(), sign()]);
  const payments = createPayments();
  const snapshot = await ask(cast.client, 'evm_snapshot');
  await settle(payments, lost.payment);
  world.skipped += 21;
  await ask(cast.client, 'evm_revert', snapshot);
  await assert.rejects(refundTo(keyOf(lost.signed)), { code: 'REFUND_REFUSED', message: /not on the chain/ });
  for (const [at, { payment }] of [next, later, lost].entries())
    await expectEarned(10_000n, async () => {
      const held = await hold(payments, payment, payment === lost.payment ? 'claim' : `claim ${at}`);
      await held.settle();
      await held.answer('{}');
    });
});

test('payments that a fork took away after they were answered are counted, and sent again while they are good', async () => {
  // Far longer than the test takes; the clock is moved past the first of them.
  const [long, short] = [3_000, 1_500].map((seconds) => ({
    validBefore: String(Math.floor(Date.now() / 1_000) + seconds),
  }));
  const [lost, expired] = await Promise.all([sign(long), sign(short)]);
  const payments = createPayments();
  const { usdc } = gateway.devnet.deployment;
  const before = await readUsdc(cast, payTo);
  const snapshot = await ask(cast.client, 'evm_snapshot');
  for (const [at, { payment }] of [lost, expired].entries()) {
    const held = await hold(payments, payment, `claim ${at}`);
    await held.settle();
    await held.answer('{}');
  }
  world.skipped += 61;
  assert.equal(await payments.recover(usdc), 0, 'nothing is lost yet');
  await ask(cast.client, 'evm_revert', snapshot);
  assert.equal(await readUsdc(cast, payTo), before, 'the chain has lost both');
  world.skipped += 1_500;
  assert.equal(await payments.recover(usdc), 1, 'nobody can send the one that has expired');
  assert.equal((await readUsdc(cast, payTo)) - before, 10_000n, 'the other one is here again');
  assert.equal(await payments.recover(usdc), 1);
  assert.equal((await readUsdc(cast, payTo)) - before, 10_000n, 'once');
  // Its reply names the transaction that the chain has.
  const { settlement } = (await payments.findAnswer(lost.payment, offerOf(), 'claim 0')) ?? assert.fail();
  const receipt = await cast.client.getTransactionReceipt({ hash: settlement.transaction as Hex });
  assert.equal(receipt.status, 'success');
  world.skipped += 86_400;
  assert.equal(await payments.recover(usdc), 0, 'a day later nobody waits for it any more');
});

test('a node that has forgotten the transaction of a credit charges nobody once more', async () => {
  const [first, next] = await Promise.all([sign(), sign()]);
  const { transaction } = await settle(createPayments(), first.payment);
  world.skipped += 21;
  const { rpc } = gateway.site().market;
  const ask: Rpc['ask'] = async (request) =>
    request.params.includes(transaction) ? (null as never) : rpc.ask(request);
  await expectEarned(0n, async () => {
    const forgetful = createPayments({}, 1, { ...rpc, ask });
    await assert.rejects(settle(forgetful, next.payment, 'claim 2'), { ...unpaid, message: /not found/ });
    assert.equal((await settle(createPayments(), next.payment, 'claim 2')).transaction, transaction);
  });
});

test('a reorganisation gives no answer without payment: the payment waits for its blocks, and is sent again', async () => {
  const { payment } = await sign();
  const payments = createPayments({}, 12);
  const before = await readUsdc(cast, payTo);
  const snapshot = await ask(cast.client, 'evm_snapshot');
  await assert.rejects(settle(payments, payment), { ...unpaid, message: /after 12 blocks/ });
  await ask(cast.client, 'evm_revert', snapshot);
  assert.equal(await readUsdc(cast, payTo), before, 'the chain has lost the payment');
  await expectEarned(10_000n, async () => {
    await assert.rejects(settle(payments, payment), unpaid);
    for (let mined = 0; mined < 12; mined++) await ask(cast.client, 'evm_mine');
    await settle(payments, payment);
  });
});

test('a payment of 200 USDC waits for twenty blocks more than one of a cent', async () => {
  const amount = 200_000_000n;
  const offer = { ...offerOf(), price: { ...offerOf().price, amount } };
  const { payment } = await sign({ value: String(amount) });
  const payments = createPayments();
  await expectEarned(amount, async () => {
    const first = await payments.hold(payment, offer, 'claim');
    await assert.rejects(first.settle(), { ...unpaid, message: /after 21 blocks/ });
    for (let mined = 0; mined < 20; mined++) await ask(cast.client, 'evm_mine');
    await (await payments.hold(payment, offer, 'claim')).settle();
  });
});
