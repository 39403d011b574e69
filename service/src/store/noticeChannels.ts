// Where wallets can be reached: channels with encrypted addresses, the limits of new ones, and addresses that want nothing.
import type { NoticeChannel } from '@svc/sdk/internal/schemas/notifications';
import type { Database, Query, Transaction } from './database.ts';
import {
  countRows,
  findRow,
  hasRow,
  insertNew,
  insertRows,
  keepSecret,
  matchRow,
  queryByKeys,
  queryColumn,
  removeRows,
  removeSome,
  takeTurn,
  updateRows,
} from './rows.ts';
import { type Sql, sql } from './sql.ts';

export type Channel = {
  readonly id: string;
  readonly wallet: string;
  readonly kind: NoticeChannel['kind'];
  /** Encrypted. */
  readonly address: string;
  readonly addressHash: string;
  readonly state: NoticeChannel['state'];
  readonly sinceBlock: number;
  /** In a row. */
  readonly failures: number;
  /** In milliseconds. */
  readonly nextTry: number;
  /** Why the last attempt failed; null after a good one. */
  readonly error: string | null;
  readonly sentAt: number | null;
  readonly createdAt: number;
};

export type Quiet = {
  readonly quietFrom: number | null;
  readonly quietTo: number | null;
  readonly timeZone: string;
};

export type ChannelLimits = {
  readonly channels: number;
  /** New ones of this kind and wallet in a day. */
  readonly perDay: number;
  /** Confirmations of one address in a day, and in all until it is confirmed; null without such a limit. */
  readonly perAddress: { readonly day: number; readonly ever: number } | null;
};

/** Why a channel is not added. */
export type AddRefusal = 'refused' | 'channels' | 'wallet' | 'address';

export type ChannelStore = ReturnType<typeof createChannelStore>;

const day = 86_400;
/** After this an unconfirmed address is forgotten. */
const confirmSeconds = 7 * day;

export function createChannelStore(database: Database) {
  async function remove(tx: Transaction, id: string): Promise<void> {
    await removeRows(tx.query, 'notices', { channelId: id });
    await removeRows(tx.query, 'notice_channels', { id });
  }

  const find = (query: Query, id: string): Promise<Channel | undefined> =>
    findRow(query, 'notice_channels', { id });

  return {
    /** The fingerprint of the first key that was used with this database. */
    keepFingerprint: (fingerprint: string): Promise<string> => keepSecret(database, 'contacts', fingerprint),

    /** The keys by which push services know this market, made once; encrypted. */
    keepPushKeys: (sealed: string): Promise<string> => keepSecret(database, 'push', sealed),

    listChannels: (wallet: string): Promise<Channel[]> =>
      database.query<Channel>(
        sql`SELECT * FROM notice_channels WHERE wallet = ${wallet}
          ORDER BY created_at, id`,
      ),

    findChannel: (id: string): Promise<Channel | undefined> => find(database.query, id),

    hasChannels: (): Promise<boolean> => hasRow(database.query, 'notice_channels', { state: 'confirmed' }),

    /** Every wallet with a confirmed channel. */
    listWallets: (): Promise<string[]> =>
      queryColumn(database.query, sql`SELECT DISTINCT wallet FROM notice_channels WHERE state = 'confirmed'`),

    /** Confirmed ones of these wallets. */
    async loadConfirmed(wallets: readonly string[]): Promise<Channel[]> {
      const select = (list: Sql) => sql`SELECT * FROM notice_channels
        WHERE state = 'confirmed' AND wallet IN ${list}`;
      return queryByKeys(database, wallets, select);
    },

    /** Also counts the request. The channel that this wallet has with the address is used again. */
    addChannel: (
      made: Pick<Channel, 'id' | 'wallet' | 'kind' | 'address' | 'addressHash'>,
      limits: ChannelLimits,
      now: number,
    ): Promise<{ channel: Channel } | { refusal: AddRefusal }> =>
      database.transaction(async (tx) => {
        const { wallet, kind, addressHash } = made;
        await takeTurn(tx, `contact ${wallet}`);
        await takeTurn(tx, `contact ${addressHash}`);
        if (await hasRow(tx.query, 'refused_contacts', { addressHash })) return { refusal: 'refused' };
        const place = { wallet, addressHash };
        const known = await findRow<Channel>(tx.query, 'notice_channels', place);
        if (known?.state === 'confirmed') return { channel: known };
        const own = await countRows(tx.query, sql`notice_channels WHERE ${matchRow({ wallet })}`);
        if (known === undefined && own >= limits.channels) return { refusal: 'channels' };
        const asked = (of: Sql, since: number) =>
          countRows(tx.query, sql`contact_requests WHERE ${of} AND requested_at > ${since}`);
        if ((await asked(matchRow({ wallet, kind }), now - day)) >= limits.perDay)
          return { refusal: 'wallet' };
        if (limits.perAddress !== null) {
          const today = await asked(matchRow({ addressHash }), now - day);
          const ever = await asked(matchRow({ addressHash }), 0);
          if (today >= limits.perAddress.day || ever >= limits.perAddress.ever) return { refusal: 'address' };
        }
        await insertRows(tx, 'contact_requests', [{ wallet, kind, addressHash, requestedAt: now }]);
        if (known !== undefined) {
          const changes = { state: 'unconfirmed', failures: 0, nextTry: 0, address: made.address };
          await updateRows(tx.query, 'notice_channels', changes, { id: known.id });
          return { channel: { ...known, state: 'unconfirmed' } };
        }
        const row = {
          ...made,
          state: 'unconfirmed',
          sinceBlock: 0,
          failures: 0,
          nextTry: 0,
          createdAt: now,
        };
        await insertRows(tx, 'notice_channels', [row]);
        return { channel: { ...row, state: 'unconfirmed', error: null, sentAt: null } };
      }),

    /** Undefined where it is gone. From here on the mailbox and the chain are followed, unless they were already. */
    confirm: (id: string, head: number): Promise<{ channel: Channel; isNew: boolean } | undefined> =>
      database.transaction(async (tx) => {
        const before = await find(tx.query, id);
        if (before === undefined) return undefined;
        if (before.state === 'confirmed') return { channel: before, isNew: false };
        const changes = { state: 'confirmed', failures: 0, nextTry: 0, error: null, sinceBlock: head };
        await updateRows(tx.query, 'notice_channels', changes, { id });
        const { addressHash } = before;
        await updateRows(tx.query, 'contact_requests', { addressHash: '' }, { addressHash });
        await tx.query(sql`INSERT INTO notice_wallets (wallet, mail_position, time_zone)
           SELECT ${before.wallet},
             COALESCE((SELECT position FROM mailboxes WHERE ${matchRow({ wallet: before.wallet })}), 0), 'UTC'
           ON CONFLICT (wallet) DO UPDATE SET mail_position = CASE
             WHEN EXISTS (SELECT 1 FROM notice_channels WHERE wallet = ${before.wallet} AND state = 'confirmed' AND id <> ${id})
             THEN notice_wallets.mail_position ELSE excluded.mail_position END`);
        return { channel: { ...before, state: 'confirmed', sinceBlock: head }, isNew: true };
      }),

    /** Forgets the address and everything that it was or is to be told. Returns whether there was one. */
    removeChannel: (id: string): Promise<boolean> =>
      database.transaction(async (tx) => {
        const isThere = (await find(tx.query, id)) !== undefined;
        await remove(tx, id);
        return isThere;
      }),

    /** Removes every channel with this address, of any wallet, and accepts it never again. */
    refuseAddress: (addressHash: string, now: number): Promise<void> =>
      database.transaction(async (tx) => {
        await takeTurn(tx, `contact ${addressHash}`);
        const ofAddress = sql`SELECT id FROM notice_channels WHERE address_hash = ${addressHash}`;
        for (const id of await queryColumn<string>(tx.query, ofAddress)) await remove(tx, id);
        await insertNew(tx.query, 'refused_contacts', { addressHash, since: now });
      }),

    async saveSuccess(id: string, now: number): Promise<void> {
      const changes = { failures: 0, nextTry: 0, error: null, sentAt: now };
      await updateRows(database.write, 'notice_channels', changes, { id });
    },

    async saveFailure(
      id: string,
      failure: { error: string; nextTry: number; counted: 0 | 1; isEnd: boolean },
    ): Promise<void> {
      await database.write(
        sql`UPDATE notice_channels SET failures = failures + ${failure.counted}, error = ${failure.error},
            next_try = ${failure.nextTry}, state = CASE WHEN ${failure.isEnd ? 1 : 0} = 1 THEN 'failed' ELSE state END
          WHERE id = ${id}`,
      );
    },

    async loadQuiet(wallet: string): Promise<Quiet> {
      const columns = 'quiet_from, quiet_to, time_zone';
      const row = await findRow<Quiet>(database.query, 'notice_wallets', { wallet }, columns);
      return row ?? { quietFrom: null, quietTo: null, timeZone: 'UTC' };
    },

    async saveQuiet(wallet: string, { quietFrom, quietTo, timeZone }: Quiet): Promise<void> {
      await database.write(
        sql`INSERT INTO notice_wallets (wallet, mail_position, quiet_from, quiet_to, time_zone)
          SELECT ${wallet},
            COALESCE((SELECT position FROM mailboxes WHERE wallet = ${wallet}), 0),
            CAST(${quietFrom} AS BIGINT), CAST(${quietTo} AS BIGINT), ${timeZone}
          ON CONFLICT (wallet) DO UPDATE SET quiet_from = excluded.quiet_from,
            quiet_to = excluded.quiet_to, time_zone = excluded.time_zone`,
      );
    },

    /** Addresses that nobody confirmed, and the requests of long ago. Those of unconfirmed addresses count for ever. */
    async sweep(now: number): Promise<void> {
      const isStale = sql`state = 'unconfirmed' AND created_at < ${now - confirmSeconds}`;
      const stale = sql`SELECT id FROM notice_channels WHERE ${isStale} LIMIT 100`;
      for (const id of await queryColumn<string>(database.query, stale))
        await database.transaction((tx) => remove(tx, id));
      const isOld = sql`(address_hash = '' OR kind <> 'email') AND requested_at < ${now - day}`;
      await removeSome(database, 'contact_requests', 'wallet, requested_at', isOld);
    },
  };
}
