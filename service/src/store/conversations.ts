// Conversations and their messages as rows. A message is added in one transaction: its place, both mailboxes, the limits.

import { type Address, parseAddress } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import type { Database, Transaction } from './database.ts';
import { epochBase } from './epoch.ts';
import type { MailRow } from './mailboxes.ts';
import { countRows, insertRows, matchRow, queryByKeys, queryValue, returnsRow, sumOf } from './rows.ts';
import { raw, type Sql, sql } from './sql.ts';

export type StoredConversation = {
  /** The hash of the first message. */
  readonly root: Hex;
  readonly negotiationId: string;
  readonly parties: { readonly opener: Address; readonly other: Address };
  readonly head: { readonly sequence: number; readonly hash: Hex };
  /** Whether nobody has answered, and the two have had no task in common. */
  readonly isUnknown: boolean;
};

export type NewMessage = Pick<MailRow, 'hash' | 'root' | 'sequence' | 'receivedAt' | 'block'> & {
  readonly negotiationId: string;
  readonly previousHash: Hex;
  readonly sender: Address;
  readonly recipient: Address;
  readonly wire: string;
  readonly bytes: number;
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
  /**
   * The same in all conversations with the recipient, those of earlier holders of the sender's collateral included; 0 where it
   * has ever answered the sender, or written first.
   */
  readonly unansweredByPair: number;
  /** Of unknown senders to the recipient, this one included; 0 where it is not one of them. */
  readonly unknown: number;
};

type DayCounts = Omit<MailCounts, 'openings' | 'unanswered' | 'unansweredByPair' | 'unknown'>;

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

export type ConversationRow = {
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

type Unknown = { readonly root: string; readonly opener: string; readonly other: string };

export function createConversationStore(database: Database) {
  /** A conversation whose messages count among those of unknown senders; a blocked wallet has no place. */
  const takesPlace = (openSince: number) =>
    sql`is_answered = 0 AND is_known = 0 AND opened_at > ${openSince}
      AND NOT EXISTS (SELECT 1 FROM blocked_wallets
        WHERE wallet = other AND blocked = opener)`;

  async function findConversation(where: Sql): Promise<StoredConversation | undefined> {
    const [row] = await database.query<ConversationRow>(sql`SELECT * FROM conversations WHERE ${where}`);
    return row && toConversation(row);
  }

  /** Returns the conversation as it is now; undefined where its place is taken. */
  async function takePlace(tx: Transaction, message: NewMessage): Promise<ConversationRow | undefined> {
    const { root, sequence, hash, receivedAt, keepUntil, isKnown, isAnswer } = message;
    const { about, title, settlementDigest } = message;
    const sender = addressKey(message.sender);
    if (sequence === 1) {
      const [opened] = await tx.query<ConversationRow>(
        sql`INSERT INTO conversations (root, negotiation_id, opener, other, head_sequence, head_hash,
            is_answered, is_known, about, title, settlement_digest, opened_at, last_at, keep_until)
          VALUES (${root}, ${message.negotiationId}, ${sender}, ${addressKey(message.recipient)}, 1, ${root},
            0, ${Number(isKnown)}, ${about}, ${title}, ${settlementDigest}, ${receivedAt}, ${receivedAt}, ${keepUntil})
          ON CONFLICT (root) DO NOTHING RETURNING *`,
      );
      return opened;
    }
    const [row] = await tx.query<ConversationRow>(
      sql`UPDATE conversations SET head_sequence = ${sequence}, head_hash = ${hash}, last_at = ${receivedAt},
          keep_until = ${keepUntil}, is_answered = CASE WHEN opener <> ${sender}
          AND ${Number(isAnswer)} = 1 THEN 1 ELSE is_answered END,
          is_known = CASE WHEN ${Number(isKnown)} = 1 THEN 1 ELSE is_known END,
          about = COALESCE(about, ${about}), title = COALESCE(${title}, title),
          settlement_digest = COALESCE(${settlementDigest}, settlement_digest)
        WHERE root = ${root} AND head_sequence = ${sequence - 1}
          AND head_hash = ${message.previousHash} RETURNING *`,
    );
    return row;
  }

  /** Locks the mailbox until the transaction ends, so that its positions appear in order. */
  async function raisePosition(tx: Transaction, wallet: Address): Promise<number> {
    const position = await queryValue<number>(
      tx.query,
      sql`INSERT INTO mailboxes (wallet, position)
        VALUES (${addressKey(wallet)}, ${raw(epochBase)} + 1)
        ON CONFLICT (wallet) DO UPDATE SET position = mailboxes.position + 1 RETURNING position`,
    );
    return position as number;
  }

  async function countMail(
    tx: Transaction,
    { root, sender, recipient }: NewMessage,
    { since, openSince, openers }: Counted,
    conversation: ConversationRow,
  ): Promise<MailCounts> {
    const [from, to] = [addressKey(sender), addressKey(recipient)];
    const [day] = await tx.query<DayCounts>(
      sql`SELECT ${sumOf('1', sql`is_dispute = 0`)} AS messages,
        ${sumOf('bytes', sql`is_dispute = 0`)} AS bytes,
          ${sumOf('1', sql`is_dispute = 1 AND recipient = ${to}`)} AS dispute_messages,
          ${sumOf('bytes', sql`is_dispute = 1 AND recipient = ${to}`)} AS dispute_bytes
        FROM messages WHERE sender = ${from} AND received_at > ${since}`,
    );
    const select = (list: Sql) => sql`SELECT COUNT(*) AS count FROM conversations
        WHERE opened_at > ${since} AND opener IN ${list}`;
    const opened = await queryByKeys<{ count: number }>(tx, openers, select);
    const openings = opened.reduce((sum, { count }) => sum + count, 0);
    const counts = { ...(day as DayCounts), openings };
    if (!isUnknownRow(conversation) || conversation.opener !== from)
      return { ...counts, unanswered: 0, unansweredByPair: 0, unknown: 0 };
    const own = await countRows(tx.query, sql`messages WHERE ${matchRow({ root, sender: from })}`);
    const unknown = await queryValue<number>(
      tx.query,
      sql`SELECT ${sumOf('head_sequence')} AS unknown FROM conversations
        WHERE other = ${to} AND ${takesPlace(openSince)}`,
    );
    const ofPair = await queryByKeys<{ count: number }>(
      tx,
      [...new Set([from, ...openers])],
      (list) => sql`SELECT COUNT(*) AS count FROM conversations JOIN messages USING (root)
        WHERE other = ${to} AND opener IN ${list} AND sender = opener AND ${takesPlace(openSince)}`,
    );
    const hasWritten = await returnsRow(
      tx.query,
      sql`SELECT 1 FROM conversations WHERE (opener = ${from} AND other = ${to} AND is_answered = 1 OR opener = ${to} AND other = ${from}) LIMIT 1`,
    );
    const unansweredByPair = hasWritten ? 0 : ofPair.reduce((sum, { count }) => sum + count, 0) + 1;
    return { ...counts, unanswered: own + 1, unansweredByPair, unknown: unknown as number };
  }

  return {
    /** How many places of unknown senders are taken in the mailbox that has most of them. */
    async loadMostUnknown(openSince: number): Promise<number> {
      const most = await queryValue<number>(
        database.query,
        sql`SELECT ${sumOf('head_sequence')} AS unknown FROM conversations
          WHERE ${takesPlace(openSince)} GROUP BY other ORDER BY unknown DESC LIMIT 1`,
      );
      return most ?? 0;
    },

    findByRoot: (root: Hex) => findConversation(sql`root = ${root}`),

    /** The conversation that holds this message, and the place of the message in it. */
    async findByMessage(
      hash: Hex,
    ): Promise<{ conversation: StoredConversation; sequence: number } | undefined> {
      const [row] = await database.query<
        ConversationRow & { sequence: number }
      >(sql`SELECT conversations.*, sequence FROM messages JOIN conversations USING (root)
         WHERE hash = ${hash}`);
      return row && { conversation: toConversation(row), sequence: row.sequence };
    },

    /** Conversations that nobody has answered, of two that have had no task in common; in the order of their roots. */
    listUnknown: (after: string, limit: number): Promise<Unknown[]> =>
      database.query<Unknown>(sql`SELECT root, opener, other FROM conversations
        WHERE is_answered = 0 AND is_known = 0 AND root > ${after} ORDER BY root LIMIT ${limit}`),

    /** Those that were opened to one of these wallets, which have an index of their own and are limited. */
    listUnknownTo: (wallets: readonly string[]): Promise<Unknown[]> =>
      queryByKeys<Unknown>(
        database,
        wallets,
        (list) => sql`SELECT root, opener, other FROM conversations
          WHERE is_answered = 0 AND is_known = 0 AND other IN ${list}`,
      ),

    async saveKnown(tx: Transaction, roots: readonly string[]): Promise<void> {
      await queryByKeys(
        tx,
        roots,
        (list) => sql`UPDATE conversations SET is_known = 1 WHERE root IN ${list}`,
      );
    },

    /** The newest conversation of this wallet under a negotiation id, which several may have. */
    findByNegotiation: (negotiationId: string, wallet: Address) =>
      findConversation(sql`negotiation_id = ${negotiationId} AND ${addressKey(wallet)} IN (opener, other)
        ORDER BY last_at DESC, root LIMIT 1`),

    async findMessage(hash: Hex): Promise<StoredMessage | undefined> {
      const [row] = await database.query<
        StoredMessage & { isRemoved: unknown }
      >(sql`SELECT messages.hash, recipient, received_at, position, wire IS NULL AS is_removed
         FROM messages JOIN mailbox_entries ON mailbox_entries.hash = messages.hash AND wallet = sender
         WHERE messages.hash = ${hash}`);
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
        const row = { hash, root, sequence, ...parties, ...facts };
        await insertRows(tx, 'messages', [row]);
        const { settlementDigest: digest } = message;
        if (digest !== null) await insertRows(tx, 'offers', [{ root, digest }], {});
        const entries = [...positions].map(([wallet, position]) => ({ wallet, position, hash }));
        await insertRows(tx, 'mailbox_entries', entries);
        // A writer has read what it builds upon.
        await tx.query(sql`INSERT INTO conversation_marks (wallet, root, read_sequence)
          VALUES (${parties.sender}, ${root}, ${sequence})
           ON CONFLICT (wallet, root) DO UPDATE SET read_sequence = excluded.read_sequence`);
        await tx.notify(mailChannel);
        return { kind: 'stored', position: positions.get(addressKey(message.sender)) as number };
      }),
  };
}

/** Nobody has answered, and the two have had no task in common. */
export function isUnknownRow({ isAnswered, isKnown }: Pick<ConversationRow, 'isAnswered' | 'isKnown'>) {
  return isAnswered === 0 && isKnown === 0;
}

function toConversation(row: ConversationRow): StoredConversation {
  return {
    root: row.root,
    negotiationId: row.negotiationId,
    parties: { opener: parseAddress(row.opener), other: parseAddress(row.other) },
    head: { sequence: row.headSequence, hash: row.headHash },
    isUnknown: isUnknownRow(row),
  };
}
