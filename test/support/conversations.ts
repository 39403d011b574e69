// Messages as rows, for tests of lists and notices, without anybody who writes and signs them.
import type { Hex } from 'viem';
import { createConversationStore } from '#service/store/conversations.ts';
import type { Database } from '#service/store/database.ts';

type Stored = Parameters<ReturnType<typeof createConversationStore>['append']>[0];

export const hashOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;

/** The first message of a conversation between strangers, unless something else is given. */
export async function saveMessage(
  database: Database,
  given: Pick<Stored, 'root' | 'sender' | 'recipient'> & Partial<Stored>,
): Promise<void> {
  const message: Stored = {
    ...{ hash: given.root, negotiationId: given.root, sequence: 1, previousHash: given.root },
    ...{ wire: '{}', bytes: 2, title: null, settlementDigest: null, about: null },
    ...{ receivedAt: 1, block: 1, keepUntil: 9, isKnown: false, isTerms: false, isAnswer: false },
    ...given,
  };
  const counted = { since: 0, openSince: 0, openers: [] };
  await createConversationStore(database).append(message, counted, () => false);
}
