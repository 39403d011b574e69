// Which messages the reader has not seen: the last seen place of each conversation is kept in this browser.
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { senderOf, type Transcript } from '@svc/sdk/negotiation';
import { readText, saveText } from '#data/savedText.ts';
import { messagesOf } from './usePapers.ts';

/** Messages of the other party after the last place that the reader has seen. */
export function countUnread(transcript: Transcript, own: Address): number {
  const seen = Number(readText(seenName(own, transcript.root))) || 0;
  return messagesOf(transcript).filter(
    (signed) => signed.envelope.sequence > seen && !isSameAddress(senderOf(signed), own),
  ).length;
}

export function markSeen(transcript: Transcript, own: Address): void {
  const places = messagesOf(transcript).map(({ envelope }) => envelope.sequence);
  saveText(seenName(own, transcript.root), String(Math.max(0, ...places)));
}

const seenName = (own: Address, root: string) => `seen:${own.toLowerCase()}:${root}`;
