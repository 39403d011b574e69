// Which conversation a task is talked about in.
import type { Address } from '../domain/address.ts';
import { isOffer, isParty, type SignedEnvelope } from '../negotiation/envelope.ts';
import type { Transcript } from '../negotiation/transcript.ts';

type About = {
  readonly to: Address;
  readonly taskId: string;
  /** Of the task. */
  readonly settlementDigest?: string | null | undefined;
};

/** The newest conversation with a wallet under the terms of the task, else one that names it. */
export function findAbout(
  transcripts: readonly Transcript[],
  { to, taskId, settlementDigest }: About,
): Transcript | undefined {
  const own = transcripts.filter(({ parties }) => isParty(parties, to));
  const has = (is: (envelope: SignedEnvelope['envelope']) => boolean) =>
    own.findLast(({ entries }) => entries.some(({ envelope }) => is(envelope)));
  return (
    has(
      ({ type, payload }) =>
        isOffer(type) && String(payload.settlementDigest).toLowerCase() === settlementDigest?.toLowerCase(),
    ) ?? has((envelope) => envelope.taskId === taskId || envelope.payload.about === taskId)
  );
}
