// The part of a conversation that a model reads.
import type * as z from 'zod';
import type { conversationSchema } from './showConversation.ts';

type Conversation = z.input<typeof conversationSchema>;

/** Without what only programs need: tools take root and settlementDigest in place of signatures, hashes and salts. */
export function briefConversation({
  negotiationId: _,
  untrusted: { offer, messages },
  ...shown
}: Conversation) {
  return { ...shown, untrusted: { offer: offer && briefOffer(offer), messages } };
}

function briefOffer({
  terms,
  document,
  posterSignature,
  workerSignature,
  ...offer
}: NonNullable<Conversation['untrusted']['offer']>) {
  const signedBy = [posterSignature && 'poster', workerSignature && 'worker'].filter(Boolean);
  return { ...offer, signedBy, terms: omit(terms), document: omit(document) };
}

/** Fields of terms and documents by which they are hashed and found. */
const ofPrograms = new Set([
  'chainId',
  'registryAddress',
  'criteriaHash',
  'milestonesHash',
  'salt',
  'settlementDigest',
  'blind',
  'schema',
]);

function omit(fields: Readonly<Record<string, unknown>> | undefined) {
  return fields && Object.fromEntries(Object.entries(fields).filter(([name]) => !ofPrograms.has(name)));
}
