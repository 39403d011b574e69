// The conversations of a wallet as a list: newest first, what is unread, muted and blocked, and the newest message of each.
import { type Address, parseAddress } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { isWhole } from './chainRow.ts';
import { type ConversationRow, isUnknownRow } from './conversations.ts';
import type { Database, Dialect } from './database.ts';
import { loadFitting, type MailRow } from './mailboxes.ts';
import { countRows, returnsRow } from './rows.ts';
import { joinSql, raw, type Sql, sql } from './sql.ts';

export type ConversationListStore = ReturnType<typeof createConversationListStore>;

export type ListedRow = Pick<ConversationRow, ListedColumn> & {
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

type ListedColumn = 'root' | 'negotiationId' | 'opener' | 'other' | 'headSequence';

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

const isUnread = raw('head_sequence > COALESCE(read_sequence, 0)');
/** Of the newest message in the mailbox of the reader: the order of what came within one second. */
const place = raw('COALESCE(mailbox_entries.position, 0)');

/** Of the reader: from a wallet that it does not know. */
const isUnknown = (reader: string) => sql`other = ${reader} AND is_answered = 0 AND is_known = 0`;

/** The digest of the terms of a task, in lower case. PostgreSQL indexes no functions of JSON. */
export const digestOf: Readonly<Record<Dialect, string>> = {
  sqlite: `CAST(lower(json_extract(task, '$.settlementDigest')) AS TEXT)`,
  postgres: `lower(substring(task from '"settlementDigest":"(0x[0-9a-fA-F]{64})"'))`,
};

/** A task with the digest of an offer came out of its conversation. */
export const indexDigests = (dialect: Dialect) =>
  `CREATE INDEX tasks_digest ON tasks ((${digestOf[dialect]}))`;

export function createConversationListStore(database: Database) {
  /** Of a row with root, opener and other. */
  const linkedTask = (row: Sql) =>
    sql`(SELECT market || ':' || number FROM (SELECT ${row}.settlement_digest AS digest
         UNION ALL SELECT digest FROM offers WHERE offers.root = ${row}.root) AS offered
       CROSS JOIN tasks WHERE ${isWhole} AND ${raw(digestOf[database.dialect])} = offered.digest
         AND poster IN (${row}.opener, ${row}.other) AND worker IN (${row}.opener, ${row}.other)
     ORDER BY number DESC LIMIT 1)`;
  const marksOf = (reader: string) =>
    sql`LEFT JOIN conversation_marks ON conversation_marks.root = conversations.root AND conversation_marks.wallet = ${reader}`;
  const ofParty = (wallet: Address, root: string) =>
    sql`root = ${root} AND ${addressKey(wallet)} IN (opener, other)`;

  /** Those that the list has after this conversation. One that was removed since then hides nothing of its second. */
  const isAfter = (reader: string, { lastAt, root }: NonNullable<ListQuery['after']>) =>
    sql`last_at <= ${lastAt} AND (last_at, ${place}, conversations.root) < (${lastAt},
      COALESCE((SELECT position FROM conversations AS last JOIN mailbox_entries AS entry
        ON entry.hash = last.head_hash AND entry.wallet = ${reader}
        WHERE last.root = ${root}), ${Number.MAX_SAFE_INTEGER}), ${root})`;

  return {
    async load(
      wallet: Address,
      { senders, isUnread: onlyUnread, limit, after, about, with: partner }: ListQuery,
    ): Promise<ListedRow[]> {
      const reader = addressKey(wallet);
      const conditions = [
        ...(senders === 'all'
          ? []
          : [senders === 'unknown' ? isUnknown(reader) : sql`NOT (${isUnknown(reader)})`]),
        ...(onlyUnread ? [isUnread] : []),
        ...(after === undefined ? [] : [isAfter(reader, after)]),
        ...(about === undefined ? [] : [sql`about = ${about}`]),
        ...(partner === undefined ? [] : [sql`${addressKey(partner)} IN (opener, other)`]),
      ];
      // Each half follows its own index.
      const half = (party: Sql) =>
        sql`SELECT *
          FROM (SELECT conversations.*, COALESCE(read_sequence, 0) AS read_sequence, muted_at, ${place} AS place
           FROM conversations ${marksOf(reader)} LEFT JOIN mailbox_entries
           ON mailbox_entries.hash = head_hash AND mailbox_entries.wallet = ${reader}
           WHERE ${joinSql([sql`${party} = ${reader}`, ...conditions], ' AND ')}
           ORDER BY last_at DESC, place DESC, conversations.root DESC LIMIT ${limit}) AS ${party}_half`;
      const rows =
        await database.query<StoredRow>(sql`SELECT page.*, wire, ${linkedTask(raw('page'))} AS task,
          EXISTS (SELECT 1 FROM blocked_wallets WHERE wallet = ${reader} AND blocked IN (opener, other)) AS is_blocked
        FROM (${half(raw('opener'))} UNION ALL ${half(raw('other'))}) AS page
        JOIN messages ON messages.hash = head_hash
        ORDER BY last_at DESC, place DESC, page.root DESC LIMIT ${limit}`);
      return rows.map(({ isAnswered, isKnown, mutedAt, isBlocked, opener, other, ...row }) => ({
        ...row,
        opener: parseAddress(opener),
        other: parseAddress(other),
        isUnknown: other === reader && isUnknownRow({ isAnswered, isKnown }),
        isMuted: mutedAt !== null,
        isBlocked: Boolean(isBlocked),
      }));
    },

    /** Conversations with unread messages that are not muted, up to a hundred. */
    async countUnread(wallet: Address): Promise<{ unread: number; unknown: number }> {
      const reader = addressKey(wallet);
      const count = async (condition: Sql) => {
        const found = (party: string) =>
          sql`SELECT 1 AS found FROM conversations ${marksOf(reader)} WHERE ${raw(party)} = ${reader} AND ${isUnread} AND muted_at IS NULL AND ${condition}`;
        const counted = sql`(${found('opener')} UNION ALL ${found('other')} LIMIT ${maxCounted}) AS counted`;
        return countRows(database.query, counted);
      };
      return {
        unread: await count(sql`NOT (${isUnknown(reader)})`),
        unknown: await count(isUnknown(reader)),
      };
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
        sql`SELECT ${linkedTask(raw('conversations'))} AS task FROM conversations
          WHERE ${ofParty(wallet, root)}`,
      );
      if (found === undefined) return undefined;
      const own = sql`root = ${root} AND wallet = ${addressKey(wallet)}
        AND sequence < ${before} ${raw(isTerms ? 'AND is_terms = 1' : '')}`;
      const order = raw('sequence DESC');
      return { ...found, messages: await loadFitting(database.query, own, { order, limit, maxBytes }) };
    },

    /** What is read never becomes unread. Undefined where the wallet is no party. */
    async saveMarks(
      wallet: Address,
      root: string,
      { read, mutedAt }: { readonly read: number; readonly mutedAt: number | null | undefined },
    ): Promise<{ readonly readSequence: number; readonly isMuted: boolean } | undefined> {
      const isParty = sql`SELECT 1 FROM conversations WHERE ${ofParty(wallet, root)}`;
      if (!(await returnsRow(database.query, isParty))) return undefined;
      const [row] = await database.write<{ readSequence: number; mutedAt: number | null }>(
        sql`INSERT INTO conversation_marks (wallet, root, read_sequence, muted_at)
         SELECT ${addressKey(wallet)}, root, CASE WHEN head_sequence < ${read} THEN head_sequence
         ELSE ${read} END, CAST(${mutedAt ?? null} AS BIGINT)
           FROM conversations WHERE root = ${root}
         ON CONFLICT (wallet, root) DO UPDATE SET
           read_sequence = CASE WHEN excluded.read_sequence > conversation_marks.read_sequence
             THEN excluded.read_sequence ELSE conversation_marks.read_sequence END,
           muted_at = ${raw(mutedAt === undefined ? 'conversation_marks.muted_at' : 'excluded.muted_at')}
         RETURNING read_sequence, muted_at`,
      );
      return row && { readSequence: row.readSequence, isMuted: row.mutedAt !== null };
    },
  };
}

type StoredRow = Omit<ListedRow, 'isUnknown' | 'isMuted' | 'isBlocked'> &
  Pick<ConversationRow, 'isAnswered' | 'isKnown'> & {
    readonly mutedAt: number | null;
    readonly isBlocked: unknown;
  };
