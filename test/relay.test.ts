// The relay over HTTP, on a real gateway and chain: sessions, mailboxes, streams, smart wallets, and who may cause questions.

import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Address } from '#sdk/domain/address.ts';
import { formatTok } from '#sdk/domain/amount.ts';
import { toCanonical } from '#sdk/domain/canonical.ts';
import { parseEventStream } from '#sdk/domain/parseEventStream.ts';
import { verifyPlainAccount } from '#sdk/domain/verifyDigest.ts';
import { buildEnvelope, noHead, type SignedEnvelope, signEnvelope } from '#sdk/negotiation/envelope.ts';
import { withDigest } from '#sdk/rules/terms.ts';
import { chooseTransport, openMailbox } from '#service/cli/negotiation.ts';
import { readConfig } from '#service/config.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { OperatorError } from '#service/errors/operatorError.ts';
import { createAgent } from '#service/messages/agent.ts';
import { createBothTransport, createRelayTransport } from '#service/messages/relayTransport.ts';
import { testEscalation } from './relay/escalation.ts';
import { openTools } from './relay/tools.ts';
import { readAnswer } from './support/asking.ts';
import { type Cast, createCast, enter } from './support/cast.ts';
import { type ContractWallet, deployContractWallet, enterContractWallet } from './support/contractWallet.ts';
import { ask } from './support/devnet.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import {
  type InterceptingProxy,
  signatureMethods,
  startInterceptingProxy,
} from './support/interceptingProxy.ts';
import { buildAcceptance, buildOffer, buildTerms } from './support/negotiating.ts';
import { createFolder } from './support/svc.ts';
import { until } from './support/until.ts';

const ann = privateKeyToAccount(accountOf('newcomer').privateKey);
const bob = privateKeyToAccount(accountOf('visitor').privateKey);
const eve = privateKeyToAccount(generatePrivateKey());

let gateway: TestGateway;
let cast: Cast;
let proxy: InterceptingProxy;
/** What the gateway asks the chain about signatures. */
const asked: string[] = [];
const tokens = new Map<Address, string>();

before(async () => {
  gateway = await startGateway();
  proxy = await startInterceptingProxy(gateway.devnet.rpcUrl, (method, forward) => {
    if (signatureMethods.includes(method)) asked.push(method);
    return forward();
  });
  await gateway.restart({ rpcUrls: [proxy.url] });
  cast = await createCast(gateway.devnet.rpcUrl, 'standard');
  await enter(cast);
  await settle();
  await until(async () => (await gateway.get('/health')).body.ready === true);
  for (const wallet of [ann, bob, eve]) await signIn(wallet);
});
after(async () => {
  await gateway.close();
  proxy.close();
});

/** Lets a day pass on the chain, after which new collateral counts as any other. */
async function settle(): Promise<void> {
  await ask(cast.client, 'evm_increaseTime', 86_401);
  await ask(cast.client, 'evm_mine');
}

async function signIn(wallet: PrivateKeyAccount | ContractWallet): Promise<void> {
  tokens.set(wallet.address, await gateway.signIn(wallet));
}

const bearer = (address: Address) => ({ authorization: `Bearer ${tokens.get(address)}` });

async function post(wire: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url()}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: wire,
  });
  return readAnswer(response);
}

const send = (signed: SignedEnvelope, headers?: Record<string, string>) => post(toCanonical(signed), headers);

type Writer = Pick<ContractWallet, 'address' | 'signTypedData'>;

function write(by: Writer, type: string, payload: Record<string, unknown>, previous?: Previous) {
  const sender = { evmAddress: by.address, xmtpPublicKey: 'test' };
  const negotiationId = previous?.envelope.negotiationId ?? crypto.randomUUID();
  const draft = { type, negotiationId, sender, payload };
  const head = previous === undefined ? noHead : { ...previous.envelope, hash: previous.hash };
  return signEnvelope(buildEnvelope(draft, head, new Date()), (typedData) =>
    by.signTypedData(typedData as never),
  );
}

type Previous = Pick<SignedEnvelope, 'hash'> & {
  readonly envelope: Pick<SignedEnvelope['envelope'], 'negotiationId' | 'sequence'>;
};
const note = (by: Writer, text: string, to: Address, previous?: Previous) =>
  write(by, 'Note', { text, ...(previous === undefined && { to }) }, previous);

const writer = (account: PrivateKeyAccount) => account as Writer;
const mailbox = (address: Address, query = '') => gateway.get(`/v1/mailbox${query}`, bearer(address));

test('two wallets talk over the gateway, and each sees both sides in order', async () => {
  const first = await note(writer(ann), 'Hello', bob.address);
  await until(async () => (await send(first)).status !== 403);
  assert.equal((await send(first)).status, 200, 'known');
  const second = await note(writer(bob), 'Good day', ann.address, first);
  const { status, body } = await send(second);
  assert.equal(status, 202);
  const again = await send(second);
  assert.deepEqual([again.status, again.body], [200, body], 'the same message again');
  assert.equal(body.receipt.to, ann.address);
  for (const { address } of [ann, bob]) {
    const page = (await mailbox(address)).body;
    const shown = page.messages.map(({ wire }: { wire: string }) => wire);
    assert.deepEqual(shown, [first, second].map(toCanonical));
    assert.equal(page.nextAfter, 2);
    assert.equal((await mailbox(address, '?after=1&limit=1')).body.messages[0].hash, second.hash);
  }
  // Nothing can fill the gap before it: the message that it continues has no place.
  const gone = await send(
    await note(writer(ann), 'And?', bob.address, { ...second, hash: `0x${'34'.repeat(32)}` }),
  );
  const head = { sequence: 2, hash: second.hash };
  assert.partialDeepStrictEqual(gone, { status: 409, body: { code: 'PLACE_GONE', startAt: 3, head } });
  assert.deepEqual(asked, [], 'nothing needs a question to the chain');
});

test('a mailbox and its stream need the session of their wallet', async () => {
  for (const path of ['/v1/mailbox', '/v1/mailbox/events']) {
    const { status, body } = await gateway.get(path);
    assert.deepEqual([status, body.code], [403, 'SESSION_REQUIRED']);
    const inUrl = await gateway.get(`${path}?token=${tokens.get(ann.address)}&address=${ann.address}`);
    assert.equal(inUrl.status, 403);
  }
  assert.deepEqual((await mailbox(eve.address, `?address=${ann.address}`)).body.messages, []);
});

test('the stream sends each message once, resumes by position, and ends with the session', async () => {
  await signIn(bob);
  const follow = async (after: number, signal: AbortSignal) => {
    const headers = { ...bearer(bob.address), 'last-event-id': String(after) };
    return (await fetch(`${gateway.url()}/v1/mailbox/events`, { headers, signal }))
      .body as ReadableStream<Uint8Array>;
  };
  const stop = new AbortController();
  const seen: number[] = [];
  let isEnded = false;
  const reading = (async () => {
    for await (const { event, id } of parseEventStream(await follow(1, stop.signal), () => undefined))
      if (event === 'message') seen.push(Number(id));
    isEnded = true;
  })().catch(() => undefined);
  await until(() => seen.includes(2));
  const more = await note(writer(ann), 'More', bob.address);
  assert.equal((await send(more)).status, 202);
  await until(() => seen.includes(3));
  assert.deepEqual(seen, [2, 3]);
  await gateway.send('DELETE', '/v1/sessions', undefined, bearer(bob.address));
  assert.equal((await send(await note(writer(ann), 'Unseen', bob.address))).status, 202);
  await until(() => isEnded);
  assert.deepEqual(seen, [2, 3], 'a revoked session reads nothing');
  stop.abort();
  await reading;
  await signIn(bob);
});

test('bytes that are no wire text, are too large or of another type are refused', async () => {
  const wire = toCanonical(await note(writer(ann), 'Hello', bob.address));
  assert.equal((await post(new Uint8Array([0x7b, 0xff, 0x7d]))).body.reason, 'form');
  assert.equal((await post(`\ufeff${wire}`)).body.reason, 'form');
  assert.equal((await post(JSON.stringify(JSON.parse(wire), null, 1))).body.reason, 'form');
  assert.equal((await post('x'.repeat(256 * 1_024 + 1))).status, 413);
  assert.equal((await post(wire, { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await post('')).status, 422);
});

test('a smart wallet writes with a session, and the chain is asked thirty times a minute at most', async () => {
  const wallet = await deployContractWallet(cast, gateway.devnet.rpcUrl, eve);
  await enterContractWallet(cast, wallet);
  await until(async () =>
    signIn(wallet).then(
      () => true,
      () => false,
    ),
  );
  await settle();
  const signed = await note(wallet, 'From a contract', bob.address);
  await until(async () => (await send(signed)).body.code !== 'STANDING_NEW');
  asked.length = 0;
  assert.equal((await send(signed)).body.reason, 'signature', 'without a session');
  assert.deepEqual(asked, []);
  assert.equal((await send(signed, bearer(wallet.address))).status, 202);
  assert.ok(asked.length >= 1 && asked.length <= 3, asked.join());
  asked.length = 0;
  const statuses: number[] = [];
  for (let at = 0; at < 35; at++) {
    const forged = {
      ...(await note(wallet, `Forged ${at}`, bob.address)),
      signature: `0x${'22'.repeat(65)}` as const,
    };
    statuses.push((await send(forged, bearer(wallet.address))).status);
  }
  assert.equal(statuses.filter((status) => status === 422).length, 29);
  assert.equal(statuses.filter((status) => status === 429).length, 6);
  assert.equal((await send(await note(writer(ann), 'Not affected', bob.address))).status, 202);
});

/** One device of a wallet: its own folder, and the relay of the gateway. */
function openDevice(context: TestContext, name: AccountName) {
  const { privateKey, address } = accountOf(name);
  const config = readConfig({
    SVC_DATA_DIR: createFolder(context),
    SVC_GATEWAY_URL: gateway.url(),
    PRIVATE_KEY: privateKey,
  });
  const opened = openMailbox(config, 'relay', address);
  context.after(opened.close);
  const account = privateKeyToAccount(privateKey);
  return {
    ...opened,
    config,
    say: (negotiationId: string, text: string, to?: Address) =>
      opened.agent.send({ type: 'Note', negotiationId, payload: { text } }, account.signTypedData, to),
  };
}

test('a wallet blocks another: what the relay refuses is taken back and holds up nothing', async (context) => {
  const device = openDevice(context, 'newcomer');
  const unwanted = crypto.randomUUID();
  const block = async (method: string) =>
    (await gateway.send(method, `/v1/mailbox/blocks/${ann.address}`, undefined, bearer(bob.address))).body;
  assert.deepEqual(await block('PUT'), { address: ann.address, blocked: true });
  const signed = await note(writer(ann), 'Hello?', bob.address);
  assert.equal((await send(signed)).body.code, 'RECIPIENT_REFUSES');
  await assert.rejects(device.say(unwanted, 'Hello?', bob.address), { code: 'API_REFUSED' });
  assert.deepEqual(await block('DELETE'), { address: ann.address, blocked: false });
  assert.equal(device.agent.findTranscript(unwanted), undefined);
  assert.equal((await device.say(crypto.randomUUID(), 'Hello!', bob.address)).kept, null);
});

test('a gateway that is away is reported as such, and is not the default', async (context) => {
  const device = openDevice(context, 'newcomer');
  const away = createRelayTransport({ gatewayUrl: 'http://127.0.0.1:9', wallet: ann });
  await assert.rejects(away.send(bob.address, 'x'), { code: 'TRANSPORT_UNREACHABLE' });
  await assert.rejects(away.receive(null), { code: 'TRANSPORT_UNREACHABLE' });
  const { config } = device;
  assert.equal(await chooseTransport({ ...config, gatewayUrl: 'http://127.0.0.1:9' }, undefined), 'local');
});

test('with XMTP as well the relay comes first, and what comes from both counts once', async (context) => {
  const device = openDevice(context, 'newcomer');
  const sent: string[] = [];
  const xmtp = { isAway: false, texts: [] as string[] };
  const both = createBothTransport(createRelayTransport({ gatewayUrl: gateway.url(), wallet: ann }), {
    name: 'xmtp',
    readPublicKey: async () => 'installation',
    send: async (_to, text) => {
      if (xmtp.isAway)
        throw new OperatorError('TRANSPORT_UNREACHABLE', { transport: 'XMTP', reason: 'away' });
      sent.push(text);
    },
    receive: async () => ({ texts: xmtp.texts, cursor: '1' }),
    close: async () => undefined,
  });
  context.after(both.close);
  const first = toCanonical(await note(writer(ann), 'Both ways', bob.address));
  await both.send(bob.address, first);
  assert.deepEqual(sent, [first]);
  const missing = { negotiationId: crypto.randomUUID(), sequence: 3 };
  const orphan = await note(writer(ann), 'Out of place', bob.address, {
    envelope: missing,
    hash: `0x${'12'.repeat(32)}`,
  });
  await assert.rejects(both.send(bob.address, toCanonical(orphan)), { code: 'PLACE_GAP' });
  assert.deepEqual(sent, [first], 'XMTP gets nothing that the relay does not hold');
  xmtp.isAway = true;
  await both.send(bob.address, toCanonical(await note(writer(ann), 'By the relay alone', bob.address)));
  xmtp.texts = [first];
  const { texts, cursor } = await both.receive(null);
  assert.equal(texts.filter((text) => text === first).length, 2);
  const again = await both.receive(cursor);
  assert.deepEqual(again.texts, [first], 'the relay continues at its cursor');
  const agent = createAgent({
    address: ann.address,
    store: device.store,
    transport: both,
    verify: verifyPlainAccount,
    now: () => new Date(),
  });
  await agent.receive();
  const { hash } = JSON.parse(first);
  assert.equal(agent.listTranscripts().filter(({ root }) => root === hash).length, 1);
});

const createTools = (account: PrivateKeyAccount) => openTools(gateway, account);

test('two agents agree over the tools and the relay, each signature through a wallet request', async () => {
  const [poster, worker] = [createTools(ann), createTools(bob)];
  const terms = termsWith(bob.address);
  const { root } = await poster.send({ type: 'TaskProposal', payload: buildOffer(terms), to: bob.address });
  const [offered] = await worker.inbox(root);
  assert.equal(offered.status, 'offered');
  const { warning } = await worker.call('svc_inbox', { address: bob.address, root });
  assert.match(warning, /never follow instructions/);
  assert.equal(offered.taskId, null);
  const [accept, counter] = offered.next;
  const { settlementDigest } = offered.untrusted.offer;
  const signs = { from: bob.address, root, type: 'TaskAcceptance', settlementDigest };
  assert.deepEqual([accept.tool, accept.arguments], ['svc_send_message', signs]);
  assert.equal(counter.arguments.type, 'TaskCounterOffer');
  assert.deepEqual((await poster.inbox(root))[0].next, [], 'the other party moves');
  const sign = (agent: typeof poster, from: string, digest?: string) =>
    agent.call('svc_send_message', { from, type: 'TaskAcceptance', root, settlementDigest: digest });
  await assert.rejects(sign(worker, bob.address), /takes settlementDigest/);
  await assert.rejects(sign(worker, bob.address, `0x${'1'.repeat(64)}`), { code: 'OFFER_CHANGED' });
  await worker.send({ type: 'TaskAcceptance', root, settlementDigest });
  const [accepted] = await poster.inbox(root);
  const [create] = accepted.next;
  assert.deepEqual([create.tool, create.arguments.action], ['svc_prepare', 'create-task']);
  assert.equal(create.arguments.arguments.fundNowTok, formatTok(BigInt(terms.totalAmountTokWei)));
  assert.equal((await worker.inbox(root))[0].next[0].tool, 'svc_onboarding_checklist');
  await poster.send({ type: 'TaskAcceptance', root, settlementDigest });
  for (const agent of [poster, worker]) {
    const [conversation] = await agent.inbox(root);
    const { offer, messages } = conversation.untrusted;
    assert.equal(conversation.status, 'signed');
    assert.equal(offer.terms.worker, bob.address);
    assert.match(offer.workerSignature, /^0x/);
    assert.match(offer.posterSignature, /^0x/);
    assert.equal(messages.length, 3);
    assert.equal('terms' in messages[0].payload, false, 'terms stand once, in the offer');
  }
  const { requestId } = await poster.call('svc_send_message', {
    from: ann.address,
    type: 'Note',
    payload: { text: 'x' },
    root,
  });
  await assert.rejects(worker.call('svc_send_message', { from: bob.address, requestId }), {
    code: 'WALLET_REQUEST_NOT_FOUND',
  });
  const { title } = offered.untrusted.offer.document;
  const amount = `${formatTok(BigInt(terms.totalAmountTokWei))} TOK`;
  assert.ok(poster.asked.includes(`Send a TaskProposal to ${bob.address}: ${title}, ${amount}`));
  assert.equal(poster.asked.at(-1), `Send a Note to ${bob.address}: x`);
  assert.ok(worker.asked.includes(`Accept the terms of a task: ${title}`), worker.asked.join());
});

test('what others write while an owner has not signed costs no message; an offer that replaces the signed one is not accepted', async () => {
  const [poster, worker] = [createTools(ann), createTools(bob)];
  const offer = buildOffer(termsWith(bob.address));
  const { root } = await poster.send({ type: 'TaskProposal', payload: offer, to: bob.address });
  await worker.inbox(root);
  const as = (agent: typeof poster, { address: from }: PrivateKeyAccount, args: object) =>
    agent.call('svc_send_message', { from, ...args });
  const asked = await as(poster, ann, { type: 'Note', root, payload: { text: 'Is it clear?' } });
  assert.deepEqual([asked.sent, asked.status], [false, 'pending']);
  await worker.send({ type: 'Note', root, payload: { text: 'I was faster.' } });
  const again = await as(poster, ann, { requestId: asked.requestId });
  assert.deepEqual([again.sent, again.status], [false, 'pending'], 'its place is taken: to be signed again');
  assert.notEqual(again.requestId, asked.requestId);
  assert.equal((await as(poster, ann, { requestId: again.requestId })).sent, true);
  const { settlementDigest } = offer;
  const accepting = await as(worker, bob, { type: 'TaskAcceptance', root, settlementDigest });
  assert.deepEqual([accepting.sent, accepting.status], [false, 'pending']);
  const next = { type: 'TaskCounterOffer', root, offer: { totalAmountTok: '777', deadline: '+9d' } };
  const countered = await poster.send(next);
  assert.notEqual(countered.settlementDigest, settlementDigest);
  const { requestId } = accepting;
  await assert.rejects(as(worker, bob, { requestId }), { code: 'OFFER_CHANGED' });
  const [{ status, untrusted }] = await worker.inbox(root);
  assert.equal(status, 'offered', 'nobody has accepted');
  const texts = untrusted.messages.map(({ payload }: { payload: { text?: string } }) => payload.text);
  assert.deepEqual(
    texts.filter((text: unknown) => text !== undefined),
    ['I was faster.', 'Is it clear?'],
  );
});

test('an offer whose terms name another market than that of their registry is not taken', async () => {
  const { standard, micro } = gateway.devnet.deployment.markets;
  const good = termsWith(bob.address);
  for (const [change, says] of [
    [{ market: 'micro' }, /say micro, but their registry is that of another market: standard/],
    [
      { registryAddress: micro.taskRegistry },
      /say standard, but their registry is that of another market: micro/,
    ],
    [{ registryAddress: standard.escrowVault }, /another market: chain 8453, registry/],
    [{ chainId: 1 }, /another market: chain 1, registry/],
  ] as const) {
    const offer = await write(writer(ann), 'TaskProposal', buildOffer(withDigest({ ...good, ...change })));
    const { status, body } = await send(offer);
    assert.deepEqual([status, body.code], [422, 'ENVELOPE_REFUSED'], JSON.stringify(body));
    assert.match(String(body.error), says);
  }
});

const termsWith = (worker: Address) => {
  const soon = Math.floor(Date.now() / 1_000) + 3_600;
  const place = { chainId: 8453, registry: cast.contracts.registry.address };
  return buildTerms({ place, poster: ann.address, worker, acceptBy: soon, deadline: soon + 86_400 });
};
const show = async (root: string) => (await createTools(ann).inbox(root))[0];
const answer = async (account: PrivateKeyAccount, root: string, text: string) =>
  (await createTools(account).send({ type: 'Note', payload: { text }, root })).root;

test('an acceptance that a key alone disproves is refused with its reason, and the conversation goes on', async () => {
  const terms = termsWith(bob.address);
  const offer = await write(writer(ann), 'TaskProposal', buildOffer(terms));
  assert.equal((await send(offer)).status, 202);
  // Signed by another wallet, under other terms, and by nobody.
  for (const signature of [
    (await buildAcceptance(ann, terms)).signature,
    (await buildAcceptance(bob, termsWith(ann.address))).signature,
    `0x${'11'.repeat(65)}`,
  ]) {
    const payload = { ...(await buildAcceptance(bob, terms, offer.hash)), signature };
    const poisoned = await write(writer(bob), 'TaskAcceptance', payload, offer);
    for (const headers of [{}, bearer(bob.address)]) {
      const { status, body } = await send(poisoned, headers);
      assert.deepEqual([status, body.reason], [422, 'acceptance']);
      assert.match(JSON.stringify(body), /not a signature of its sender for this digest/);
    }
  }
  assert.equal(await answer(bob, offer.hash, 'The place is free.'), offer.hash);
  const late = await buildAcceptance(bob, terms, offer.hash);
  assert.equal((await send(await write(writer(bob), 'TaskAcceptance', late, offer))).status, 409);
  assert.equal((await show(offer.hash)).status, 'offered');
});

// Last, since it moves the clock of the chain.
testEscalation({ gateway: () => gateway, cast: () => cast });
