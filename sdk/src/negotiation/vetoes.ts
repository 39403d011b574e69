// Which vetoes are in force: those that the transcript holds, and those that the other party wrote past.
import { type Address, addressKey, parseAddress } from '#domain/address.ts';
import type { Payload } from '#schemas/envelope.ts';
import { type SignedEnvelope, senderOf } from './envelope.ts';
import type { RefusalReason } from './refusal.ts';
import type { Transcript } from './transcript.ts';

export type Veto = { readonly by: Address; readonly supervisor: Address; readonly reason: string };

/** Only whoever passed a veto on can pass its withdrawal on, in the name of the same supervisor. */
export function applyVeto(vetoes: readonly Veto[], entry: SignedEnvelope): readonly Veto[] {
  const veto = readVeto(entry);
  const others = vetoes.filter((other) => keyOf(other) !== keyOf(veto));
  return isWithdrawal(entry) ? others : [...others, veto];
}

/** How a veto that lost its place to an envelope of the same time is called, by the one who wrote it and by the other. */
const lostPlace: readonly RefusalReason[] = ['overtaken', 'sequence', 'chain'];

/**
 * With those that lost their place in the transcript. Else the opener, who goes first, could undo the other's veto by
 * writing anything beside it. Only a withdrawal that the transcript holds, at their place or later, ends them.
 */
export function addLostVetoes(vetoes: readonly Veto[], { entries, refused }: Transcript): readonly Veto[] {
  const known = new Set(vetoes.map(keyOf));
  const lost = new Map<string, Veto>();
  for (const { signed, refusal } of refused) {
    if (!isVeto(signed) || isWithdrawal(signed) || !lostPlace.includes(refusal.reason)) continue;
    const veto = readVeto(signed);
    const key = keyOf(veto);
    const end = entries.findLast((entry) => isWithdrawal(entry) && keyOf(readVeto(entry)) === key);
    const isEnded = end !== undefined && end.envelope.sequence >= signed.envelope.sequence;
    if (!isEnded && !known.has(key)) lost.set(key, veto);
  }
  return [...vetoes, ...lost.values()];
}

function isVeto({ envelope }: SignedEnvelope): boolean {
  return envelope.type === 'SupervisorVeto';
}

function isWithdrawal(signed: SignedEnvelope): boolean {
  return isVeto(signed) && signed.envelope.payload.withdrawn === true;
}

function readVeto(signed: SignedEnvelope): Veto {
  const { supervisor, reason } = signed.envelope.payload as Payload<'SupervisorVeto'>;
  return { by: senderOf(signed), supervisor: parseAddress(supervisor), reason };
}

function keyOf({ by, supervisor }: Veto): string {
  return `${addressKey(by)} ${addressKey(supervisor)}`;
}
