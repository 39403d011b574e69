// The conversations of a wallet as a list: newest first, what is unread, muted and blocked, and the newest message of each.
import { type Address, parseAddress } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import { shownGeneration } from './chainRow.ts';
import type { Database, Dialect } from './database.ts';
import { findLastFitting, type MailRow } from './mailboxes.ts';
import type { Migration } from './schema.ts';

export type ConversationListStore = ReturnType<typeof createConversationListStore>;

export type ListedRow = {
  readonly root: Hex;
  readonly negotiationId: string;
  readonly opener: Address;
  readonly other: Address;
  readonly headSequence: number;
  readonly lastAt: number;
  readonly about: string | null;
  readonly title: string | null;
  readonly settlementDigest: string | null;
  /** Of the task that an offer has become: market and number. */
  readonly task: string | null;
  readonly readSequence: number;
  readonly isUnknown: boolean;
  readonly isMuted: boolean;
  readonly isBlocked: boolean;
  /** Of the newest message; null once the operator has removed it. */
  readonly wire: string | null;
};

export type ListQuery = {
  readonly senders: 'all' | 'known' | 'unknown';
  readonly isUnread: boolean;
  readonly limit: number;
  /** Only with this wallet. */
  readonly with?: Address | undefined;
  /** Only those that name this listing or task. */
  readonly about?: string | undefined;
  /** The last conversation of the page before. */
  readonly after?: { readonly lastAt: number; readonly root: string } | undefined;
};

export type MessageQuery = {
  /** Only messages before this place. */
  readonly before: number;
  readonly limit: number;
  readonly maxBytes: number;
  /** Only those that may change what is offered, signed or vetoed. */
  readonly isTerms: boolean;
};

const maxCounted = 100;

/** Of the reader $2: from a wallet that it does not know. */
const isUnknown = 'other = $2 AND is_answered = 0 AND is_known = 0';
const ofParty = 'identity = $1 AND root = $3 AND (opener = $2 OR other = $2)';
const isUnread = 'head_sequence > COALESCE(read_sequence, 0)';
/** Of the newest message in the mailbox of the reader: the order of what came within one second. */
const place = 'COALESCE(mailbox_entries.position, 0)';

/** Those that the list has after this conversation. One that was removed since then hides nothing of its second. */
function isAfter(lastAt: string, root: string): string[] {
  const own = `COALESCE((SELECT position FROM conversations AS last JOIN mailbox_entries AS entry
    ON entry.identity = last.identity AND entry.hash = last.head_hash AND entry.wallet = $2
    WHERE last.identity = $1 AND last.root = ${root}), ${Number.MAX_SAFE_INTEGER})`;
  return [`last_at <= ${lastAt}`, `(last_at, ${place}, conversations.root) < (${lastAt}, ${own}, ${root})`];
}

/** Of a task, in lower case. PostgreSQL indexes no functions of JSON. */
const digestOf: Readonly<Record<Dialect, string>> = {
  sqlite: `CAST(lower(json_extract(task, '$.settlementDigest')) AS TEXT)`,
  postgres: `lower(substring(task from '"settlementDigest":"(0x[0-9a-fA-F]{64})"'))`,
};

const indexTasks = (dialect: Dialect) =>
  `CREATE INDEX tasks_digest ON tasks (generation, (${digestOf[dialect]}))`;

/** `moves_task` has taken its place. Removed last: from then on readers of its table wait for the end of the steps. */
const listLast = (dialect: Dialect) => [indexTasks(dialect), 'DROP INDEX IF EXISTS moves_earned'];

/** The digests of all offers of a conversation, and tasks by theirs: a task with one of them came out of it. */
export const offersStep: Migration = {
  name: 'offers of conversations',
  statements: [
    `CREATE TABLE offers (identity TEXT NOT NULL, root TEXT NOT NULL, digest TEXT NOT NULL,
      PRIMARY KEY (identity, root, digest))`,
  ],
  dialects: { sqlite: listLast('sqlite'), postgres: listLast('postgres') },
};

export function createConversationListStore(database: Database, identity: string) {
  /** Of a row with root, opener and other. */
  const linkedTask = (row: string) =>
    `(SELECT market || ':' || number FROM (SELECT ${row}.settlement_digest AS digest
         UNION ALL SELECT digest FROM offers WHERE offers.identity = $1 AND offers.root = ${row}.root) AS offered
       CROSS JOIN tasks WHERE generation = ${shownGeneration(1)} AND ${digestOf[database.dialect]} = offered.digest
         AND poster IN (${row}.opener, ${row}.other) AND worker IN (${row}.opener, ${row}.other)
     ORDER BY number DESC LIMIT 1)`;
  const marks = `LEFT JOIN conversation_marks ON conversation_marks.identity = conversations.identity
    AND conversation_marks.root = conversations.root AND conversation_marks.wallet = $2`;

  return {
    async load(
      wallet: Address,
      { senders, isUnread: onlyUnread, limit, after, about, with: partner }: ListQuery,
    ): Promise<ListedRow[]> {
      const values: (string | number)[] = [identity, addressKey(wallet), limit];
      const bind = (value: string | number) => `$${values.push(value)}`;
      const conditions = [
        ...(senders === 'all' ? [] : [senders === 'unknown' ? isUnknown : `NOT (${isUnknown})`]),
        ...(onlyUnread ? [isUnread] : []),
        ...(after === undefined ? [] : isAfter(bind(after.lastAt), bind(after.root))),
        ...(about === undefined ? [] : [`about = ${bind(about)}`]),
        ...(partner === undefined ? [] : [`${bind(addressKey(partner))} IN (opener, other)`]),
      ];
      // Each half follows its own index.
      const half = (party: string) =>
        `SELECT * FROM (SELECT conversations.*, COALESCE(read_sequence, 0) AS read_sequence, muted_at, ${place} AS place
           FROM conversations ${marks} LEFT JOIN mailbox_entries ON mailbox_entries.identity = conversations.identity
             AND mailbox_entries.hash = head_hash AND mailbox_entries.wallet = $2
           WHERE conversations.identity = $1 AND ${[`${party} = $2`, ...conditions].join(' AND ')}
           ORDER BY last_at DESC, place DESC, conversations.root DESC LIMIT $3) AS ${party}_half`;
      const rows = await database.query<StoredRow>(
        `SELECT page.*, wire, ${linkedTask('page')} AS task, EXISTS (SELECT 1 FROM blocked_wallets WHERE blocked_wallets.identity = $1
             AND wallet = $2 AND blocked IN (opener, other)) AS is_blocked
         FROM (${half('opener')} UNION ALL ${half('other')}) AS page
         JOIN messages ON messages.identity = $1 AND messages.hash = head_hash
         ORDER BY last_at DESC, place DESC, page.root DESC LIMIT $3`,
        values,
      );
      return rows.map(({ isAnswered, isKnown, mutedAt, isBlocked, opener, other, ...row }) => ({
        ...row,
        opener: parseAddress(opener),
        other: parseAddress(other),
        isUnknown: other === addressKey(wallet) && isAnswered === 0 && isKnown === 0,
        isMuted: mutedAt !== null,
        isBlocked: Boolean(isBlocked),
      }));
    },

    /** Conversations with unread messages that are not muted, up to a hundred. */
    async countUnread(wallet: Address): Promise<{ unread: number; unknown: number }> {
      const count = async (condition: string) => {
        const found = (party: string) =>
          `SELECT 1 AS found FROM conversations ${marks} WHERE conversations.identity = $1 AND ${party} = $2
             AND ${isUnread} AND muted_at IS NULL AND ${condition}`;
        const [row] = await database.query<{ count: number }>(
          `SELECT COUNT(*) AS count FROM (${found('opener')} UNION ALL ${found('other')} LIMIT ${maxCounted}) AS counted`,
          [identity, addressKey(wallet)],
        );
        return (row as { count: number }).count;
      };
      return { unread: await count(`NOT (${isUnknown})`), unknown: await count(isUnknown) };
    },

    /**
     * Newest first, as many as `maxBytes` hold, but at least one; undefined where the wallet is no party of such a
     * conversation.
     */
    async loadMessages(
      wallet: Address,
      root: string,
      { before, limit, maxBytes, isTerms }: MessageQuery,
    ): Promise<{ readonly messages: MailRow[]; readonly task: string | null } | undefined> {
      const [found] = await database.query<{ task: string | null }>(
        `SELECT ${linkedTask('conversations')} AS task FROM conversations WHERE ${ofParty}`,
        [identity, addressKey(wallet), root],
      );
      if (found === undefined) return undefined;
      const where = `messages.identity = $1 AND root = $2 AND sequence < $3 ${isTerms ? 'AND is_terms = 1' : ''}`;
      const sizes = await database.query<{ sequence: number; bytes: number }>(
        `SELECT sequence, bytes FROM messages WHERE ${where} ORDER BY sequence DESC LIMIT $4`,
        [identity, root, before, limit],
      );
      const last = findLastFitting(sizes, maxBytes);
      if (last === undefined) return { ...found, messages: [] };
      const messages = await database.query<MailRow>(
        `SELECT position, messages.hash, root, sequence, wire, received_at, block
         FROM messages JOIN mailbox_entries ON mailbox_entries.identity = messages.identity
           AND mailbox_entries.hash = messages.hash AND wallet = $4
         WHERE ${where} AND sequence >= $5 ORDER BY sequence DESC`,
        [identity, root, before, addressKey(wallet), last.sequence],
      );
      return { ...found, messages };
    },

    /** What is read never becomes unread. Undefined where the wallet is no party. */
    async saveMarks(
      wallet: Address,
      root: string,
      { read, mutedAt }: { readonly read: number; readonly mutedAt: number | null | undefined },
    ): Promise<{ readonly readSequence: number; readonly isMuted: boolean } | undefined> {
      if (!(await isParty(wallet, root))) return undefined;
      const [row] = await database.write<{ readSequence: number; mutedAt: number | null }>(
        `INSERT INTO conversation_marks (identity, wallet, root, read_sequence, muted_at)
         SELECT $1, $2, root, CASE WHEN head_sequence < $4 THEN head_sequence ELSE $4 END, CAST($5 AS BIGINT)
           FROM conversations WHERE identity = $1 AND root = $3
         ON CONFLICT (identity, wallet, root) DO UPDATE SET
           read_sequence = CASE WHEN excluded.read_sequence > conversation_marks.read_sequence
             THEN excluded.read_sequence ELSE conversation_marks.read_sequence END,
           muted_at = ${mutedAt === undefined ? 'conversation_marks.muted_at' : 'excluded.muted_at'}
         RETURNING read_sequence, muted_at`,
        [identity, addressKey(wallet), root, read, mutedAt ?? null],
      );
      return row && { readSequence: row.readSequence, isMuted: row.mutedAt !== null };
    },
  };

  async function isParty(wallet: Address, root: string): Promise<boolean> {
    const rows = await database.query(`SELECT 1 FROM conversations WHERE ${ofParty}`, [
      identity,
      addressKey(wallet),
      root,
    ]);
    return rows.length > 0;
  }
}

type StoredRow = Omit<ListedRow, 'isUnknown' | 'isMuted' | 'isBlocked'> & {
  readonly isAnswered: number;
  readonly isKnown: number;
  readonly mutedAt: number | null;
  readonly isBlocked: unknown;
};
