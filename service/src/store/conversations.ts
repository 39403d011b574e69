// Conversations and their messages as rows. A message is added in one transaction: its place, both mailboxes, the limits.

import { type Address, parseAddress } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import type { Database, Transaction } from './database.ts';
import { epochBase } from './epoch.ts';
import { insertRows, queryByKeys } from './rows.ts';

export type StoredConversation = {
  /** The hash of the first message. */
  readonly root: Hex;
  readonly negotiationId: string;
  readonly parties: { readonly opener: Address; readonly other: Address };
  readonly head: { readonly sequence: number; readonly hash: Hex };
  /** Whether nobody has answered, and the two have had no task in common. */
  readonly isUnknown: boolean;
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
  /** Whether sender and recipient share a task. */
  readonly isKnown: boolean;
  /** Whether it may change what is offered, signed or vetoed. */
  readonly isTerms: boolean;
  /** Of an offer: its title and its settlement digest. */
  readonly title: string | null;
  readonly settlementDigest: string | null;
  /** The listing or task that it names. */
  readonly about: string | null;
  /** Whether it answers the party that opened the conversation, where it is not of that party. */
  readonly isAnswer: boolean;
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
  /** Conversations that the sender and the earlier holders of its collateral opened in the time that counts. */
  readonly openings: number;
  /** Of the sender in that time, without those of a dispute. */
  readonly messages: number;
  readonly bytes: number;
  /** Of the sender to this recipient in that time, on the allowance of a dispute. */
  readonly disputeMessages: number;
  readonly disputeBytes: number;
  /** Of the sender in this conversation, this one included, while a recipient whom it does not know has not answered. */
  readonly unanswered: number;
  /** Of unknown senders to the recipient, this one included; 0 where it is not one of them. */
  readonly unknown: number;
};

/** From which moments on what counts, and for whom. */
export type Counted = {
  readonly since: number;
  /** An unanswered opening from before takes no place any more. */
  readonly openSince: number;
  /** The sender, and the earlier holders of its collateral. */
  readonly openers: readonly string[];
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
  readonly isKnown: number;
  readonly openedAt: number;
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

  /** Returns the conversation as it is now; undefined where its place is taken. */
  async function takePlace(tx: Transaction, message: NewMessage): Promise<ConversationRow | undefined> {
    const { root, sequence, hash, receivedAt, keepUntil, isKnown, isAnswer } = message;
    const { about, title, settlementDigest } = message;
    const sender = addressKey(message.sender);
    if (sequence === 1) {
      const parties = [sender, addressKey(message.recipient)];
      const [opened] = await tx.query<ConversationRow>(
        `INSERT INTO conversations (identity, root, negotiation_id, opener, other, head_sequence, head_hash,
           is_answered, is_known, about, title, settlement_digest, opened_at, last_at, keep_until)
         VALUES ($1, $2, $3, $4, $5, 1, $2, 0, $8, $9, $10, $11, $6, $6, $7)
         ON CONFLICT (identity, root) DO NOTHING RETURNING *`,
        [
          ...[identity, root, message.negotiationId, ...parties, receivedAt, keepUntil, Number(isKnown)],
          ...[about, title, settlementDigest],
        ],
      );
      return opened;
    }
    const [row] = await tx.query<ConversationRow>(
      `UPDATE conversations SET head_sequence = $3, head_hash = $4, last_at = $5, keep_until = $6,
         is_answered = CASE WHEN opener = $7 OR $9 = 0 THEN is_answered ELSE 1 END,
         is_known = CASE WHEN $10 = 1 THEN 1 ELSE is_known END,
         about = COALESCE(about, $11), title = COALESCE($12, title),
         settlement_digest = COALESCE($13, settlement_digest)
       WHERE identity = $1 AND root = $2 AND head_sequence = $3 - 1 AND head_hash = $8 RETURNING *`,
      [
        ...[identity, root, sequence, hash, receivedAt, keepUntil, sender, message.previousHash],
        ...[Number(isAnswer), Number(isKnown), about, title, settlementDigest],
      ],
    );
    return row;
  }

  /** Locks the mailbox until the transaction ends, so that its positions appear in order. */
  async function raisePosition(tx: Transaction, wallet: Address): Promise<number> {
    const [row] = await tx.query<{ position: number }>(
      `INSERT INTO mailboxes (identity, wallet, position) VALUES ($1, $2, ${epochBase} + 1)
       ON CONFLICT (identity, wallet) DO UPDATE SET position = mailboxes.position + 1 RETURNING position`,
      [identity, addressKey(wallet)],
    );
    return (row as { position: number }).position;
  }

  async function countMail(
    tx: Transaction,
    { root, sender, recipient }: NewMessage,
    { since, openSince, openers }: Counted,
    conversation: ConversationRow,
  ): Promise<MailCounts> {
    const [from, to] = [addressKey(sender), addressKey(recipient)];
    const [day] = await tx.query<Omit<MailCounts, 'openings' | 'unanswered' | 'unknown'>>(
      `SELECT ${sumOf('1', 'is_dispute = 0')} AS messages, ${sumOf('bytes', 'is_dispute = 0')} AS bytes,
         ${sumOf('1', 'is_dispute = 1 AND recipient = $4')} AS dispute_messages,
         ${sumOf('bytes', 'is_dispute = 1 AND recipient = $4')} AS dispute_bytes
       FROM messages WHERE identity = $1 AND sender = $2 AND received_at > $3`,
      [identity, from, since, to],
    );
    const opened = await queryByKeys<{ count: number }>(
      tx,
      `SELECT COUNT(*) AS count FROM conversations WHERE identity = $1 AND opened_at > $2 AND opener IN {keys}`,
      [identity, since],
      openers,
    );
    const openings = opened.reduce((sum, { count }) => sum + count, 0);
    const counts = { ...(day as Omit<MailCounts, 'openings' | 'unanswered' | 'unknown'>), openings };
    if (!isUnknown(conversation) || conversation.opener !== from)
      return { ...counts, unanswered: 0, unknown: 0 };
    const [own] = await tx.query<{ count: number }>(
      'SELECT COUNT(*) AS count FROM messages WHERE identity = $1 AND root = $2 AND sender = $3',
      [identity, root, from],
    );
    const [open] = await tx.query<{ unknown: number }>(
      `SELECT ${sumOf('head_sequence', 'TRUE')} AS unknown FROM conversations WHERE other = $3 AND ${takesPlace}`,
      [identity, openSince, to],
    );
    return {
      ...counts,
      unanswered: (own as { count: number }).count + 1,
      unknown: (open as { unknown: number }).unknown,
    };
  }

  return {
    /** How many places of unknown senders are taken in the mailbox that has most of them. */
    async loadMostUnknown(openSince: number): Promise<number> {
      const [row] = await database.query<{ unknown: number }>(
        `SELECT ${sumOf('head_sequence', 'TRUE')} AS unknown FROM conversations WHERE ${takesPlace}
         GROUP BY other ORDER BY unknown DESC LIMIT 1`,
        [identity, openSince],
      );
      return row?.unknown ?? 0;
    },

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

    /**
     * `check` returns whether the message counts on the allowance of a dispute, and throws where a limit is reached; then
     * nothing was stored or counted.
     */
    append: (
      message: NewMessage,
      counted: Counted,
      check: (counts: MailCounts) => boolean,
    ): Promise<Appended> =>
      database.transaction(async (tx) => {
        const conversation = await takePlace(tx, message);
        if (conversation === undefined) return { kind: 'taken' };
        // In one order for all, so that two messages between the same wallets never wait for each other.
        const positions = new Map<Address, number>();
        for (const wallet of [message.sender, message.recipient].map(addressKey).sort())
          positions.set(wallet, await raisePosition(tx, wallet));
        const isDispute = Number(check(await countMail(tx, message, counted, conversation)));
        const { hash, root, sequence, wire, bytes, receivedAt, block } = message;
        const parties = { sender: addressKey(message.sender), recipient: addressKey(message.recipient) };
        const isTerms = Number(message.isTerms);
        const facts = { wire, bytes, isTerms, isDispute, receivedAt, block };
        const row = { identity, hash, root, sequence, ...parties, ...facts };
        await insertRows(tx, 'messages', [row]);
        const { settlementDigest: digest } = message;
        if (digest !== null) await insertRows(tx, 'offers', [{ identity, root, digest }], {});
        const entries = [...positions].map(([wallet, position]) => ({ identity, wallet, position, hash }));
        await insertRows(tx, 'mailbox_entries', entries);
        // A writer has read what it builds upon.
        await tx.query(
          `INSERT INTO conversation_marks (identity, wallet, root, read_sequence) VALUES ($1, $2, $3, $4)
           ON CONFLICT (identity, wallet, root) DO UPDATE SET read_sequence = excluded.read_sequence`,
          [identity, parties.sender, root, sequence],
        );
        await tx.notify(mailChannel);
        return { kind: 'stored', position: positions.get(addressKey(message.sender)) as number };
      }),
  };
}

function isUnknown({ isAnswered, isKnown }: ConversationRow): boolean {
  return isAnswered === 0 && isKnown === 0;
}

/** A conversation whose messages count among those of unknown senders; a blocked wallet has no place. */
const takesPlace = `identity = $1 AND is_answered = 0 AND is_known = 0 AND opened_at > $2
  AND NOT EXISTS (SELECT 1 FROM blocked_wallets WHERE blocked_wallets.identity = $1 AND wallet = other AND blocked = opener)`;

function sumOf(value: string, condition: string): string {
  return `CAST(COALESCE(SUM(CASE WHEN ${condition} THEN ${value} ELSE 0 END), 0) AS BIGINT)`;
}

function toConversation(row: ConversationRow): StoredConversation {
  return {
    root: row.root,
    negotiationId: row.negotiationId,
    parties: { opener: parseAddress(row.opener), other: parseAddress(row.other) },
    head: { sequence: row.headSequence, hash: row.headHash },
    isUnknown: isUnknown(row),
  };
}
