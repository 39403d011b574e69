// Profiles as rows: the newest signed document of each wallet, and the words by which it is found.
import { type Address, parseAddress, SvcError } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import type { Database, Transaction } from './database.ts';
import { findMatches, type MatchPlace, saveMatchWords } from './matchWords.ts';
import { findRow, insertRows, queryByKeys, queryColumn, removeRows, takeTurn, updateRows } from './rows.ts';
import { raw, type Sql, sql } from './sql.ts';

/** What a wallet has signed of a profile or a listing. */
export type SignedText = {
  readonly version: number;
  /** The canonical text. */
  readonly document: string;
  readonly documentHash: Hex;
  readonly signature: Hex;
};

/** The same, or the version alone once it was withdrawn or closed. */
export type StoredText = Pick<SignedText, 'version'> & {
  readonly [Column in Exclude<keyof SignedText, 'version'>]: SignedText[Column] | null;
};

export type NewProfile = SignedText & {
  readonly account: Address;
  readonly name: string;
  readonly skeleton: string;
  /** Milliseconds, so that of two wallets with one name the first is known. */
  readonly namedAt: number;
  readonly score: number;
  readonly words: ReadonlySet<string>;
};

export type StoredProfile = StoredText & {
  readonly account: Address;
  readonly name: string | null;
  readonly score: number;
  readonly updatedAt: number;
  /** The wallet that had a similar-looking name first. */
  readonly looksLike: Address | null;
};

/**
 * Whether this very document has the version already. Throws VERSION_TAKEN where another one has it, and VERSION_OLD where
 * the known version is higher, or takes no further one.
 */
export function isKnownVersion(
  known: { readonly version: number } | undefined,
  version: number,
  isSame: boolean,
  isOver = false,
): boolean {
  if (known === undefined) return false;
  const details = { known: String(known.version) };
  if (known.version === version && !isSame) throw new SvcError('VERSION_TAKEN', details);
  if (known.version > version || (known.version < version && isOver))
    throw new SvcError('VERSION_OLD', details);
  return known.version === version;
}

export type ProfileStore = ReturnType<typeof createProfileStore>;

type Row = StoredProfile & { readonly skeleton: string | null; readonly namedAt: number | null };

const selectShown = raw(`SELECT profiles.*, (
    SELECT account FROM profiles AS older WHERE older.skeleton = profiles.skeleton
      AND (older.named_at, older.account) < (profiles.named_at, profiles.account)
    ORDER BY older.named_at, older.account LIMIT 1) AS looks_like
  FROM profiles`);

export function createProfileStore(database: Database) {
  async function lockKnown(tx: Transaction, account: string) {
    // Two devices may publish at once, also the first profile.
    await takeTurn(tx, `profile ${account}`);
    return findRow<Row>(tx.query, 'profiles', { account });
  }

  return {
    /** The highest version wins. Throws VERSION_OLD and VERSION_TAKEN. */
    save: (profile: NewProfile, now: number): Promise<void> =>
      database.transaction(async (tx) => {
        const account = addressKey(profile.account);
        const { version, documentHash, document, signature, name, skeleton, score, words } = profile;
        const known = await lockKnown(tx, account);
        if (isKnownVersion(known, version, known?.documentHash === documentHash)) return;
        const namedAt = known?.skeleton === skeleton ? known.namedAt : profile.namedAt;
        const signed = { version, document, documentHash, signature, name, skeleton, namedAt };
        const row = { account, ...signed, score, updatedAt: now };
        await insertRows(tx, 'profiles', [row], { key: ['account'] });
        await saveMatchWords(tx, 'profile', { rank: score, at: now, subject: account }, words);
      }),

    /** Keeps only a version, so that no earlier signed document is accepted again. Null where there is no profile. */
    withdraw: (wallet: Address, now: number): Promise<number | null> =>
      database.transaction(async (tx) => {
        const account = addressKey(wallet);
        const known = await lockKnown(tx, account);
        if (known === undefined) return null;
        const version = Math.max(known.version, now);
        const nothing = { document: null, documentHash: null, signature: null, name: null, skeleton: null };
        const changes = { version, ...nothing, namedAt: null, score: 0, updatedAt: now };
        await updateRows(tx.query, 'profiles', changes, { account });
        await removeRows(tx.query, 'match_words', { kind: 'profile', subject: account });
        return version;
      }),

    async load(wallets: readonly Address[]): Promise<StoredProfile[]> {
      const select = (list: Sql) => sql`${selectShown} WHERE profiles.account IN ${list}`;
      const rows = await queryByKeys<Row>(database, wallets.map(addressKey), select);
      return rows.map(toProfile);
    },

    /** Profiles that have all of these words, in the order of their records. */
    async find(search: { words: readonly string[]; after: MatchPlace | null; limit: number }) {
      const { places, next } = await findMatches(database, 'profile', search);
      const found = await this.load(places.map(({ subject }) => subject as Address));
      const known = new Map(found.map((profile) => [addressKey(profile.account), profile]));
      return { profiles: places.flatMap(({ subject }) => known.get(subject as Address) ?? []), next };
    },

    /** Those of these wallets that have a profile. */
    async listProfiled(wallets: readonly string[]): Promise<Address[]> {
      const select = (list: Sql) => sql`SELECT account FROM profiles
          WHERE document IS NOT NULL AND account IN ${list}`;
      const rows = await queryByKeys<{ account: Address }>(database, wallets, select);
      return rows.map(({ account }) => account);
    },

    /** In the order of their wallets. */
    listAll: (after: string, limit: number): Promise<Address[]> =>
      queryColumn(
        database.query,
        sql`SELECT account FROM profiles WHERE document IS NOT NULL AND account > ${after}
          ORDER BY account LIMIT ${limit}`,
      ),

    saveScore: (wallet: Address, score: number): Promise<void> =>
      database.transaction(async (tx) => {
        const account = addressKey(wallet);
        await tx.query(
          sql`UPDATE profiles SET score = ${score} WHERE account = ${account}
            AND document IS NOT NULL`,
        );
        await tx.query(
          sql`UPDATE match_words SET rank = ${score} WHERE kind = 'profile'
            AND subject = ${account} AND rank <> ${score}`,
        );
      }),
  };
}

function toProfile(row: Row): StoredProfile {
  return {
    ...row,
    account: parseAddress(row.account),
    looksLike: row.looksLike === null ? null : parseAddress(row.looksLike),
  };
}
