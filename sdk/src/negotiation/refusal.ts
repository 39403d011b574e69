// The reasons for which an envelope stays out of a transcript.

export const refusalReasons = {
  size: 'It is larger than 256 KiB.',
  depth: 'Its payload is nested more than 64 levels deep.',
  form: 'It is not the one canonical JSON text (RFC 8785) of a signed envelope.',
  version: 'Its schemaVersion is not the one that is spoken here.',
  shape: 'It lacks a field of the envelope, or has one of another kind.',
  payload: 'Its payload lacks a field that its type requires, or has one of another kind.',
  hash: 'Its hash is not that of its envelope.',
  digest: 'Its settlementDigest is not that of its terms, or the terms contradict themselves.',
  signature: 'It is not signed by its sender.',
  acceptance: 'The signature that it brings is not one of its sender under this digest.',
  link: 'The identity that it links is not signed by that wallet.',
  time: 'Its timestamp is more than ten minutes ahead.',
  stranger: 'Its sender is no party of this negotiation.',
  negotiation: 'It belongs to another negotiation.',
  duplicate: 'It is in the transcript already.',
  sequence: 'Its place in the transcript is taken by another envelope.',
  gap: 'Envelopes before it are missing.',
  chain: 'Its previousHash is not the hash of the envelope before it.',
  overtaken: 'The other party wrote at the same time and goes first; send it again.',
  task: 'It does not name the task that the negotiation has led to.',
} as const;

export type RefusalReason = keyof typeof refusalReasons;

export type Refusal = {
  readonly reason: RefusalReason;
  /** What exactly is wrong, in words. */
  readonly detail: string;
};

export function refuse(reason: RefusalReason, detail: string = refusalReasons[reason]): Refusal {
  return { reason, detail };
}
