// Conversations and their messages as rows. A message is added in one transaction: its place, both mailboxes, the limits.

import { type Address, parseAddress } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import type { Database, Transaction } from './database.ts';
import { insertRows } from './rows.ts';

export type StoredConversation = {
  /** The hash of the first message. */
  readonly root: Hex;
  readonly negotiationId: string;
  readonly parties: { readonly opener: Address; readonly other: Address };
  readonly head: { readonly sequence: number; readonly hash: Hex };
};

export type NewMessage = {
  readonly hash: Hex;
  readonly root: Hex;
  readonly negotiationId: string;
  readonly sequence: number;
  readonly previousHash: Hex;
  readonly sender: Address;
  readonly recipient: Address;
  readonly wire: string;
  readonly bytes: number;
  readonly receivedAt: number;
  /** Number of the newest block. */
  readonly block: number;
  readonly keepUntil: number;
};

export type StoredMessage = {
  readonly hash: Hex;
  readonly recipient: Address;
  readonly receivedAt: number;
  /** In the mailbox of its sender. */
  readonly position: number;
  readonly isRemoved: boolean;
};

/** What a sender has stored, and what waits for the recipient; counted while both mailboxes are locked. */
export type MailCounts = {
  /** Of the sender, since the moment that was given. */
  readonly openings: number;
  readonly messages: number;
  readonly bytes: number;
  /** Of the sender in this conversation, while the other party has not written. */
  readonly unanswered: number;
  /** To the recipient, in all conversations that it has not answered. */
  readonly waiting: number;
};

export type Appended =
  | { readonly kind: 'stored'; readonly position: number }
  /** The place is no longer free. */
  | { readonly kind: 'taken' };

export type ConversationStore = ReturnType<typeof createConversationStore>;

/** Notified after every new message. */
export const mailChannel = 'svc_mail';

type ConversationRow = {
  readonly root: Hex;
  readonly negotiationId: string;
  readonly opener: Address;
  readonly other: Address;
  readonly headSequence: number;
  readonly headHash: Hex;
  readonly isAnswered: number;
};

export function createConversationStore(database: Database, identity: string) {
  async function findConversation(
    where: string,
    ...params: string[]
  ): Promise<StoredConversation | undefined> {
    const [row] = await database.query<ConversationRow>(
      `SELECT * FROM conversations WHERE identity = $1 AND ${where}`,
      [identity, ...params],
    );
    return row && toConversation(row);
  }

  /** Returns whether the conversation was answered by now; null where its place is taken. */
  async function takePlace(tx: Transaction, message: NewMessage): Promise<boolean | null> {
    const { root, sequence, hash, receivedAt, keepUntil } = message;
    const sender = addressKey(message.sender);
    if (sequence === 1) {
      const rows = await tx.query(
        `INSERT INTO conversations (identity, root, negotiation_id, opener, other, head_sequence, head_hash,
           is_answered, last_at, keep_until) VALUES ($1, $2, $3, $4, $5, 1, $2, 0, $6, $7)
         ON CONFLICT (identity, root) DO NOTHING RETURNING root`,
        [identity, root, message.negotiationId, sender, addressKey(message.recipient), receivedAt, keepUntil],
      );
      return rows.length === 1 ? false : null;
    }
    const [row] = await tx.query<ConversationRow>(
      `UPDATE conversations SET head_sequence = $3, head_hash = $4, last_at = $5, keep_until = $6,
         is_answered = CASE WHEN opener = $7 THEN is_answered ELSE 1 END
       WHERE identity = $1 AND root = $2 AND head_sequence = $3 - 1 AND head_hash = $8 RETURNING *`,
      [identity, root, sequence, hash, receivedAt, keepUntil, sender, message.previousHash],
    );
    return row === undefined ? null : row.isAnswered === 1;
  }

  /** Locks the mailbox until the transaction ends, so that its positions appear in order. */
  async function raisePosition(tx: Transaction, wallet: Address): Promise<number> {
    const [row] = await tx.query<{ position: number }>(
      `INSERT INTO mailboxes (identity, wallet, position) VALUES ($1, $2, 1)
       ON CONFLICT (identity, wallet) DO UPDATE SET position = mailboxes.position + 1 RETURNING position`,
      [identity, addressKey(wallet)],
    );
    return (row as { position: number }).position;
  }

  async function countMail(
    tx: Transaction,
    { root, sender, recipient }: NewMessage,
    since: number,
    isAnswered: boolean,
  ): Promise<MailCounts> {
    const [day] = await tx.query<{ messages: number; openings: number; bytes: number }>(
      `SELECT COUNT(*) AS messages, CAST(COALESCE(SUM(CASE WHEN sequence = 1 THEN 1 ELSE 0 END), 0) AS BIGINT) AS openings,
         CAST(COALESCE(SUM(bytes), 0) AS BIGINT) AS bytes
       FROM messages WHERE identity = $1 AND sender = $2 AND received_at > $3`,
      [identity, addressKey(sender), since],
    );
    const counts = day as { messages: number; openings: number; bytes: number };
    if (isAnswered) return { ...counts, unanswered: 0, waiting: 0 };
    const [open] = await tx.query<{ unanswered: number; waiting: number }>(
      `SELECT CAST(COALESCE(SUM(CASE WHEN root = $3 THEN head_sequence ELSE 0 END), 0) AS BIGINT) AS unanswered,
         CAST(COALESCE(SUM(head_sequence), 0) AS BIGINT) AS waiting
       FROM conversations WHERE identity = $1 AND other = $2 AND is_answered = 0`,
      [identity, addressKey(recipient), root],
    );
    return { ...counts, ...(open as { unanswered: number; waiting: number }) };
  }

  return {
    findByRoot: (root: Hex) => findConversation('root = $2', root),

    /** The conversation that holds this message, and the place of the message in it. */
    async findByMessage(
      hash: Hex,
    ): Promise<{ conversation: StoredConversation; sequence: number } | undefined> {
      const [row] = await database.query<ConversationRow & { sequence: number }>(
        `SELECT conversations.*, sequence FROM messages JOIN conversations USING (identity, root)
         WHERE identity = $1 AND hash = $2`,
        [identity, hash],
      );
      return row && { conversation: toConversation(row), sequence: row.sequence };
    },

    /** The newest conversation of this wallet under a negotiation id, which several may have. */
    findByNegotiation: (negotiationId: string, wallet: Address) =>
      findConversation(
        'negotiation_id = $2 AND (opener = $3 OR other = $3) ORDER BY last_at DESC LIMIT 1',
        negotiationId,
        addressKey(wallet),
      ),

    async findMessage(hash: Hex): Promise<StoredMessage | undefined> {
      const [row] = await database.query<StoredMessage & { isRemoved: unknown }>(
        `SELECT messages.hash, recipient, received_at, position, wire IS NULL AS is_removed
         FROM messages JOIN mailbox_entries ON mailbox_entries.identity = messages.identity AND mailbox_entries.hash = messages.hash
           AND wallet = sender
         WHERE messages.identity = $1 AND messages.hash = $2`,
        [identity, hash],
      );
      return row && { ...row, isRemoved: Boolean(row.isRemoved) };
    },

    /** `check` throws where a limit is reached; then nothing was stored or counted. */
    append: (message: NewMessage, since: number, check: (counts: MailCounts) => void): Promise<Appended> =>
      database.transaction(async (tx) => {
        const isAnswered = await takePlace(tx, message);
        if (isAnswered === null) return { kind: 'taken' };
        // In one order for all, so that two messages between the same wallets never wait for each other.
        const positions = new Map<Address, number>();
        for (const wallet of [message.sender, message.recipient].map(addressKey).sort())
          positions.set(wallet, await raisePosition(tx, wallet));
        check(await countMail(tx, message, since, isAnswered));
        const { hash, root, sequence, wire, bytes, receivedAt, block } = message;
        const parties = { sender: addressKey(message.sender), recipient: addressKey(message.recipient) };
        const row = { identity, hash, root, sequence, ...parties, wire, bytes, receivedAt, block };
        await insertRows(tx, 'messages', [row]);
        const entries = [...positions].map(([wallet, position]) => ({ identity, wallet, position, hash }));
        await insertRows(tx, 'mailbox_entries', entries);
        await tx.notify(mailChannel);
        return { kind: 'stored', position: positions.get(addressKey(message.sender)) as number };
      }),
  };
}

function toConversation(row: ConversationRow): StoredConversation {
  return {
    root: row.root,
    negotiationId: row.negotiationId,
    parties: { opener: parseAddress(row.opener), other: parseAddress(row.other) },
    head: { sequence: row.headSequence, hash: row.headHash },
  };
}
