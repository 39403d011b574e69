// What wallets let clients of the tools do: what an owner is asked, what it granted, and the codes and tokens that follow from
// it. Tokens are kept as hashes: a stolen database opens nothing.
import type { Address } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { Hex } from 'viem';
import type { Database, Transaction } from './database.ts';
import { countRows, findRow, insertNew, insertRows, removeSome, returnsRow, updateRows } from './rows.ts';
import type { Migration } from './schema.ts';
import { sql } from './sql.ts';

export const grantsStep: Migration = {
  name: 'grants',
  statements: [
    `CREATE TABLE consents (
      id_hash TEXT PRIMARY KEY,
      client_id TEXT NOT NULL,
      client_name TEXT,
      client_host TEXT,
      redirect_uri TEXT NOT NULL,
      state TEXT,
      code_challenge TEXT NOT NULL,
      resource TEXT NOT NULL,
      scopes TEXT NOT NULL,
      network TEXT NOT NULL,
      expires_at BIGINT NOT NULL,
      decided_at BIGINT
    )`,
    'CREATE INDEX consents_network ON consents (network, expires_at)',
    'CREATE INDEX consents_expiry ON consents (expires_at)',
    // digest is that of what the wallet signed, which works once. ended_at is null while the grant is good.
    `CREATE TABLE grants (
      id TEXT PRIMARY KEY,
      wallet TEXT NOT NULL,
      client_id TEXT NOT NULL,
      client_name TEXT,
      client_host TEXT,
      redirect_uri TEXT NOT NULL,
      code_challenge TEXT NOT NULL,
      resource TEXT NOT NULL,
      scopes TEXT NOT NULL,
      digest TEXT NOT NULL UNIQUE,
      created_at BIGINT NOT NULL,
      ends_at BIGINT NOT NULL,
      ended_at BIGINT
    )`,
    'CREATE INDEX grants_wallet ON grants (wallet, ends_at)',
    'CREATE INDEX grants_end ON grants (ends_at)',
    // kind is code, access or refresh. A used code or refresh token stays: its second use ends the grant.
    `CREATE TABLE grant_tokens (
      token_hash TEXT PRIMARY KEY,
      grant_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      expires_at BIGINT NOT NULL,
      used_at BIGINT
    )`,
    'CREATE INDEX grant_tokens_expiry ON grant_tokens (expires_at)',
  ],
};

export type StoredConsent = {
  readonly clientId: string;
  /** What the client calls itself. */
  readonly clientName: string | null;
  /** Who vouches for the client: the host of its metadata document; null where nobody does. */
  readonly clientHost: string | null;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly codeChallenge: string;
  readonly resource: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly expiresAt: number;
  readonly decidedAt: number | null;
};

export type StoredGrant = Pick<
  StoredConsent,
  'clientId' | 'clientName' | 'clientHost' | 'redirectUri' | 'codeChallenge' | 'resource' | 'scopes'
> & {
  readonly id: string;
  readonly wallet: Address;
  readonly digest: Hex;
  readonly createdAt: number;
  readonly endsAt: number;
  readonly endedAt: number | null;
};

export type TokenKind = 'code' | 'access' | 'refresh';

export type NewToken = {
  readonly tokenHash: string;
  readonly grantId: string;
  readonly kind: TokenKind;
  readonly expiresAt: number;
};

type StoredToken = NewToken & { readonly usedAt: number | null };

export type GrantStore = ReturnType<typeof createGrantStore>;

export function createGrantStore(database: Database) {
  const endGrant = (write: Transaction['query'], id: string, now: number) =>
    updateRows(write, 'grants', { endedAt: now }, { id, endedAt: null });

  return {
    /** False where this network has as many open ones already. */
    saveConsent: (
      idHash: string,
      consent: Omit<StoredConsent, 'decidedAt'>,
      { network, most, now }: { readonly network: string; readonly most: number; readonly now: number },
    ): Promise<boolean> =>
      database.transaction(async (tx) => {
        const open = sql`consents WHERE network = ${network} AND expires_at > ${now} AND decided_at IS NULL`;
        if ((await countRows(tx.query, open)) >= most) return false;
        await insertRows(tx, 'consents', [{ idHash, ...consent, network }]);
        return true;
      }),

    loadConsent: (idHash: string): Promise<StoredConsent | undefined> =>
      findRow(database.query, 'consents', { idHash }),

    /** False where it was decided before. */
    decide: async (idHash: string, now: number): Promise<boolean> =>
      (await updateRows(database.write, 'consents', { decidedAt: now }, { idHash, decidedAt: null })) > 0,

    /** Decides the question and keeps the grant with its code; false, and no grant, where question or document was used before. */
    saveGrant: (idHash: string, grant: Omit<StoredGrant, 'endedAt'>, code: NewToken): Promise<boolean> =>
      database.transaction(async (tx) => {
        const open = sql`UPDATE consents SET decided_at = ${grant.createdAt}
          WHERE id_hash = ${idHash} AND decided_at IS NULL RETURNING 1`;
        if (!(await returnsRow(tx.query, open))) return false;
        const row = { ...grant, wallet: addressKey(grant.wallet) };
        if (!(await insertNew(tx.query, 'grants', row))) return false;
        await insertRows(tx, 'grant_tokens', [code]);
        return true;
      }),

    loadGrant: (id: string): Promise<StoredGrant | undefined> => findRow(database.query, 'grants', { id }),

    loadToken: (tokenHash: string): Promise<StoredToken | undefined> =>
      findRow(database.query, 'grant_tokens', { tokenHash }),

    /** Uses a code or refresh token and keeps those that follow. A second use ends the grant, and returns false. */
    exchange: (used: NewToken, made: readonly NewToken[], now: number): Promise<boolean> =>
      database.transaction(async (tx) => {
        const { tokenHash, grantId } = used;
        const fresh = sql`UPDATE grant_tokens SET used_at = ${now}
          WHERE token_hash = ${tokenHash} AND used_at IS NULL RETURNING 1`;
        if (await returnsRow(tx.query, fresh)) {
          await insertRows(tx, 'grant_tokens', made);
          return true;
        }
        await endGrant(tx.query, grantId, now);
        return false;
      }),

    endToken: async (tokenHash: string, now: number): Promise<void> => {
      await updateRows(database.write, 'grant_tokens', { expiresAt: now }, { tokenHash });
    },

    endGrant: async (id: string, now: number): Promise<void> => {
      await endGrant(database.write, id, now);
    },

    /** Those of a wallet that are good, newest first. */
    listGrants: (wallet: Address, now: number): Promise<StoredGrant[]> =>
      database.query<StoredGrant>(sql`SELECT * FROM grants WHERE wallet = ${addressKey(wallet)} AND ends_at > ${now}
        AND ended_at IS NULL ORDER BY created_at DESC, id LIMIT 100`),

    /** Removes some of what ended before that moment. */
    forget: async (before: number): Promise<void> => {
      await removeSome(database, 'consents', 'id_hash', sql`expires_at < ${before}`);
      await removeSome(database, 'grant_tokens', 'token_hash', sql`expires_at < ${before}`);
      await removeSome(database, 'grants', 'id', sql`ends_at < ${before}`);
    },
  };
}
