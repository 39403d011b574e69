// Profiles as rows: the newest signed document of each wallet, and the words by which it is found.
import { type Address, parseAddress } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import type { Database, Transaction } from './database.ts';
import {
  findMatches,
  type MatchPlace,
  rankMatchWords,
  removeMatchWords,
  saveMatchWords,
} from './matchWords.ts';
import { takeTurn } from './rows.ts';

export type NewProfile = {
  readonly account: Address;
  readonly version: number;
  /** The canonical text. */
  readonly document: string;
  readonly documentHash: Hex;
  readonly signature: Hex;
  readonly name: string;
  readonly skeleton: string;
  /** Milliseconds, so that of two wallets with one name the first is known. */
  readonly namedAt: number;
  readonly score: number;
  readonly words: ReadonlySet<string>;
};

export type StoredProfile = {
  readonly account: Address;
  readonly version: number;
  /** Null once it was withdrawn. */
  readonly document: string | null;
  readonly documentHash: Hex | null;
  readonly signature: Hex | null;
  readonly name: string | null;
  readonly score: number;
  readonly updatedAt: number;
  /** Who had a name that looks the same before. */
  readonly looksLike: Address | null;
};

/** `known` is the version that stands in the way. */
export type Published =
  | { readonly kind: 'saved' | 'same' }
  | { readonly kind: 'old' | 'taken'; readonly known: number };

export type ProfileStore = ReturnType<typeof createProfileStore>;

type Row = Omit<StoredProfile, 'account' | 'looksLike'> & { account: Address; looksLike: Address | null };

const selectShown = `SELECT profiles.*, (
    SELECT account FROM profiles AS older WHERE older.identity = profiles.identity AND older.skeleton = profiles.skeleton
      AND (older.named_at, older.account) < (profiles.named_at, profiles.account)
    ORDER BY older.named_at, older.account LIMIT 1) AS looks_like
  FROM profiles`;

export function createProfileStore(database: Database, identity: string) {
  async function lockKnown(tx: Transaction, account: string) {
    // Two devices may publish at once, also the first profile.
    await takeTurn(tx, `profile ${identity} ${account}`);
    const [known] = await tx.query<{
      version: number;
      documentHash: string | null;
      skeleton: string | null;
      namedAt: number | null;
    }>(
      'SELECT version, document_hash, skeleton, named_at FROM profiles WHERE identity = $1 AND account = $2',
      [identity, account],
    );
    return known;
  }

  return {
    /** The highest version wins; nothing changes otherwise. */
    save: (profile: NewProfile, now: number): Promise<Published> =>
      database.transaction(async (tx) => {
        const account = addressKey(profile.account);
        const { version, documentHash, document, signature, name, skeleton, score, words } = profile;
        const known = await lockKnown(tx, account);
        if (known?.version === version)
          return known.documentHash === documentHash ? { kind: 'same' } : { kind: 'taken', known: version };
        if (known !== undefined && known.version > version) return { kind: 'old', known: known.version };
        const namedAt = known?.skeleton === skeleton ? known.namedAt : profile.namedAt;
        await tx.query(
          `INSERT INTO profiles (identity, account, version, document, document_hash, signature, name, skeleton, named_at,
             score, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
           ON CONFLICT (identity, account) DO UPDATE SET version = excluded.version, document = excluded.document,
             document_hash = excluded.document_hash, signature = excluded.signature, name = excluded.name,
             skeleton = excluded.skeleton, named_at = excluded.named_at, score = excluded.score,
             updated_at = excluded.updated_at`,
          [
            identity,
            account,
            version,
            document,
            documentHash,
            signature,
            name,
            skeleton,
            namedAt,
            score,
            now,
          ],
        );
        await saveMatchWords(tx, identity, 'profile', { rank: score, at: now, subject: account }, words);
        return { kind: 'saved' };
      }),

    /** Keeps only a version, so that no signed document of before is accepted again. Null where there is no profile. */
    withdraw: (wallet: Address, now: number): Promise<number | null> =>
      database.transaction(async (tx) => {
        const account = addressKey(wallet);
        const known = await lockKnown(tx, account);
        if (known === undefined) return null;
        const version = Math.max(known.version, now);
        await tx.query(
          `UPDATE profiles SET version = $3, document = NULL, document_hash = NULL, signature = NULL, name = NULL,
             skeleton = NULL, named_at = NULL, score = 0, updated_at = $4 WHERE identity = $1 AND account = $2`,
          [identity, account, version, now],
        );
        await removeMatchWords(tx, identity, 'profile', account);
        return version;
      }),

    async load(wallets: readonly Address[]): Promise<StoredProfile[]> {
      if (wallets.length === 0) return [];
      const rows = await database.query<Row>(
        `${selectShown} WHERE profiles.identity = $1 AND profiles.account IN (${wallets.map((_, at) => `$${at + 2}`)})`,
        [identity, ...wallets.map(addressKey)],
      );
      return rows.map(toProfile);
    },

    /** Profiles that have all of these words, in the order of their records. */
    async find(search: { words: readonly string[]; after: MatchPlace | null; limit: number }) {
      const { places, next } = await findMatches(database, identity, 'profile', search);
      const found = await this.load(places.map(({ subject }) => subject as Address));
      const known = new Map(found.map((profile) => [addressKey(profile.account), profile]));
      return { profiles: places.flatMap(({ subject }) => known.get(subject as Address) ?? []), next };
    },

    /** Of these wallets, those that have a profile. */
    async listProfiled(wallets: readonly string[]): Promise<Address[]> {
      if (wallets.length === 0) return [];
      const rows = await database.query<{ account: Address }>(
        `SELECT account FROM profiles WHERE identity = $1 AND document IS NOT NULL
           AND account IN (${wallets.map((_, at) => `$${at + 2}`)})`,
        [identity, ...wallets],
      );
      return rows.map(({ account }) => account);
    },

    saveScore: (wallet: Address, score: number): Promise<void> =>
      database.transaction(async (tx) => {
        const account = addressKey(wallet);
        await tx.query(
          'UPDATE profiles SET score = $3 WHERE identity = $1 AND account = $2 AND document IS NOT NULL',
          [identity, account, score],
        );
        await rankMatchWords(tx, identity, 'profile', account, score);
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
