// What is asked for is judged by its bytes: calls, allowances, signatures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxUint256 } from 'viem';
import type { Action } from '#sdk/actions/action.ts';
import { encodeApprove } from '#sdk/actions/approvals.ts';
import { callReaders } from '#sdk/actions/callFacts.ts';
import { actions } from '#sdk/actions/catalog.ts';
import { type EncodedCalls, encodeCall, joinCalls } from '#sdk/chain/encodeCall.ts';
import type { Address } from '#sdk/domain/address.ts';
import { buildSessionTypedData } from '#sdk/domain/sessionDocument.ts';
import { buildListingTypedData } from '#sdk/domain/signedDocuments.ts';
import { buildTermsTypedData } from '#sdk/domain/terms.ts';
import { buildEnvelopeTypedData } from '#sdk/negotiation/envelope.ts';
import type { Envelope } from '#sdk/schemas/envelope.ts';
import type { CreateRequest } from '#sdk/schemas/walletRequest.ts';
import { readSpendings } from '#service/policy/guard.ts';
import {
  access,
  addressAt,
  agreeTo,
  bond,
  callsOf,
  contracts,
  fee,
  from,
  fund,
  other,
  payment,
  place,
  policy,
  raw,
  refused,
  signatureOf,
  standard,
  start,
  terms,
  tok,
  usdc,
} from './guarding.ts';

test('every call of the catalog has a reader, and no reader is left over', () => {
  const calls = actions.flatMap((action: Action) => (action.kind === 'write' ? action.calls : []));
  const known = calls.filter((name) => !name.endsWith('.approve'));
  assert.deepEqual(Object.keys(callReaders).sort(), known.sort());
});

test('what is signed is judged by its bytes, not by what the request says about itself', async () => {
  const { isSigned, asked, ledger } = start();
  const lie = { ...callsOf(fund(tok(2_001))), action: 'submit-proof', summary: 'Free of charge' };
  assert.equal(await isSigned(lie), false);
  assert.match(asked[0]?.summary ?? '', /Free of charge\. Over the policy: fund-task costs 2001 TOK/);
  assert.deepEqual(
    ledger.list(9).map(({ kind }) => kind),
    ['exceeded', 'asked'],
  );
  assert.equal(ledger.list(9)[1]?.requestId, 'owner-1');
  assert.equal(await isSigned({ ...lie, summary: 'Free of charge, '.repeat(30) }), false);
  assert.match(asked[1]?.summary ?? '', /Over the policy: fund-task costs 2001 TOK/);
});

test('unknown contracts and functions, ether, and bytes beyond the call are refused, and nobody is asked', async () => {
  const { submit, asked, ledger } = start();
  const [good] = fund(1n).calls;
  const data = good?.data ?? '0x';
  const transfer = encodeCall(standard, 'TokToken', 'transfer' as never, [other, 1n] as never);
  const burn = encodeCall(standard, 'TokToken', 'burn' as never, [1n] as never);
  const owner = encodeCall(standard, 'TaskRegistry', 'setEntriesPaused' as never, [true] as never);
  for (const request of [
    raw(other, data),
    raw(standard.taskRegistry, '0xdeadbeef'),
    raw(standard.taskRegistry, '0x'),
    raw(standard.taskRegistry, `${data}00`),
    raw(standard.taskRegistry, data, '0x1'),
    raw(standard.escrowVault, data),
    raw(standard.usdc, data),
    callsOf(transfer),
    callsOf(burn),
    callsOf(owner),
    callsOf(joinCalls(fund(1n), transfer)),
    callsOf(fund(1n, 2n)),
  ])
    await assert.rejects(submit(request), refused);
  assert.equal(asked.length, 0);
  assert.ok(ledger.list(99).every(({ kind, reasons }) => kind === 'refused' && reasons.length === 1));
  assert.equal(ledger.list(99).length, 12);
});

test('an allowance counts as spent unless a later call of the request uses it', async () => {
  const approve = encodeApprove(standard, 'TokToken', 'paymentGateway', tok(500));
  const sum = async (...parts: EncodedCalls[]) =>
    (await readSpendings(callsOf(joinCalls(...parts)), access)).map(({ action, tok: cost }) => [
      action,
      cost,
    ]);
  assert.deepEqual(await sum(approve, fund(tok(500))), [['fund-task', tok(500)]]);
  assert.deepEqual(await sum(fund(tok(500)), approve), [
    ['fund-task', tok(500)],
    ['approve-tok-router', tok(500)],
  ]);
  assert.deepEqual(await sum(approve, fund(tok(200))), [
    ['fund-task', tok(200)],
    ['approve-tok-router', tok(300)],
  ]);
  assert.deepEqual(await sum(approve), [['approve-tok-router', tok(500)]]);
  const micro = encodeApprove(contracts.micro, 'TokToken', 'paymentGateway', tok(500));
  assert.equal((await sum(micro, fund(tok(500)))).length, 2, 'another market uses another allowance');
});

test('unlimited allowances go to the owner, and allowances for unknown spenders to nobody', async () => {
  const open = { ...policy.actions, 'approve-tok-router': {}, 'approve-usdc-vault': {} };
  const { isSigned, submit } = start({ actions: open });
  assert.equal(
    await isSigned(callsOf(encodeApprove(standard, 'TokToken', 'paymentGateway', maxUint256))),
    false,
  );
  assert.equal(await isSigned(callsOf(encodeApprove(standard, 'USDC', 'depositVault', maxUint256))), false);
  const unlimited = joinCalls(encodeApprove(standard, 'TokToken', 'paymentGateway', maxUint256), fund(1n));
  assert.equal(await isSigned(callsOf(unlimited)), false, 'hidden in front of a small call');
  const stranger = encodeCall(standard, 'TokToken', 'approve', [other, 1n]);
  await assert.rejects(submit(callsOf(stranger)), refused);
  const permit = {
    domain: { name: 'Tok', version: '1', chainId: 8453, verifyingContract: standard.tokToken },
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { owner: from, spender: standard.paymentGateway, value: maxUint256, nonce: 0n, deadline: 9n },
  };
  await assert.rejects(submit(signatureOf(permit)), refused);
});

test('a purchase of TOK counts by its bound, for the wallet that gets the TOK', async () => {
  const actions = { ...policy.actions, 'buy-tok': {}, 'approve-usdc-vault': {} };
  const buy = (changed: object = {}, approved = usdc(50)) => {
    const params = {
      tokenIn: standard.usdc,
      tokenOut: standard.tokToken,
      fee: 3_000,
      recipient: from,
      amountOut: 1n,
      amountInMaximum: usdc(50),
      sqrtPriceLimitX96: 0n,
      ...changed,
    };
    return callsOf(
      joinCalls(
        encodeCall(standard, 'USDC', 'approve', [standard.swapRouter as Address, approved]),
        encodeCall(standard, 'SwapRouter', 'exactOutputSingle', [params]),
      ),
    );
  };
  assert.equal(await start({ actions }).isSigned(buy()), true, 'approval and purchase count once');
  const onMicro = start({ actions, markets: ['micro'] });
  assert.equal(await onMicro.isSigned(buy()), true, 'the pool is of both markets');
  assert.equal(await start().isSigned(buy()), false, 'an action that the policy does not name');
  assert.equal(await start({ actions }).isSigned(buy({ amountInMaximum: usdc(50) + 1n })), false);
  assert.equal(await start({ actions }).isSigned(buy({ amountInMaximum: maxUint256 })), false);
  assert.equal(await start({ actions }).isSigned(buy({}, usdc(50) + 1n)), false, 'what stays allowed counts');
  const perCounterparty = { tok: 0n, usdc: usdc(49) };
  assert.equal(await start({ actions, perCounterparty }).isSigned(buy()), true);
  assert.equal(await start({ actions, perCounterparty }).isSigned(buy({ recipient: other })), false);
  for (const changed of [{ tokenOut: standard.usdc }, { tokenIn: standard.tokToken }])
    await assert.rejects(start({ actions }).submit(buy(changed)), refused);
});

test('accepting an offer is a commitment to pay: it counts, with what the terms are paid with later', async () => {
  const { isSigned, ledger } = start();
  assert.equal(await isSigned(agreeTo()), true, '900 and the fee of 1000');
  const [entry] = ledger.list(1);
  assert.deepEqual([entry?.spendings[0]?.tok, entry?.spendings[0]?.usdc], [tok(900) + fee, bond]);
  assert.equal(
    await isSigned(agreeTo({ salt: `0x${'4'.repeat(64)}` })),
    false,
    'a second one exceeds the day',
  );
  assert.equal(await start().isSigned(agreeTo({ totalAmount: tok(1_001) })), false, 'maxTaskTok');
  assert.equal(
    await start().isSigned(agreeTo({ poster: other, worker: from, totalAmount: tok(10 ** 6) })),
    true,
  );
});

test('typed data that is not exactly what the market makes is refused', async () => {
  const { submit, asked } = start();
  const good = buildTermsTypedData(terms, place);
  const fields = good.types.TaskTerms;
  for (const bad of [
    { ...good, domain: { ...good.domain, verifyingContract: other } },
    { ...good, domain: { ...good.domain, chainId: 1 } },
    { ...good, domain: { ...good.domain, name: 'Other' } },
    { ...good, message: { ...good.message, poster: other, worker: addressAt(0xcc) } },
    { ...good, types: { TaskTerms: [...fields].reverse() } },
    { ...good, types: { TaskTerms: fields.filter(({ name }) => name !== 'totalAmount') } },
    { ...good, primaryType: 'Other', types: { Other: fields } },
  ])
    await assert.rejects(submit(signatureOf(bad)), refused);
  for (const typedData of [{}, { primaryType: 'TaskTerms' }, { primaryType: 'constructor' }])
    await assert.rejects(
      submit({ ...(signatureOf(good) as CreateRequest & { kind: 'signature' }), typedData }),
      refused,
    );
  await assert.rejects(submit(payment(1n, { verifyingContract: other })), refused);
  assert.equal(asked.length, 0);
});

test('messages are signed where the policy allows it, sessions of other wallets never', async () => {
  const envelope = { negotiationId: 'n', sequence: 1 } as Envelope;
  const { isSigned, submit } = start();
  assert.equal(await isSigned(signatureOf(buildEnvelopeTypedData(envelope, `0x${'1'.repeat(64)}`))), true);
  const session = (wallet: Address) =>
    signatureOf(
      buildSessionTypedData(8453, {
        wallet,
        gateway: 'http://g',
        nonce: `0x${'1'.repeat(64)}`,
        validUntil: 9,
      }),
    );
  assert.equal(await isSigned(session(from)), false, 'open-session is not listed');
  await assert.rejects(submit(session(other)), refused);
});

test('a listing belongs to the market of its registry', async () => {
  const id = `0x${'1'.repeat(64)}` as const;
  const document = { id, poster: from, document: id, version: 1, expiresAt: 9 };
  const listing = signatureOf(buildListingTypedData(place, document));
  const actions = { 'publish-listing': {} };
  assert.equal(await start({ actions }).isSigned(listing), true);
  const elsewhere = start({ actions, markets: ['micro'] });
  assert.equal(await elsewhere.isSigned(listing), false);
  assert.match(elsewhere.asked[0]?.summary ?? '', /The market standard is not allowed/);
});
