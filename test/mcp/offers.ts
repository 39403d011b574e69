// Offers, acceptances and digests that the tools build and check.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getAddress, hashTypedData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { formatWire, parseWire } from '#sdk/negotiation/envelope.ts';
import { hashTermsDocument, withDigest } from '#sdk/rules/terms.ts';
import { accountOf } from '#service/devnet/accounts.ts';
import { buildTerms, documentOf, negotiationId } from '../support/negotiating.ts';
import { call, gateway } from './scene.ts';

const poster = accountOf('press').address;
const stranger = '0x00000000000000000000000000000000000000aa';

const document = documentOf();

function buildMicroTerms() {
  const { chainId, markets } = gateway.devnet.deployment;
  const now = Math.floor(Date.now() / 1_000);
  const place = { chainId, registry: markets.micro.taskRegistry };
  const times = { deadline: now + 86_400, acceptBy: now + 3_600 };
  return buildTerms({ market: 'micro', place, poster, worker: stranger, ...times });
}
const offerOf = (terms: object) => ({
  ...{ terms, document, negotiationId },
  ...{ sender: poster, xmtpPublicKey: poster },
});

test('an offer comes as an envelope that only lacks its signature', async () => {
  const terms = buildMicroTerms();
  const { data } = await call('svc_build_xmtp_proposal', offerOf(terms));
  assert.equal(data.envelope.type, 'TaskProposal');
  assert.equal(data.envelope.sequence, 1);
  assert.equal(data.settlementDigest, hashTermsDocument(terms));
  const { data: template } = await call('svc_build_xmtp_acceptance_template', {
    terms,
    offerHash: data.hash,
  });
  assert.equal(template.payload.offerHash, data.hash);
  assert.equal(hashTypedData(template.typedData), data.settlementDigest, 'what both sign');
  assert.deepEqual(template.signers, { poster, worker: getAddress(stranger) });
  const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
  const signature = await account.signTypedData(data.typedData);
  const { envelope, hash } = data;
  assert.ok('signed' in parseWire(formatWire({ envelope, hash, signature })));
});

test('an offer that every reader would refuse is not built', async () => {
  const good = offerOf(buildMicroTerms());
  for (const [bad, says] of [
    [{ sender: '0x00000000000000000000000000000000000000bb' }, /sender is neither poster nor worker/],
    [{ previousHash: `0x${'ab'.repeat(32)}` }, /previousHash and sequence/],
    [{ sequence: 3 }, /previousHash and sequence/],
    [{ terms: withDigest({ ...buildMicroTerms(), acceptBy: 5 }) }, /acceptBy must be later than now/],
  ] as const) {
    const { isError, text } = await call('svc_build_xmtp_proposal', { ...good, ...bad });
    assert.equal(isError, true);
    assert.match(text, says);
  }
});

test('nobody is asked to sign terms whose end the contracts would refuse', async () => {
  const terms = buildMicroTerms();
  const offerHash = hashTermsDocument(terms);
  for (const [acceptBy, says] of [
    [5, /acceptBy must be later than now/],
    [terms.acceptBy + 30 * 86_400, /acceptBy must be within 14 days/],
  ] as const) {
    const given = { terms: withDigest({ ...terms, acceptBy }), offerHash };
    const { isError, text } = await call('svc_build_xmtp_acceptance_template', given);
    assert.equal(isError, true);
    assert.match(text, says);
  }
});

test('no offer is built, and nobody is asked to sign, where terms name another market than that of their registry', async () => {
  const lie = withDigest({ ...buildMicroTerms(), market: 'standard' });
  const offerHash = hashTermsDocument(lie);
  const says = /say standard, but their registry is that of another market: micro/;
  for (const [tool, args] of [
    ['svc_build_xmtp_proposal', offerOf(lie)],
    ['svc_build_xmtp_acceptance_template', { terms: lie, offerHash }],
  ] as const) {
    const { isError, text } = await call(tool, args);
    assert.equal(isError, true);
    assert.match(text, says);
  }
  const { data } = await call('svc_verify_settlement_digest', { terms: lie });
  assert.equal(data.matches, false, 'the digest does not cover the name of the market');
  assert.match(data.problems.join(' '), says);
});

test('a digest is compared with the terms', async () => {
  const terms = buildMicroTerms();
  const good = hashTermsDocument(terms);
  assert.equal(terms.settlementDigest, good, 'the document carries its digest');
  const { settlementDigest: _, ...bare } = terms;
  const milestones = [{ amountTokWei: '1' }, { amountTokWei: '2' }];
  const lie = { ...terms, totalAmountTokWei: '1', milestones };
  for (const [given, matches, problem] of [
    [{ terms, settlementDigest: good }, true, /^$/],
    [{ terms }, true, /^$/],
    [{ terms: bare }, null, /^$/],
    [{ terms: bare, settlementDigest: good }, true, /^$/],
    [{ terms, settlementDigest: `0x${'12'.repeat(32)}` }, false, /^/],
    [{ terms: { ...terms, deadline: terms.deadline + 1 } }, false, /in the terms is not theirs/],
    [{ terms: lie }, false, /add up/],
  ] as const) {
    const { data } = await call('svc_verify_settlement_digest', given);
    assert.equal(data.matches, matches, JSON.stringify(given));
    assert.match(data.problems.join(' '), problem);
    assert.equal(data.onChain, null);
  }
  const template = await call('svc_build_xmtp_acceptance_template', { terms: lie, offerHash: good });
  assert.equal(template.isError, true);
  assert.match(template.text, /terms are inconsistent/);
});
