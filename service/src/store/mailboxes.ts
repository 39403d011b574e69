// Mailboxes as rows: what a wallet sent and received, by position; the wallets that it blocks; and what is swept.

import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import type { Database } from './database.ts';
import { hasRow, queryByKeys, queryColumn, removeRows, returnsRow, updateRows } from './rows.ts';
import { type Sql, sql } from './sql.ts';

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

export function createMailboxStore(database: Database, identity: string) {
  const blockOf = (wallet: Address, blocked: Address) => ({
    identity,
    wallet: addressKey(wallet),
    blocked: addressKey(blocked),
  });

  return {
    /** Oldest first, as many as `maxBytes` hold, but at least one. */
    async loadMail(wallet: Address, after: number, limit: number, maxBytes: number): Promise<MailRow[]> {
      const key = addressKey(wallet);
      const sizes = await database.query<{ position: number; bytes: number }>(sql`SELECT position, bytes
        FROM mailbox_entries JOIN messages USING (identity, hash)
         WHERE identity = ${identity} AND wallet = ${key} AND position > ${after} ORDER BY position LIMIT ${limit}`);
      const last = findLastFitting(sizes, maxBytes)?.position;
      if (last === undefined) return [];
      return database.query<MailRow>(sql`SELECT position, hash, root, sequence, wire, received_at, block
         FROM mailbox_entries JOIN messages USING (identity, hash)
         WHERE identity = ${identity} AND wallet = ${key} AND position > ${after} AND position <= ${last}
         ORDER BY position`);
    },

    /** The last position of each of these mailboxes, by the wallet's key. */
    async loadPositions(wallets: readonly Address[]): Promise<Map<Address, number>> {
      const keys = wallets.map(addressKey);
      const select = (list: Sql) =>
        sql`SELECT wallet, position FROM mailboxes WHERE identity = ${identity} AND wallet IN ${list}`;
      const rows = await queryByKeys<{ wallet: Address; position: number }>(database, keys, select);
      return new Map(rows.map(({ wallet, position }) => [wallet, position]));
    },

    hasMail: (wallet: Address): Promise<boolean> =>
      hasRow(database.query, 'mailboxes', { identity, wallet: addressKey(wallet) }),

    async saveBlock(wallet: Address, blocked: Address, now: number, limit: number): Promise<boolean> {
      const key = addressKey(wallet);
      const own = sql`(SELECT COUNT(*) FROM blocked_wallets WHERE identity = ${identity} AND wallet = ${key})`;
      return returnsRow(
        database.write,
        sql`INSERT INTO blocked_wallets (identity, wallet, blocked, created_at)
          SELECT ${identity}, ${key}, ${addressKey(blocked)}, CAST(${now} AS BIGINT)
            WHERE ${own} < CAST(${limit} AS BIGINT)
          ON CONFLICT (identity, wallet, blocked) DO UPDATE SET created_at = blocked_wallets.created_at
          RETURNING blocked`,
      );
    },

    async removeBlock(wallet: Address, blocked: Address): Promise<void> {
      await removeRows(database.write, 'blocked_wallets', blockOf(wallet, blocked));
    },

    isBlocked: (wallet: Address, blocked: Address): Promise<boolean> =>
      hasRow(database.query, 'blocked_wallets', blockOf(wallet, blocked)),

    /** Conversations whose time may be over. */
    async loadDue(before: number, limit: number): Promise<DueConversation[]> {
      return database.query<DueConversation>(sql`SELECT root, opener, other, last_at FROM conversations
         WHERE identity = ${identity} AND keep_until < ${before} ORDER BY keep_until LIMIT ${limit}`);
    },

    loadWires: (root: Hex): Promise<string[]> =>
      queryColumn(
        database.query,
        sql`SELECT wire FROM messages WHERE identity = ${identity} AND root = ${root} AND wire IS NOT NULL
          ORDER BY sequence`,
      ),

    /** Unless a message came in the meantime. */
    async keepUntil(root: Hex, until: number, lastAt: number): Promise<void> {
      await updateRows(database.write, 'conversations', { keepUntil: until }, { identity, root, lastAt });
    },

    /** The same. Positions are not used again: the heads of the mailboxes stay. */
    removeConversation: (root: Hex, lastAt: number): Promise<void> =>
      database.transaction(async (tx) => {
        if ((await removeRows(tx.query, 'conversations', { identity, root, lastAt })) === 0) return;
        await tx.query(sql`DELETE FROM mailbox_entries WHERE identity = ${identity} AND hash IN
             (SELECT hash FROM messages WHERE identity = ${identity} AND root = ${root})`);
        for (const table of ['messages', 'conversation_marks', 'offers'])
          await removeRows(tx.query, table, { identity, root });
      }),
  };
}

/** The last of these that `maxBytes` hold, or the first one. */
export function findLastFitting<Sized extends { readonly bytes: number }>(
  sizes: readonly Sized[],
  maxBytes: number,
): Sized | undefined {
  let total = 0;
  const over = sizes.findIndex(({ bytes }, at) => {
    total += bytes;
    return at > 0 && total > maxBytes;
  });
  return over === -1 ? sizes.at(-1) : sizes[over - 1];
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
