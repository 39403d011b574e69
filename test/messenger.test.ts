// The messages of wallets over a gateway: a private task agreed by two programs, and what keeps one of them from signing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Hex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { joinMarket, type Participant } from '#sdk/client/joinMarket.ts';
import { createMailboxClient } from '#sdk/client/mailboxClient.ts';
import { createWriter } from '#sdk/messages/writer.ts';
import { formatWire } from '#sdk/negotiation/envelope.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { joinAs } from './support/listings.ts';

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ isSeeded: true });
});
after(() => gateway.close());

const walletOf = (name: AccountName) => privateKeyToAccount(accountOf(name).privateKey);
const words = { title: 'Draw a map', criteria: 'One map.', totalAmountTok: '600', deadline: '+3d' };

/** A participant that lists what it signs. */
async function joinWatched(name: AccountName): Promise<{ me: Participant; signed: string[] }> {
  const account = walletOf(name);
  const signed: string[] = [];
  const signTypedData = (typedData: { readonly primaryType: string }): Promise<Hex> => {
    signed.push(typedData.primaryType);
    return account.signTypedData(typedData as never);
  };
  const watched = { ...account, signTypedData } as PrivateKeyAccount;
  const me = await joinMarket({ url: gateway.url(), account: watched, rpcUrl: gateway.devnet.rpcUrl });
  return { me, signed };
}

test('two programs agree on a private task by their messages, and it is created', async () => {
  const [poster, worker] = await Promise.all([joinAs(gateway, 'painter'), joinAs(gateway, 'analyst')]);
  const sent = await poster.messages.propose({ wallet: worker.address }, words, 'You know the town.');
  const [found] = await worker.messages.conversations({ with: poster.address });
  assert.deepEqual([found?.root, found?.other, found?.status], [sent.root, poster.address, 'offered']);
  assert.deepEqual(found?.may, ['TaskAcceptance', 'TaskCounterOffer']);
  const first = found.negotiation.offer ?? assert.fail();
  assert.equal(first.terms.scope, 'private');

  const price = { totalAmountTok: '700' };
  await worker.messages.counter({ root: sent.root, offerHash: first.hash }, price);
  const { offer } = (await poster.messages.read(sent.root)).negotiation;
  assert.deepEqual(
    [offer?.terms.totalAmountTokWei, offer?.document.criteria],
    [String(700n * 10n ** 18n), words.criteria],
  );
  const { settlementDigest } = offer ?? assert.fail();
  const accepted = await worker.messages.accept({ root: sent.root, settlementDigest });
  assert.deepEqual(accepted.otherLacks, []);
  const { acceptances } = (await poster.messages.read(sent.root)).negotiation;
  const [{ signature, by } = assert.fail()] = acceptances;
  assert.equal(by, worker.address);
  const { taskId } = await poster.do.createTask({
    terms: { terms: offer?.terms, document: offer?.document },
    workerSignature: signature,
    fundNowTokWei: offer?.terms.totalAmountTokWei,
  } as never);
  assert.match(String(taskId), /^v2:standard:/);
  await Promise.all([poster.close(), worker.close()]);
});

test('an offer that was replaced is not accepted, nor countered, and nothing is signed', async () => {
  const poster = await joinAs(gateway, 'painter');
  const { me: worker, signed } = await joinWatched('scribe');
  const { root } = await poster.messages.propose({ wallet: worker.address }, words);
  const { offer } = (await worker.messages.read(root)).negotiation;
  const { hash: offerHash, settlementDigest } = offer ?? assert.fail();
  await poster.messages.counter({ root, offerHash }, { totalAmountTok: '1' + '00' });
  signed.length = 0;
  await assert.rejects(worker.messages.accept({ root, settlementDigest }), { code: 'OFFER_CHANGED' });
  await assert.rejects(worker.messages.accept({ root, offerHash }), { code: 'OFFER_CHANGED' });
  await assert.rejects(worker.messages.counter({ root, offerHash }, { totalAmountTok: '900' }), {
    code: 'OFFER_CHANGED',
  });
  assert.deepEqual(signed, []);
  await Promise.all([poster.close(), worker.close()]);
});

test('an offer in a conversation of others, withdrawn or ended, is not accepted', async () => {
  const poster = await joinAs(gateway, 'painter');
  const { me: worker, signed } = await joinWatched('scribe');
  const { root } = await poster.messages.propose({ wallet: worker.address }, words);
  const { offer } = (await worker.messages.read(root)).negotiation;
  const { hash: offerHash } = offer ?? assert.fail();
  const { me: stranger, signed: none } = await joinWatched('coder');
  await assert.rejects(stranger.messages.accept({ root, offerHash }));
  assert.deepEqual(
    none.filter((type) => type !== 'Session'),
    [],
  );
  const before = signed.length;
  await poster.mailbox.conversation(root);
  await poster.matching.withdraw({ root, offer, signature: null } as never);
  await assert.rejects(worker.messages.accept({ root, offerHash }), /withdrawn the offer/);
  assert.equal(signed.length, before);
  await Promise.all([poster.close(), worker.close(), stranger.close()]);
});

test('what the other side lacks is said; an own bond that is missing keeps a worker from signing', async () => {
  const poster = await joinAs(gateway, 'painter');
  const { me: worker, signed } = await joinWatched('newcomer');
  const { root } = await poster.messages.propose({ wallet: worker.address }, words);
  const { offer } = (await worker.messages.read(root)).negotiation;
  const { hash: offerHash } = offer ?? assert.fail();
  const seen = await poster.messages.accept({ root, offerHash });
  assert.match(seen.otherLacks.join(), /the worker 0x\w+ has too little free collateral/);
  signed.length = 0;
  await assert.rejects(worker.messages.accept({ root, offerHash }), { code: 'NOT_READY_TO_ACT' });
  assert.deepEqual(
    signed.filter((type) => type !== 'Session'),
    [],
  );
  await Promise.all([poster.close(), worker.close()]);
});

test('a message whose receipt gets lost is one message, also when it is written again', async () => {
  const account = walletOf('painter');
  const other = walletOf('analyst');
  let lost = 0;
  const lossy: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (init?.method !== 'POST' || !String(input).endsWith('/v1/messages') || lost === 3) return answer;
    lost++;
    await answer.text();
    throw new TypeError('fetch failed');
  };
  const connection = { baseUrl: gateway.url(), wallet: account, chainId: 8453 };
  const mailbox = createMailboxClient({ ...connection, fetch: lossy });
  const writer = createWriter({
    address: account.address,
    find: async () => undefined,
    sign: ({ typedData }) => account.signTypedData(typedData as never),
    send: (signed) => mailbox.send(formatWire(signed)),
  });
  const text = 'I say this once.';
  const note = { type: 'Note', payload: { text }, place: { to: other.address } };
  await assert.rejects(writer.write(note), { code: 'API_UNREACHABLE' });
  const written = await writer.write(note);
  assert.equal(written.is, 'delivered');
  const reader = createMailboxClient({ ...connection, wallet: other });
  const { conversations } = await reader.conversations({ with: account.address });
  const texts = await Promise.all(
    conversations.map(async ({ root }) => (await reader.conversation(root)).messages.map(({ wire }) => wire)),
  );
  assert.equal(texts.flat().filter((wire) => wire?.includes(text)).length, 1);
  assert.equal(lost, 3);
  await Promise.all([mailbox.close(), reader.close()]);
});
