// Proves what a wallet signs when it accepts: the offer that was looked at. For which market: judging.test.ts.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Hex } from 'viem';
import { formatMoment } from '#sdk/domain/amount.ts';
import type { ChainFacts } from '#sdk/negotiation/negotiation.ts';
import type { Transcript } from '#sdk/negotiation/transcript.ts';
import { hashTermsDocument } from '#sdk/rules/terms.ts';
import { buildNegotiationReport, describeInbox } from '#service/cli/inbox.ts';
import { acceptOffer } from '#service/cli/negotiation.ts';
import {
  buildAcceptance,
  buildOffer,
  buildTerms,
  documentOf,
  negotiationId,
  now,
  openAgent,
  poster,
  registries,
  transcriptOf,
  worker,
  writeAll,
} from '../support/negotiating.ts';
import { createFolder } from '../support/svc.ts';

/** Offers are accepted by the real clock. */
const acceptBy = Math.floor(Date.now() / 1_000) + 86_400;
const acceptOf = (transcript: Transcript, digest: Hex) =>
  acceptOffer(worker, transcript, digest, { registries, time: Date.now() / 1_000 });
const offerOf = (totalAmount: bigint) => buildOffer(buildTerms({ totalAmount, acceptBy }));

/** An offer of 500 lies on the table; in the moment in which it is accepted another one of 1 arrives. */
async function race(context: TestContext) {
  const folder = createFolder(context);
  const [ours, theirs] = [openAgent(context, folder, poster), openAgent(context, folder, worker)];
  const following = openAgent(context, folder, worker);
  const send = (type: string, payload: ReturnType<typeof offerOf>) =>
    ours.send({ type, negotiationId, payload }, poster.signTypedData, worker.address);
  await send('TaskProposal', offerOf(500n));
  await theirs.receive();
  const accept = (digest: Hex) => {
    let isFirst = true;
    const payload = async (transcript: Transcript) => {
      const built = await acceptOf(transcript, digest);
      if (isFirst) {
        isFirst = false;
        await send('TaskCounterOffer', offerOf(1n));
        await following.receive();
      }
      return built;
    };
    return theirs.send({ type: 'TaskAcceptance', negotiationId, payload }, worker.signTypedData);
  };
  return { accept, theirs };
}

test('an offer that arrives while another is accepted is not signed unseen', async (context) => {
  const { accept, theirs } = await race(context);
  await assert.rejects(accept(offerOf(500n).settlementDigest), {
    code: 'OFFER_CHANGED',
    message: /^Another offer is open now, with the settlementDigest 0x/,
  });
  const types = theirs.findTranscript(negotiationId)?.entries.map(({ envelope }) => envelope.type);
  assert.deepEqual(types, ['TaskProposal', 'TaskCounterOffer']);
});

test('with a digest that offer alone is signed', async () => {
  const transcript = transcriptOf(
    await writeAll([
      [poster, 'TaskProposal', offerOf(500n)],
      [poster, 'TaskCounterOffer', offerOf(1n)],
    ]),
  );
  await assert.rejects(acceptOf(transcript, offerOf(500n).settlementDigest), { code: 'OFFER_CHANGED' });
  const { settlementDigest } = await acceptOf(transcript, offerOf(1n).settlementDigest);
  assert.equal(settlementDigest, offerOf(1n).settlementDigest);
});

test('the inbox shows every word and term of an offer, what it changes, who pays what, and who creates the task', async () => {
  const parts = [200n, 300n].map((amount) => ({ amount: amount * 10n ** 18n }));
  const second = buildTerms({ milestones: parts, reviewPeriod: 7_200 });
  const entries = await writeAll([
    [poster, 'TaskProposal', buildOffer()],
    [worker, 'TaskCounterOffer', buildOffer(second)],
    [worker, 'TaskAcceptance', await buildAcceptance(worker, second)],
    [poster, 'TaskAcceptance', await buildAcceptance(poster, second)],
  ]);
  const show = (count: number, chain?: ChainFacts) =>
    describeInbox({
      address: poster.address,
      transport: 'local',
      negotiations: [buildNegotiationReport(transcriptOf(entries.slice(0, count)), now, chain)],
      owedToJudge: [{ taskId: 'v2:standard:7', judge: worker.address, documents: 4, keys: 3 }],
      rulingsDue: [{ taskId: 'v2:micro:9', until: 1_900_000_000 }],
      unrooted: 0,
      refused: [],
      outbox: 0,
      trouble: null,
    });
  const offered = show(2);
  const { title, description, criteria } = documentOf(2);
  for (const word of [
    title,
    description,
    criteria,
    'of task v2:standard:7 lacks 4 documents and 3 file keys that you have.',
    'Your ruling in task v2:micro:9 is due until 2030-03-17T17:46:40Z',
    'pays     500 TOK from you to',
    '1. 200 TOK: Part 1',
    'review within 2 h',
    'each party pays its own access fee of 1000 TOK',
    `private, on standard, chain 8453, registry ${second.registryAddress}`,
    `settlementDigest ${hashTermsDocument(second)}`,
    'reviewPeriod: 24 h -> 2 h',
    'milestone text 1: none -> "Part 1"',
    `until ${formatMoment(second.acceptBy)} on the chain’s clock`,
  ])
    assert.ok(offered.includes(word), `${word}\n${offered}`);
  assert.match(show(4), /: signed, with/);
  assert.doesNotMatch(show(4), /create-task/);
  const agreed = show(4, { refused: new Set(), taskId: undefined });
  assert.match(agreed, /: agreed, with/);
  const { signature } = await buildAcceptance(worker, second);
  assert.ok(agreed.includes(`--worker-signature ${signature} --from ${poster.address}`), agreed);
});
