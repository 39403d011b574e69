// Two wallets that negotiate, and the envelopes they write, for tests.
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { concatHex, type Hex, numberToHex, slice } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { hashCanonical } from '#sdk/domain/canonical.ts';
import { buildTermsTypedData } from '#sdk/domain/terms.ts';
import { verifyPlainAccount } from '#sdk/domain/verifyDigest.ts';
import {
  buildEnvelope,
  type Draft,
  type Head,
  noHead,
  type SignedEnvelope,
  signEnvelope,
} from '#sdk/negotiation/envelope.ts';
import { buildTranscripts, type Transcript } from '#sdk/negotiation/transcript.ts';
import {
  buildTermsDocument,
  hashTermsDocument,
  type TaskDocument,
  toContractTerms,
} from '#sdk/rules/terms.ts';
import type { TermsDocument } from '#sdk/schemas/terms.ts';
import { createAgent } from '#service/messages/agent.ts';
import { createNegotiationStore } from '#service/messages/negotiationStore.ts';
import { createLocalTransport } from '#service/messages/transport.ts';

export const posterKey: Hex = `0x${'a1'.repeat(32)}`;
export const workerKey: Hex = `0x${'b2'.repeat(32)}`;
export const poster = privateKeyToAccount(posterKey);
export const worker = privateKeyToAccount(workerKey);
export const stranger = privateKeyToAccount(`0x${'c3'.repeat(32)}`);

export const negotiationId = '5f0c9a52-6a3e-4a53-9c6c-0d9b8a1f7f10';
/** The moment at which all of this is said. */
export const now = new Date('2026-05-01T12:00:00Z');
export const nowSeconds = now.getTime() / 1_000;
export const parties = { opener: poster.address, other: worker.address };

/** Where these terms are for: one chain, and a registry for each market. */
export const registries = {
  chainId: 8453,
  contracts: {
    standard: { taskRegistry: '0x7a5c00000000000000000000000000000000f00d' },
    micro: { taskRegistry: '0x7a5c00000000000000000000000000000000beef' },
  },
} as const;

export function buildTerms(changes: Partial<Parameters<typeof buildTermsDocument>[0]> = {}): TermsDocument {
  return buildTermsDocument({
    market: 'standard',
    place: { chainId: 8453, registry: registries.contracts.standard.taskRegistry },
    poster: poster.address,
    worker: worker.address,
    totalAmount: 500n * 10n ** 18n,
    milestones: [],
    criteriaHash: hashCanonical(documentOf(changes.milestones?.length)),
    deadline: nowSeconds + 7 * 86_400,
    reviewPeriod: 86_400,
    scope: 'private',
    negotiationId,
    acceptBy: nowSeconds + 86_400,
    ...changes,
  });
}

/** The words of the task, with as many milestones as the terms have. */
export function documentOf(milestones = 0): TaskDocument {
  return {
    schema: 'svc-task-v1',
    title: 'Test a program',
    description: 'It has none so far.',
    criteria: 'All tests pass.',
    milestones: Array.from({ length: milestones }, (_, index) => `Part ${index + 1}`),
    tags: ['code'],
    blind: `0x${'b1'.repeat(32)}`,
  };
}

export function buildOffer(
  terms: TermsDocument = buildTerms(),
  document: TaskDocument = documentOf(terms.milestones.length),
) {
  return { terms, document, settlementDigest: hashTermsDocument(terms), expiresAt: terms.acceptBy };
}

/** `writeAll` fills in the offer that an acceptance names, where none is given. */
export async function buildAcceptance(
  by: PrivateKeyAccount,
  document: TermsDocument = buildTerms(),
  offerHash: Hex = noHead.hash,
) {
  const { terms, place } = toContractTerms(document);
  const signature = await by.signTypedData(buildTermsTypedData(terms, place));
  return { settlementDigest: hashTermsDocument(document), signature, offerHash };
}

export function write(
  by: PrivateKeyAccount,
  type: string,
  payload: Record<string, unknown>,
  head: Head = noHead,
  changes: Partial<Draft> & { readonly at?: Date } = {},
): Promise<SignedEnvelope> {
  const sender = { evmAddress: by.address, xmtpPublicKey: 'test' };
  const { at = now, ...rest } = changes;
  const isOpening = head.sequence === 0 && payload.terms === undefined;
  const to = by.address === worker.address ? poster.address : worker.address;
  const draft = { type, payload: isOpening ? { to, ...payload } : payload, sender, negotiationId, ...rest };
  return signEnvelope(buildEnvelope(draft, head, at), (typedData) => by.signTypedData(typedData));
}

export type Line = readonly [
  by: PrivateKeyAccount,
  type: string,
  payload: Record<string, unknown>,
  changes?: Partial<Draft> & { readonly at?: Date },
];

/** One envelope on top of the other. */
export async function writeAll(lines: readonly Line[]): Promise<SignedEnvelope[]> {
  const written: SignedEnvelope[] = [];
  for (const [by, type, payload, changes] of lines) {
    const isOpen = payload.offerHash === noHead.hash;
    const offerHash = written.findLast(({ envelope }) => 'expiresAt' in envelope.payload)?.hash;
    const filled = isOpen && offerHash !== undefined ? { ...payload, offerHash } : payload;
    written.push(await write(by, type, filled, headAfter(written.at(-1)), changes));
  }
  return written;
}

/** The conversation that the first of them opens. */
export function transcriptOf(arrivals: readonly SignedEnvelope[]): Transcript {
  const [transcript] = buildTranscripts(arrivals).transcripts;
  if (transcript === undefined) throw new RangeError('None of them opens a conversation.');
  return transcript;
}

export function headAfter(last: SignedEnvelope | undefined): Head {
  return last === undefined ? noHead : { sequence: last.envelope.sequence, hash: last.hash };
}

/** The mailbox of a wallet in this folder, by default on the local transport that all mailboxes of the folder share. */
export function openAgent(
  context: TestContext,
  folder: string,
  { address }: PrivateKeyAccount,
  options: Partial<Pick<Parameters<typeof createAgent>[0], 'transport' | 'verify' | 'now'>> & {
    /** Stands between the agent and what it keeps and sends. */
    readonly wrap?: <T extends object>(target: T) => T;
  } = {},
) {
  const store = createNegotiationStore(join(folder, 'negotiations.sqlite'), address);
  const transport = options.transport ?? createLocalTransport(join(folder, 'mail.sqlite'), address);
  context.after(async () => {
    await transport.close();
    store.close();
  });
  const { verify = verifyPlainAccount, now = () => new Date(), wrap = (target) => target } = options;
  const agent = createAgent({ address, store: wrap(store), transport: wrap(transport), verify, now });
  return { ...agent, store, transport };
}

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Those that wallets return. */
export const goodSpellings = ['plain', 'v of 0 or 1', 'high s', 'high s, v of 0 or 1', 'compact'];

/** Every spelling of one signature of a key, the good ones first, and some that are none. */
export function spell(signature: Hex): Record<string, Hex> {
  const [r, s] = [slice(signature, 0, 32), BigInt(slice(signature, 32, 64))];
  const v = Number(slice(signature, 64));
  const build = (other: bigint, last: number) =>
    concatHex([r, numberToHex(other, { size: 32 }), numberToHex(last, { size: 1 })]);
  const high = order - s;
  return {
    plain: signature,
    'v of 0 or 1': build(s, v - 27),
    'high s': build(high, 55 - v),
    'high s, v of 0 or 1': build(high, 28 - v),
    compact: concatHex([r, numberToHex(s + (v === 28 ? 1n << 255n : 0n), { size: 32 })]),
    'other v': build(s, 55 - v),
    'v of 29': build(s, 29),
    'too long': concatHex([signature, '0x00']),
    'too short': slice(signature, 0, 63),
    none: '0x',
  };
}

/** From a first word to an agreement and a delivery: one of nearly every kind. */
export async function writeTalk(): Promise<SignedEnvelope[]> {
  const second = buildTerms({ totalAmount: 450n * 10n ** 18n });
  const taskId = 'v2:standard:7';
  const proofHash = `0x${'77'.repeat(32)}`;
  return writeAll([
    [poster, 'TaskProposal', { ...buildOffer(), rationale: 'Grüße — please look at it. 🛠' }],
    [
      worker,
      'CapabilityProof',
      { capability: 'solidity', evidence: ['https://work.example', { stars: 1.5e-7 }] },
    ],
    [worker, 'TaskCounterOffer', buildOffer(second)],
    [worker, 'TaskAcceptance', await buildAcceptance(worker, second)],
    [poster, 'TaskAcceptance', await buildAcceptance(poster, second)],
    [worker, 'DeliveryNotice', { milestone: 0, proofHash }, { taskId }],
    [poster, 'AcceptDelivery', { milestone: 0, proofHash }, { taskId }],
  ]);
}
