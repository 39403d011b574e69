// Notices as rows: what each channel is to be told and when, and how far the changes and the mailboxes have been read.
import type { Market, TaskKey } from '@svc/sdk/domain';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import type { Database, Query, Transaction } from './database.ts';
import { queryEvents } from './eventRows.ts';
import type { Channel } from './noticeChannels.ts';
import { countRows, queryColumn, queryValue, removeSome, returnsRow, updateRows } from './rows.ts';
import { joinSql, type Sql, sql } from './sql.ts';

export const noticeKinds = [
  'turn',
  'last',
  'paid',
  'refunded',
  'ruled',
  'dismissed',
  'ended',
  'message',
  'proposal',
  'strangers',
  'search',
  'taken',
  'confirm',
  'test',
  'channel-failed',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export type NoticeState = 'waiting' | 'sent' | 'dropped' | 'known';

export type Notice = {
  readonly id: number;
  readonly channelId: string;
  readonly wallet: string;
  /** Empty for what is about no task. */
  readonly market: Market | '';
  readonly number: number;
  readonly episode: string;
  readonly kind: NoticeKind;
  readonly state: NoticeState;
  readonly sendAt: number;
  /** After this second it is no longer sent. */
  readonly until: number | null;
  /** It is sent once this block is safe. */
  readonly block: number | null;
  /** How often it was sent without an answer. */
  readonly unanswered: number;
  readonly updatedAt: number;
};

export type NewNotice = Omit<Notice, 'id' | 'unanswered' | 'updatedAt'>;

export const ofNoTask = (channelId: string) => ({ channelId, market: '', number: 0 }) as const;

/** A notice that is about no task. */
export function buildNotice(
  { id, wallet }: Pick<Channel, 'id' | 'wallet'>,
  kind: NoticeKind,
  episode: string,
  sendAt: number,
): NewNotice {
  return { ...ofNoTask(id), wallet, episode, kind, state: 'waiting', sendAt, until: null, block: null };
}

export type UnreadMail = {
  readonly root: string;
  readonly sender: string;
  /** Of the newest message. */
  readonly position: number;
  readonly count: number;
  readonly hasProposal: boolean;
  /** Whether the wallet has written in it or has begun it, or the two share a task. */
  readonly isKnown: boolean;
};

export type NoticeStore = ReturnType<typeof createNoticeStore>;

/** Sent rows are what keeps a notice from being sent twice; no episode lasts longer. */
const keptSeconds = 400 * 86_400;

/** A row that was dropped because its reason had gone waits again; what was sent or is known stays as it is. */
export async function saveNotices(
  tx: Transaction,
  notices: readonly NewNotice[],
  now: number,
): Promise<void> {
  for (const { channelId, wallet, market, number, episode, kind, state, sendAt, until, block } of notices)
    await tx.query(sql`INSERT INTO notices (channel_id, wallet, market, number, episode, kind, state,
      send_at, until, block, updated_at)
       VALUES (${channelId}, ${wallet}, ${market}, ${number}, ${episode}, ${kind}, ${state},
       ${sendAt}, ${until}, ${block}, ${now})
         ON CONFLICT (channel_id, market, number, episode, kind) DO UPDATE
           SET state = excluded.state, send_at = excluded.send_at, until = excluded.until, block = excluded.block
           WHERE notices.state = 'dropped' OR (notices.state = 'waiting' AND (excluded.state = 'known'
             OR notices.until <> excluded.until OR notices.block <> excluded.block))`);
}

export function createNoticeStore(database: Database) {
  const save = (tx: Transaction, notices: readonly NewNotice[], now: number): Promise<void> =>
    saveNotices(tx, notices, now);

  /** What is due, as rows with a channel that takes it. Unconfirmed ones get only their confirmation. */
  const sendable = (isDue: Sql, safeBlock: number) =>
    sql`notices JOIN notice_channels ON notice_channels.id = channel_id
      WHERE notices.state = 'waiting' AND ${isDue}
        AND (block IS NULL OR block <= ${safeBlock}) AND (notice_channels.state = 'confirmed'
          OR (notice_channels.state = 'unconfirmed' AND notices.kind = 'confirm'))`;

  async function end(query: Query, id: number, state: NoticeState, now: number): Promise<void> {
    await updateRows(query, 'notices', { state, updatedAt: now }, { id, state: 'waiting' });
  }

  return {
    /** In the transaction that moves the position among the changes. */
    async saveRead(
      tx: Transaction,
      { notices, stale, now }: { notices: readonly NewNotice[]; stale: readonly number[]; now: number },
    ): Promise<void> {
      for (const id of stale) await end(tx.query, id, 'dropped', now);
      await save(tx, notices, now);
    },

    saveNotices: (notices: readonly NewNotice[], now: number, stale: readonly number[] = []): Promise<void> =>
      database.transaction(async (tx) => {
        for (const id of stale) await end(tx.query, id, 'dropped', now);
        await save(tx, notices, now);
      }),

    end: (id: number, state: NoticeState, now: number): Promise<void> => end(database.write, id, state, now),

    /** What the channel still waits for of this episode, of these kinds, is said by a notice that was sent. */
    async settle(
      { channelId, market, number, episode }: Notice,
      kinds: readonly NoticeKind[],
      now: number,
    ): Promise<void> {
      if (kinds.length === 0) return;
      await database.write(sql`UPDATE notices SET state = 'known', updated_at = ${now}
        WHERE channel_id = ${channelId} AND market = ${market} AND number = ${number}
           AND episode = ${episode} AND state = 'waiting' AND kind IN (${joinSql(kinds, ', ')})`);
    },

    async postpone({ id, unanswered }: Notice, sendAt: number): Promise<void> {
      await updateRows(database.write, 'notices', { sendAt, unanswered }, { id, state: 'waiting' });
    },

    /** Newest first, what a channel was or is to be told about a task. */
    loadOfTask: ({ market, number }: TaskKey, channelId: string): Promise<Notice[]> =>
      database.query<Notice>(
        sql`SELECT * FROM notices WHERE channel_id = ${channelId} AND market = ${market}
          AND number = ${Number(number)} ORDER BY id DESC LIMIT 200`,
      ),

    /** Wallets that wait for a notice about the task, although it may no longer concern them. */
    loadWaitingWallets: ({ market, number }: TaskKey): Promise<string[]> =>
      queryColumn(
        database.query,
        sql`SELECT DISTINCT wallet FROM notices WHERE market = ${market}
          AND number = ${Number(number)} AND state = 'waiting'`,
      ),

    /** Channels of this kind with something to send, the one that waits longest first. */
    async loadDueChannels(
      kind: Channel['kind'],
      { now, nowMs, safeBlock, limit }: Readonly<Record<'now' | 'nowMs' | 'safeBlock' | 'limit', number>>,
    ): Promise<string[]> {
      const due = sendable(sql`send_at <= ${now}`, safeBlock);
      return queryColumn(
        database.query,
        sql`SELECT channel_id, MIN(send_at) AS first FROM ${due} AND next_try <= ${nowMs}
            AND notice_channels.kind = ${kind}
          GROUP BY channel_id ORDER BY first, channel_id LIMIT ${limit}`,
      );
    },

    /** Tasks first, so that no number of messages delays a deadline; then in the order in which they became due. */
    loadDue: (channelId: string, now: number, safeBlock: number, limit: number): Promise<Notice[]> =>
      database.query<Notice>(sql`SELECT * FROM notices WHERE channel_id = ${channelId} AND state = 'waiting' AND send_at <= ${now}
           AND (block IS NULL OR block <= ${safeBlock})
         ORDER BY CASE WHEN number > 0 THEN 0 ELSE 1 END, send_at, id LIMIT ${limit}`),

    /**
     * The seconds at which the channel was sent notices of these kinds about the same task, or about none; oldest first. `like` is a
     * pattern of their episodes.
     */
    loadSentSince: (
      { channelId, market, number }: Pick<Notice, 'channelId' | 'market' | 'number'>,
      kinds: readonly NoticeKind[],
      since: number,
      like = '%',
    ): Promise<number[]> =>
      queryColumn(
        database.query,
        sql`SELECT updated_at FROM notices WHERE channel_id = ${channelId} AND market = ${market}
          AND number = ${number} AND state = 'sent' AND updated_at > ${since}
          AND episode LIKE ${like} AND kind IN (${joinSql(kinds, ', ')}) ORDER BY updated_at`,
      ),

    /** How much waits for a channel although it is due. */
    countOverdue: (channelId: string, now: number): Promise<number> =>
      countRows(
        database.query,
        sql`notices WHERE channel_id = ${channelId} AND state = 'waiting'
          AND block IS NULL AND send_at < ${now}`,
      ),

    /** Whether a notice waits for a safe block. */
    isBlockWaiting: (): Promise<boolean> =>
      returnsRow(
        database.query,
        sql`SELECT 1 FROM notices WHERE state = 'waiting' AND block IS NOT NULL
          LIMIT 1`,
      ),

    /**
     * How much could be sent now, with what got no answer yet: a channel that has ended, or a block that is not safe yet, is no
     * failure to send.
     */
    countWaiting: (now: number, safeBlock: number): Promise<number> =>
      countRows(database.query, sendable(sql`(send_at <= ${now} OR unanswered > 0)`, safeBlock)),

    /** Events of these names of one task, oldest first. */
    loadEvents: (key: TaskKey, names: readonly string[]): Promise<ChainEvent[]> =>
      queryEvents(
        database,
        sql`${ofTask(key)} AND name IN (${joinSql(names, ', ')}) ORDER BY block_number, log_index`,
      ),

    /** The newest events of one task, newest first. */
    loadNewest: (key: TaskKey, limit: number): Promise<ChainEvent[]> =>
      queryEvents(database, sql`${ofTask(key)} ORDER BY block_number DESC, log_index DESC LIMIT ${limit}`),

    /** Wallets whose mailbox has messages that were not looked at. */
    loadMailed: (limit: number): Promise<{ wallet: string; mailPosition: number; position: number }[]> =>
      database.query(sql`SELECT wallet, mail_position, position FROM notice_wallets
        JOIN mailboxes USING (wallet)
         WHERE mailboxes.position > mail_position LIMIT ${limit}`),

    /** The newest unread message of a conversation that asks the wallet for a change of its delivery, or for its signature. */
    loadAsking: (wallet: string, root: string, after: number): Promise<string | undefined> =>
      queryValue(
        database.query,
        sql`SELECT wire FROM mailbox_entries JOIN messages USING (hash)
          WHERE wallet = ${wallet} AND position > ${after} AND root = ${root} AND sender <> ${wallet}
            AND (wire LIKE '%"type":"RevisionRequest"%' OR wire LIKE '%"chooses":"0x%')
          ORDER BY position DESC LIMIT 1`,
      ),

    /**
     * Messages of others after a position that were not read, by conversation; none of muted ones and of blocked wallets. `last` is
     * the position up to which this looked; null where nothing is left after the given one.
     */
    async loadUnread(
      wallet: string,
      after: number,
      limit: number,
    ): Promise<{ mail: UnreadMail[]; last: number | null }> {
      const page = sql`SELECT position FROM mailbox_entries WHERE wallet = ${wallet}
        AND position > ${after} ORDER BY position LIMIT ${limit}`;
      const end = sql`SELECT MAX(position) AS last FROM (${page}) AS page`;
      const last = (await queryValue<number | null>(database.query, end)) ?? null;
      if (last === null) return { mail: [], last };
      const rows = await database.query<
        Omit<UnreadMail, 'hasProposal' | 'isKnown'> & { offers: number; known: number }
      >(sql`SELECT root, sender, MAX(position) AS position, COUNT(*) AS count,
           CAST(MAX(CASE WHEN wire LIKE '%"type":"TaskProposal"%'
           OR wire LIKE '%"type":"TaskCounterOffer"%' THEN 1 ELSE 0 END) AS BIGINT) AS offers,
           CAST(MAX(CASE WHEN is_answered = 1 OR is_known = 1 OR opener = ${wallet} THEN 1 ELSE 0 END) AS BIGINT) AS known
         FROM mailbox_entries JOIN messages USING (hash) JOIN conversations USING (root)
         WHERE wallet = ${wallet} AND position > ${after} AND position <= ${last}
         AND sender <> ${wallet}
           AND NOT EXISTS (SELECT 1 FROM conversation_marks AS marks WHERE marks.wallet = ${wallet}
             AND marks.root = messages.root AND (muted_at IS NOT NULL OR read_sequence >= sequence))
           AND NOT EXISTS (SELECT 1 FROM blocked_wallets AS blocks WHERE blocks.wallet = ${wallet} AND blocked = sender)
         GROUP BY root, sender`);
      const mail = rows.map(({ offers, known, ...row }) => ({
        ...row,
        hasProposal: offers === 1,
        isKnown: known === 1,
      }));
      return { mail, last };
    },

    /** All or nothing; false where another process has looked meanwhile. */
    advanceMail: (
      wallet: string,
      from: number,
      to: number,
      { notices, now }: { notices: readonly NewNotice[]; now: number },
    ): Promise<boolean> =>
      database.transaction(async (tx) => {
        const place = { wallet, mailPosition: from };
        if ((await updateRows(tx.query, 'notice_wallets', { mailPosition: to }, place)) === 0) return false;
        await save(tx, notices, now);
        return true;
      }),

    /** Whether a notice of one of these kinds waits for the channel, about this conversation if one is named. */
    isMailWaiting: (channelId: string, kinds: readonly NoticeKind[], root: string): Promise<boolean> =>
      returnsRow(
        database.query,
        sql`SELECT 1 FROM notices WHERE channel_id = ${channelId} AND market = '' AND number = 0
          AND state = 'waiting' AND kind IN (${joinSql(kinds, ', ')}) AND episode LIKE ${`${root}%`} LIMIT 1`,
      ),

    async sweep(now: number): Promise<void> {
      const isOld = sql`updated_at < ${now - keptSeconds} AND state <> 'waiting'`;
      await removeSome(database, 'notices', 'id', isOld);
    },
  };
}

const ofTask = ({ market, number }: TaskKey) => sql`market = ${market} AND task_number = ${Number(number)}`;
