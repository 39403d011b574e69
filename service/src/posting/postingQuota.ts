// The posting quota of a wallet on one market: reads it, checks it, and records new posts (docs/specification.md
// section 4, posting/*).

import type { Address, Market } from '@svc/sdk/domain';
import { isSameAddress, SvcError } from '@svc/sdk/domain';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import {
  buildQuota,
  dayOf,
  findPlanInForce,
  findPostMismatch,
  type PostingCounts,
  type PostingPlan,
  type Purchase,
  type Quota,
  retryAfter,
  type TransactionProof,
} from '@svc/sdk/internal/domain/posting';
import type { Hex } from 'viem';
import type { AskedWallet, Moment, PendingPostStore, RecordedPost } from '../store/pendingPosts.ts';

export type PostingNeeds = {
  readonly plans: (market: Market) => Promise<readonly PostingPlan[]>;
  /** Its payments for plans, with what is counted of its day. */
  readonly loadPurchases: (
    wallet: AskedWallet,
    moment: Moment,
  ) => Promise<{ readonly purchases: readonly Purchase[]; readonly counts: PostingCounts }>;
  readonly quotas: Pick<PendingPostStore, 'loadPosted' | 'savePending' | 'saveArriving' | 'markSeen'>;
  /** Null while the chain has not mined it. */
  readonly readTransaction: (txHash: Hex) => Promise<TransactionProof | null>;
  /** The wallet that sends this transaction, if the mempool shows it as a post on this market. */
  readonly readPendingPoster: (txHash: Hex, market: Market) => Promise<Address | null>;
  /** Whether a post counts before the chain shows its transaction. */
  readonly takesUnseen: boolean;
  readonly now: () => number;
};

export type RecordedQuota = Quota & { readonly recorded: true; readonly status: 'confirmed' | 'pending' };

export type Posting = ReturnType<typeof createPosting>;

type PostProof = Omit<TransactionProof, 'confirmations'> & { readonly isInRows: boolean };

/** How long a post may wait to be seen. */
const pendingSeconds = 300;

export function createPosting(needs: PostingNeeds) {
  const { plans, loadPurchases, quotas, readTransaction, readPendingPoster, takesUnseen, now } = needs;

  async function loadFigures(wallet: AskedWallet) {
    const { market, address } = wallet;
    const time = now();
    const [table, { purchases, counts }] = await Promise.all([
      plans(market),
      loadPurchases(wallet, { now: time, day: dayOf(time) }),
    ]);
    return { market, address, inForce: findPlanInForce(table, purchases, time), counts, now: time };
  }

  /** Reads the chain only if the rows lack this transaction. Null if neither knows the transaction. */
  async function findProof({ market, number, txHash }: RecordedPost): Promise<PostProof | null> {
    const posted = await quotas.loadPosted(market, number);
    if (posted?.txHash.toLowerCase() === txHash.toLowerCase()) {
      return { isSuccess: true, blockNumber: posted.blockNumber, events: [posted], isInRows: true };
    }
    try {
      const proof = await readTransaction(txHash);
      return proof === null ? null : { ...proof, isInRows: false };
    } catch (error) {
      // A node that cannot be asked, or whose answer was overtaken by a fork, has not shown the transaction.
      if (takesUnseen && isErrorOf(error, 'CHAIN_UNREACHABLE', 'CHAIN_CHANGED')) return null;
      throw error;
    }
  }

  async function recordPending(post: RecordedPost): Promise<RecordedQuota> {
    if (!takesUnseen) throw new SvcError('POST_UNSEEN', {});
    const { market, address, txHash } = post;
    const [figures, sender] = await Promise.all([
      loadFigures(post),
      readPendingPoster(txHash, market).catch(() => null),
    ]);
    const { inForce, now: time } = figures;
    const { isSaved, callerFreeAt, counts } = await quotas.savePending(post, {
      now: time,
      day: dayOf(time),
      expiresAt: time + pendingSeconds,
      limit: inForce.dailyLimit,
      isProven: sender !== null && isSameAddress(sender, address),
    });
    const quota = buildQuota({ ...figures, counts });
    if (callerFreeAt !== undefined) throw tooManyRecords(Math.max(1, callerFreeAt - time));
    if (!isSaved) throw limitReached(quota, counts, time);
    return { ...quota, recorded: true, status: 'pending' };
  }

  return {
    getQuota: async (wallet: AskedWallet): Promise<Quota> => buildQuota(await loadFigures(wallet)),

    /** Throws POSTING_LIMIT, with the quota, when the day's posts are used up. */
    check: async (wallet: AskedWallet): Promise<Quota> => {
      const figures = await loadFigures(wallet);
      const quota = buildQuota(figures);
      if (!quota.canPost) throw limitReached(quota, figures.counts, figures.now);
      return quota;
    },

    /** `amountTokWei` is null if the amount was not given in TOK. */
    record: async ({
      amountTokWei,
      ...post
    }: RecordedPost & { readonly amountTokWei: bigint | null }): Promise<RecordedQuota> => {
      // No registry has counted that far, and rows could not hold it.
      if (post.number > BigInt(Number.MAX_SAFE_INTEGER)) throw mismatch('it posts another task');
      const proof = await findProof(post);
      if (proof === null) return recordPending(post);
      const reason = findPostMismatch(proof, { ...post, poster: post.address, amountTokWei });
      if (reason !== null) {
        await quotas.markSeen(post.txHash, proof.blockNumber);
        throw mismatch(reason);
      }
      const { end } = dayOf(proof.events[0]?.blockTime ?? now());
      const expiresAt = Math.min(now() + pendingSeconds, end);
      if (!proof.isInRows) await quotas.saveArriving(post, proof.blockNumber, expiresAt);
      return { ...buildQuota(await loadFigures(post)), recorded: true, status: 'confirmed' };
    },
  };
}

function limitReached(quota: Quota, counts: PostingCounts, now: number): SvcError {
  return new SvcError('POSTING_LIMIT', { quota, retryAfterSeconds: retryAfter(now, counts) });
}

function tooManyRecords(seconds: number): SvcError {
  return new SvcError('RATE_LIMITED', { seconds: String(seconds), retryAfterSeconds: seconds });
}

function mismatch(reason: string): SvcError {
  return new SvcError('POST_MISMATCH', { reason });
}
