// Listings as rows: the newest signed document of each, who proposed, and the task that came out of it.
import { type Address, type Market, parseAddress, SvcError, type TaskId } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import { isWhole } from './chainRow.ts';
import { digestOf } from './conversationList.ts';
import type { Database, Transaction } from './database.ts';
import type { Naming } from './fileSubjects.ts';
import { findMatches, type MatchPlace, saveMatchWords } from './matchWords.ts';
import { isKnownVersion, type SignedText, type StoredText } from './profiles.ts';
import {
  findRow,
  hasRow,
  insertNew,
  insertRows,
  queryColumn,
  queryValue,
  removeRows,
  removeSome,
  returnsRow,
  sumOf,
  takeTurn,
  updateRows,
} from './rows.ts';
import { joinSql, raw, type Sql, sql } from './sql.ts';

export type NewListing = SignedText & {
  readonly id: Hex;
  readonly market: Market;
  readonly poster: Address;
  readonly expiresAt: number;
  readonly words: ReadonlySet<string>;
};

export type StoredListing = Omit<NewListing, 'words' | keyof StoredText> &
  StoredText & {
    readonly isLive: boolean;
    readonly taskId: TaskId | null;
    /** Wallets that proposed; ten stand for more. */
    readonly proposers: number;
    readonly createdAt: number;
    readonly updatedAt: number;
  };

export type ListingStore = ReturnType<typeof createListingStore>;

type Row = Omit<StoredListing, 'isLive'> & { readonly isLive: number };

const maxCounted = 10;

const selectListings = raw(`SELECT listings.*, (SELECT COUNT(*) FROM (SELECT 1 FROM listing_proposers
    WHERE listing_proposers.id = listings.id LIMIT ${maxCounted}) AS counted
  ) AS proposers FROM listings`);

/** Whether a task may still come out of it, also while it is hidden. */
const isOpen = (now: number) => sql`document IS NOT NULL AND task_id IS NULL AND expires_at > ${now}`;

export function createListingStore(database: Database) {
  const load = async (where: Sql): Promise<StoredListing[]> => {
    const rows = await database.query<Row>(sql`${selectListings} WHERE ${where}`);
    return rows.map(toListing);
  };

  async function hide(tx: Transaction, id: string): Promise<void> {
    await updateRows(tx.query, 'listings', { isLive: 0 }, { id });
    await removeRows(tx.query, 'match_words', { kind: 'listing', subject: id });
  }

  return {
    /**
     * The highest version wins. Throws VERSION_OLD and VERSION_TAKEN; NOT_THE_OWNER where another wallet has this id; and
     * LISTING_LIMIT where the poster has `mostLive` others that are open, or `mostKept` in all.
     */
    save: (
      listing: NewListing,
      now: number,
      { mostLive, mostKept }: { readonly mostLive: number; readonly mostKept: number },
    ): Promise<void> =>
      database.transaction(async (tx) => {
        const poster = addressKey(listing.poster);
        const { id, market, version, document, documentHash, signature, expiresAt, words } = listing;
        // One at a time for each poster, so that two cannot both be the fifth.
        await takeTurn(tx, `listings ${poster}`);
        const known = await findRow<Row>(tx.query, 'listings', { id });
        if (known !== undefined && (known.poster as string) !== poster)
          throw new SvcError('NOT_THE_OWNER', {});
        const isSame = known?.documentHash === documentHash && known.expiresAt === expiresAt;
        const isOver = known !== undefined && (known.documentHash === null || known.taskId !== null);
        if (isKnownVersion(known, version, isSame, isOver)) return;
        const [counts] = await tx.query<{ open: number; kept: number }>(
          sql`SELECT ${sumOf('1', isOpen(now))} AS open, COUNT(*) AS kept FROM listings
            WHERE poster = ${poster} AND id <> ${id}`,
        );
        if ((counts?.open ?? 0) >= mostLive || (counts?.kept ?? 0) >= mostKept)
          throw new SvcError('LISTING_LIMIT', {});
        const createdAt = known?.createdAt ?? now;
        const signed = { version, document, documentHash, signature, expiresAt };
        const row = { id, market, poster, ...signed, isLive: 1, createdAt, updatedAt: now };
        await insertRows(tx, 'listings', [row], { key: ['id'] });
        await saveMatchWords(tx, 'listing', { rank: 0, at: createdAt, subject: id }, words);
      }),

    /** Keeps its version, so that nothing signed before is accepted again. One that led to a task keeps its words as well. */
    close: (id: string, now: number): Promise<void> =>
      database.transaction(async (tx) => {
        const closed = { document: null, documentHash: null, signature: null, updatedAt: now };
        const isClosed = await updateRows(tx.query, 'listings', closed, { id, taskId: null });
        if (isClosed > 0) await hide(tx, id);
      }),

    async load(id: string): Promise<StoredListing | undefined> {
      return (await load(sql`id = ${id}`))[0];
    },

    /** The words that this poster wrote since that moment, of those that are open or led to a task. */
    async loadNamings(poster: Address, since: number, now: number): Promise<Naming[]> {
      const rows = await database.query<{
        document: string;
        taskId: string | null;
      }>(sql`SELECT document, task_id
        FROM listings WHERE poster = ${addressKey(poster)} AND updated_at >= ${since}
         AND document IS NOT NULL AND (task_id IS NOT NULL OR expires_at > ${now})`);
      return rows.map(({ document, taskId }) => ({
        subject: taskId ?? '',
        documents: [(JSON.parse(document) as { readonly task: unknown }).task],
      }));
    },

    /** Live ones that have all of these words, newest first. */
    async find(search: { words: readonly string[]; after: MatchPlace | null; limit: number }) {
      const { places, next } = await findMatches(database, 'listing', search);
      const ids = places.map(({ subject }) => subject);
      const found = ids.length === 0 ? [] : await load(sql`id IN (${joinSql(ids, ', ')})`);
      const known = new Map(found.map((listing) => [listing.id as string, listing]));
      return { places, listings: ids.map((id) => known.get(id)), next };
    },

    saveProposer: async (id: string, wallet: Address): Promise<void> => {
      await insertNew(database.write, 'listing_proposers', { id, wallet: addressKey(wallet) });
    },

    /** The first listing with this digest keeps it. */
    saveOffer: async (id: string, digest: string): Promise<void> => {
      await insertNew(database.write, 'listing_offers', { digest, id });
    },

    /** The newest open listing of one of the two to which the other has proposed. */
    async findBetween(one: Address, other: Address, now: number): Promise<string | undefined> {
      const [left, right] = [addressKey(one), addressKey(other)];
      return queryValue(
        database.query,
        sql`SELECT id FROM listings JOIN listing_proposers USING (id) WHERE (poster = ${left} AND wallet = ${right} OR poster = ${right} AND wallet = ${left}) AND ${isOpen(now)}
          ORDER BY created_at DESC, id LIMIT 1`,
      );
    },

    /** The listing that an offer with this digest was about. */
    async findByDigest(digest: string): Promise<string | undefined> {
      const offer = { digest: digest.toLowerCase() };
      return (await findRow<{ id: string }>(database.query, 'listing_offers', offer))?.id;
    },

    /** A task came out of it, the first one; false where it was taken or closed before. */
    take: (id: string, taskId: string, now: number): Promise<boolean> =>
      database.transaction(async (tx) => {
        const take = sql`UPDATE listings SET task_id = ${taskId}, updated_at = ${now} WHERE id = ${id} AND task_id IS NULL AND document IS NOT NULL RETURNING id`;
        const isTaken = await returnsRow(tx.query, take);
        if (isTaken) await hide(tx, id);
        return isTaken;
      }),

    /** Where this task took it and is gone. It is shown again as one whose poster got its collateral back. */
    release: async (id: string, taskId: string, now: number): Promise<void> => {
      const open = { taskId: null, updatedAt: now };
      await updateRows(database.write, 'listings', open, { id, taskId });
    },

    /** Open ones, with a task that has the terms of one of their offers; by id. */
    listOvertaken(after: string, limit: number) {
      return database.query<{ id: string; digest: string; market: Market; number: number }>(
        sql`SELECT listings.id, digest, tasks.market, tasks.number FROM listings JOIN listing_offers USING (id)
          JOIN tasks ON ${isWhole} AND ${raw(digestOf[database.dialect])} = digest
            AND state <> 'POSTED'
          WHERE task_id IS NULL AND document IS NOT NULL AND listings.id > ${after}
          ORDER BY listings.id LIMIT ${limit}`,
      );
    },

    /** Those out of which tasks came, by id. */
    listTaken(after: string, limit: number) {
      return database.query<{ id: string; taskId: TaskId }>(
        sql`SELECT id, task_id FROM listings WHERE task_id IS NOT NULL AND id > ${after}
          ORDER BY id LIMIT ${limit}`,
      );
    },

    /** Whether an offer with this digest was about the listing. */
    isOffered: (id: string, digest: string): Promise<boolean> =>
      hasRow(database.query, 'listing_offers', { id, digest: digest.toLowerCase() }),

    /** Who has proposed, as keys; also the one who was chosen. */
    listProposers: (id: string): Promise<string[]> =>
      queryColumn(database.query, sql`SELECT wallet FROM listing_proposers WHERE id = ${id}`),

    /** Posters with listings that are shown, or that could be. */
    listPosters: (isLive: boolean, now: number): Promise<Address[]> =>
      queryColumn(
        database.query,
        sql`SELECT DISTINCT poster FROM listings
          WHERE is_live = ${Number(isLive)} AND ${isOpen(now)}`,
      ),

    /** Open ones of a poster, by whether they are shown. */
    loadOpen: (poster: Address, isLive: boolean, now: number): Promise<StoredListing[]> =>
      load(sql`is_live = ${Number(isLive)} AND ${isOpen(now)} AND poster = ${addressKey(poster)}`),

    /** Shows it again with these words, unless it was changed, closed or taken meanwhile. */
    show: ({ id, createdAt, documentHash }: StoredListing, words: ReadonlySet<string>): Promise<void> =>
      database.transaction(async (tx) => {
        const asRead = { id, documentHash, taskId: null };
        if ((await updateRows(tx.query, 'listings', { isLive: 1 }, asRead)) > 0)
          await saveMatchWords(tx, 'listing', { rank: 0, at: createdAt, subject: id }, words);
      }),

    listEnded: (now: number, limit: number): Promise<string[]> =>
      queryColumn(
        database.query,
        sql`SELECT id FROM listings WHERE is_live = 1 AND expires_at <= ${now}
          LIMIT ${limit}`,
      ),

    hide: (id: string): Promise<void> => database.transaction((tx) => hide(tx, id)),

    /** Forgets some that ended before that moment: their signatures no longer open a listing. */
    async forget(before: number): Promise<void> {
      const isEnded = sql`is_live = 0 AND expires_at < ${before}`;
      if (!(await removeSome(database, 'listings', 'id', isEnded))) return;
      for (const table of ['listing_proposers', 'listing_offers'])
        await database.write(sql`DELETE FROM ${raw(table)} WHERE NOT EXISTS (
             SELECT 1 FROM listings WHERE listings.id = ${raw(table)}.id)`);
    },
  };
}

function toListing({ isLive, ...row }: Row): StoredListing {
  return { ...row, poster: parseAddress(row.poster), isLive: isLive === 1 };
}
