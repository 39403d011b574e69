// Sessions: a wallet signs one document, and gets a token that stands for it at this gateway for 24 hours at most.
import { createHash, randomBytes } from 'node:crypto';
import { type Address, parseAddress, SvcError } from '@svc/sdk/domain';
import { buildSessionTypedData, maxSessionSeconds } from '@svc/sdk/internal/domain/sessionDocument';
import type { SessionBody, SessionReply } from '@svc/sdk/internal/schemas/sessions';
import { type Hex, hashTypedData } from 'viem';
import type { SessionStore } from '../store/sessions.ts';
import type { VerifyWallet } from './walletSignatures.ts';

export type SessionNeeds = {
  readonly store: SessionStore;
  readonly chainId: number;
  /** The time of this machine. */
  readonly now: () => number;
  /** The chain's time where it is ahead: clients may count from it. */
  readonly latest: () => number;
  /** The origins by which clients reach this gateway. */
  readonly origins: () => readonly string[];
  readonly verify: VerifyWallet;
};

export type Session = { readonly wallet: Address; readonly expiresAt: number };

/** Something that a wallet has signed, which works once. */
export type SignedDocument = {
  readonly wallet: Address;
  readonly digest: Hex;
  /** Unix seconds. */
  readonly validUntil: number;
  readonly signature: Hex;
};

export type SessionService = ReturnType<typeof createSessionService>;

const tokenBytes = 32;
const tokenShape = /^[\w-]{43}$/;
/** Far longer than a session lasts: clocks may go back, and those of two gateways differ. */
const rememberedSeconds = 7 * 86_400;

export function createSessionService({ store, chainId, now, latest, origins, verify }: SessionNeeds) {
  const lent = new Map<string, Session>();

  /** `beforeAsking` may throw to keep the chain from being asked. A document whose token nobody gets has proved one request. */
  async function accept(document: SignedDocument, beforeAsking: () => void): Promise<SessionReply> {
    const { wallet, digest, validUntil, signature } = document;
    const time = now();
    if (validUntil <= time) throw refuse('the document has expired');
    if (validUntil > latest() + maxSessionSeconds) throw refuse('the document lasts longer than 24 hours');
    if (await store.isUsed(digest)) throw new SvcError('SESSION_USED', {});
    if (!(await verify(wallet, digest, signature, beforeAsking)))
      throw new SvcError('SIGNATURE_WRONG', { address: wallet });
    const token = randomBytes(tokenBytes).toString('base64url');
    const isNew = await store.saveSession({
      tokenHash: hashToken(token),
      digest,
      wallet,
      createdAt: time,
      expiresAt: validUntil,
    });
    if (!isNew) throw new SvcError('SESSION_USED', {});
    return { token, expiresAt: validUntil };
  }

  return {
    accept,

    open: async (body: SessionBody, beforeAsking: () => void): Promise<SessionReply> => {
      const { gateway, validUntil } = body;
      const wallet = parseAddress(body.wallet);
      if (!origins().includes(gateway)) throw refuse(`the document is for ${gateway || 'no gateway'}`);
      const nonce = body.nonce.toLowerCase() as Hex;
      const digest = hashTypedData(buildSessionTypedData(chainId, { wallet, gateway, nonce, validUntil }));
      return accept({ wallet, digest, validUntil, signature: body.signature as Hex }, beforeAsking);
    },

    /** A token for work of this process, good until the work ends: for a wallet that has proved itself in another way. */
    withSession: async <Result>(
      session: Session,
      work: (token: string) => Promise<Result>,
    ): Promise<Result> => {
      const token = randomBytes(tokenBytes).toString('base64url');
      lent.set(token, session);
      try {
        return await work(token);
      } finally {
        lent.delete(token);
      }
    },

    /** Null where the token is unknown, revoked or expired. */
    find: async (token: string): Promise<Session | null> => {
      const own = lent.get(token);
      if (own !== undefined) return own;
      const found = tokenShape.test(token) ? await store.loadSession(hashToken(token)) : undefined;
      if (found === undefined || found.expiresAt <= now()) return null;
      return { ...found, wallet: parseAddress(found.wallet) };
    },

    revoke: (token: string): Promise<void> => store.revokeSession(hashToken(token), now()),

    /** Forgets some that ran out long before `past`, a moment that has certainly passed on the chain. */
    forget: (past: number): Promise<void> =>
      // A chain may be ahead of this machine, by whose time sessions end.
      store.forgetSessions(Math.min(past, now()) - rememberedSeconds),
  };
}

function refuse(reason: string): SvcError {
  return new SvcError('SESSION_REFUSED', { reason });
}

/** A stolen database opens no session. */
function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
