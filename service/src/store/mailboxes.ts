// Mailboxes as rows: what a wallet sent and received, by position; the wallets that it blocks; and what is swept.

import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import type { Database, Query } from './database.ts';
import { countRows, hasRow, insertRows, queryByKeys, queryColumn, removeRows, updateRows } from './rows.ts';
import { raw, type Sql, sql } from './sql.ts';

export type MailRow = {
  readonly position: number;
  readonly hash: Hex;
  readonly root: Hex;
  readonly sequence: number;
  /** Null once the operator has removed it. */
  readonly wire: string | null;
  readonly receivedAt: number;
  /** Number of the newest block at that time. */
  readonly block: number;
};

export type DueConversation = {
  readonly root: Hex;
  readonly opener: Address;
  readonly other: Address;
  readonly lastAt: number;
};

export type MailboxStore = ReturnType<typeof createMailboxStore>;

export function createMailboxStore(database: Database) {
  const blockOf = (wallet: Address, blocked: Address) => ({
    wallet: addressKey(wallet),
    blocked: addressKey(blocked),
  });

  return {
    /** Oldest first, as many as `maxBytes` hold, but at least one. */
    loadMail(wallet: Address, after: number, limit: number, maxBytes: number): Promise<MailRow[]> {
      const own = sql`wallet = ${addressKey(wallet)} AND position > ${after}`;
      return loadFitting(database.query, own, { order: raw('position'), limit, maxBytes });
    },

    /** The last position of each of these mailboxes, by the wallet's key. */
    async loadPositions(wallets: readonly Address[]): Promise<Map<Address, number>> {
      const keys = wallets.map(addressKey);
      const select = (list: Sql) => sql`SELECT wallet, position FROM mailboxes WHERE wallet IN ${list}`;
      const rows = await queryByKeys<{ wallet: Address; position: number }>(database, keys, select);
      return new Map(rows.map(({ wallet, position }) => [wallet, position]));
    },

    hasMail: (wallet: Address): Promise<boolean> =>
      hasRow(database.query, 'mailboxes', { wallet: addressKey(wallet) }),

    /** False, and nothing is saved, where the wallet blocks `limit` others already. */
    saveBlock: (wallet: Address, blocked: Address, now: number, limit: number): Promise<boolean> =>
      database.transaction(async (tx) => {
        const block = blockOf(wallet, blocked);
        if (await hasRow(tx.query, 'blocked_wallets', block)) return true;
        const own = sql`blocked_wallets WHERE wallet = ${block.wallet}`;
        if ((await countRows(tx.query, own)) >= limit) return false;
        await insertRows(tx, 'blocked_wallets', [{ ...block, createdAt: now }], {});
        return true;
      }),

    async removeBlock(wallet: Address, blocked: Address): Promise<void> {
      await removeRows(database.write, 'blocked_wallets', blockOf(wallet, blocked));
    },

    isBlocked: (wallet: Address, blocked: Address): Promise<boolean> =>
      hasRow(database.query, 'blocked_wallets', blockOf(wallet, blocked)),

    /** Conversations whose time may be over. */
    async loadDue(before: number, limit: number): Promise<DueConversation[]> {
      return database.query<DueConversation>(sql`SELECT root, opener, other, last_at FROM conversations
         WHERE keep_until < ${before} ORDER BY keep_until LIMIT ${limit}`);
    },

    loadWires: (root: Hex): Promise<string[]> =>
      queryColumn(
        database.query,
        sql`SELECT wire FROM messages WHERE root = ${root} AND wire IS NOT NULL
          ORDER BY sequence`,
      ),

    /** Unless a message came in the meantime. */
    async keepUntil(root: Hex, until: number, lastAt: number): Promise<void> {
      await updateRows(database.write, 'conversations', { keepUntil: until }, { root, lastAt });
    },

    /** The same. Positions are not used again: the heads of the mailboxes stay. */
    removeConversation: (root: Hex, lastAt: number): Promise<void> =>
      database.transaction(async (tx) => {
        if ((await removeRows(tx.query, 'conversations', { root, lastAt })) === 0) return;
        await tx.query(sql`DELETE FROM mailbox_entries WHERE hash IN
             (SELECT hash FROM messages WHERE root = ${root})`);
        for (const table of ['messages', 'conversation_marks', 'offers'])
          await removeRows(tx.query, table, { root });
      }),
  };
}

/** The first entries of mailboxes that meet a condition, with their messages: as many as `maxBytes` hold, but at least one. */
export function loadFitting(
  query: Query,
  where: Sql,
  { order, limit, maxBytes }: { readonly order: Sql; readonly limit: number; readonly maxBytes: number },
): Promise<MailRow[]> {
  const page = sql`SELECT hash, position, sequence, bytes
    FROM mailbox_entries JOIN messages USING (hash) WHERE ${where} ORDER BY ${order} LIMIT ${limit}`;
  return query<MailRow>(sql`SELECT position, messages.hash, root, messages.sequence, wire, received_at, block
    FROM (SELECT page.*, SUM(bytes) OVER (ORDER BY ${order}) AS total FROM (${page}) AS page) AS sized
    JOIN messages ON messages.hash = sized.hash
    WHERE total <= ${maxBytes} OR total = sized.bytes ORDER BY total`);
}

/**
 * Removes the text of a message on every chain, and the title that its conversation may have of it; its hash and its place
 * stay. Returns whether there was one.
 */
export function removeMessageText(database: Database, hash: Hex): Promise<boolean> {
  return database.transaction(async (tx) => {
    const removed = await updateRows(tx.query, 'messages', { wire: null }, { hash });
    await tx.query(
      sql`UPDATE conversations SET title = NULL WHERE root IN (SELECT root FROM messages
        WHERE hash = ${hash})`,
    );
    return removed > 0;
  });
}
