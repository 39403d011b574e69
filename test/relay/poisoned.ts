// Messages whose outer signature is right and whose inner one is not: refused where a key alone disproves it, otherwise in
// their place without effect. Either way the conversation goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Address } from '#sdk/domain/address.ts';
import { buildEnvelope, type SignedEnvelope, signEnvelope } from '#sdk/negotiation/envelope.ts';
import type { ContractWallet } from '../support/contractWallet.ts';
import { buildAcceptance, buildOffer, buildTerms, headAfter } from '../support/negotiating.ts';

type Writer = Pick<ContractWallet, 'address' | 'signTypedData'>;
type Answer = {
  readonly status: number;
  readonly body: { readonly reason?: string };
};

export type PoisonedNeeds = {
  readonly ann: PrivateKeyAccount;
  readonly bob: PrivateKeyAccount;
  /** A wallet with code, which has a session. */
  readonly smart: () => Promise<ContractWallet>;
  readonly send: (signed: SignedEnvelope, headers?: Record<string, string>) => Promise<Answer>;
  readonly bearer: (address: Address) => Record<string, string>;
  /** The conversation as the tools of this wallet show it. */
  readonly show: (
    reader: PrivateKeyAccount,
    root: string,
  ) => Promise<{
    readonly status: string;
    readonly untrusted: { readonly messages: readonly { readonly unusable?: string }[] };
  }>;
  /** Answers in this conversation with the tools, and returns its root. */
  readonly answer: (writer: PrivateKeyAccount, root: string, text: string) => Promise<string>;
};

const soon = Math.floor(Date.now() / 1_000) + 3_600;

function write(by: Writer, type: string, payload: Record<string, unknown>, previous?: SignedEnvelope) {
  const draft = {
    type,
    payload,
    negotiationId: previous?.envelope.negotiationId ?? crypto.randomUUID(),
    sender: { evmAddress: by.address, xmtpPublicKey: 'test' },
  };
  const envelope = buildEnvelope(draft, headAfter(previous), new Date());
  return signEnvelope(envelope, (typedData) => by.signTypedData(typedData as never));
}

export function testPoisoned({ ann, bob, smart, send, bearer, show, answer }: PoisonedNeeds): void {
  const termsWith = (worker: Address) =>
    buildTerms({ poster: ann.address, worker, acceptBy: soon, deadline: soon + 86_400 });

  test('an acceptance that a key alone disproves is refused with its reason, and the conversation goes on', async () => {
    const terms = termsWith(bob.address);
    const offer = await write(ann as Writer, 'TaskProposal', buildOffer(terms));
    assert.equal((await send(offer)).status, 202);
    // Signed by another wallet, under other terms, and by nobody.
    const wrong = [
      (await buildAcceptance(ann, terms)).signature,
      (await buildAcceptance(bob, termsWith(ann.address))).signature,
      `0x${'11'.repeat(65)}`,
    ];
    for (const signature of wrong) {
      const payload = { ...(await buildAcceptance(bob, terms, offer.hash)), signature };
      const poisoned = await write(bob as Writer, 'TaskAcceptance', payload, offer);
      for (const headers of [{}, bearer(bob.address)]) {
        const { status, body } = await send(poisoned, headers);
        assert.deepEqual([status, body.reason], [422, 'acceptance']);
        assert.match(JSON.stringify(body), /not a signature of its sender for this digest/);
      }
    }
    assert.equal(await answer(bob, offer.hash, 'The place is free.'), offer.hash);
    const good = await write(
      bob as Writer,
      'TaskAcceptance',
      await buildAcceptance(bob, terms, offer.hash),
      offer,
    );
    assert.equal((await send(good)).status, 409, 'the note has the place');
    assert.equal((await show(ann, offer.hash)).status, 'offered');
  });

  test('one of a wallet with code takes its place without effect, and the other party writes after it', async () => {
    const wallet = await smart();
    const terms = termsWith(wallet.address);
    const offer = await write(ann as Writer, 'TaskProposal', buildOffer(terms));
    assert.equal((await send(offer)).status, 202);
    const payload = { ...(await buildAcceptance(ann, terms, offer.hash)), signature: `0x${'22'.repeat(65)}` };
    const poisoned = await write(wallet, 'TaskAcceptance', payload, offer);
    assert.equal((await send(poisoned, bearer(wallet.address))).status, 202);
    const { status, untrusted } = await show(ann, offer.hash);
    assert.equal(status, 'offered', 'it accepts nothing');
    assert.match(untrusted.messages[1]?.unusable ?? '', /not a signature of its sender/);
    assert.equal(await answer(ann, offer.hash, 'Please sign again.'), offer.hash);
    assert.equal((await show(ann, offer.hash)).untrusted.messages.length, 3);
  });
}
