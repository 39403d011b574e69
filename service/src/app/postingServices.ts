// The posting quota and its plans, over chain and store.

import type { Deployment, RpcOptions } from '@svc/sdk/chain';
import { createRpc } from '@svc/sdk/chain';
import type { Market } from '@svc/sdk/domain';
import type { PostingPlan } from '@svc/sdk/internal/domain/posting';
import type { AppLog } from '../http/requestLog.ts';
import { createPlanQuotes } from '../posting/planQuote.ts';
import { createPlanUpgrade } from '../posting/planUpgrade.ts';
import { createPosting } from '../posting/postingQuota.ts';
import { createPostingUpkeep } from '../posting/postingUpkeep.ts';
import { createPostingReads } from '../posting/readPosting.ts';
import type { Database } from '../store/database.ts';
import { createLease } from '../store/lease.ts';
import type { Listen } from '../store/notices.ts';
import { createPendingPostStore } from '../store/pendingPosts.ts';
import { createPlanPaymentStore } from '../store/planPayments.ts';

type PostingServicesOptions = {
  readonly deployment: Deployment;
  readonly rpcUrls: readonly string[];
  readonly confirmations?: number;
  readonly recordPending?: 'accept' | 'reject';
  readonly database: Database;
  readonly observed: Pick<RpcOptions, 'onAsked' | 'onError'>;
  readonly plans: (market: Market) => Promise<PostingPlan[]>;
  readonly price: () => Promise<{ readonly priceE8: bigint } | null>;
  readonly listen: Listen;
  readonly now: () => number;
  readonly log: AppLog;
};

/** A request waits for the chain here, so it waits only briefly. */
const timeoutMs = 2_000;
/** How soon another process asks the chain about recorded posts when the one that did has ended. */
const leaseMs = 10_000;

export async function createPostingServices(options: PostingServicesOptions) {
  const { deployment, database, plans, price, now, log } = options;
  const { confirmations = 1, recordPending = 'accept' } = options;
  const { chainId, genesisHash } = deployment;
  const rpc = createRpc({
    ...options.observed,
    urls: options.rpcUrls,
    chainId,
    genesisHash,
    timeoutMs,
    rounds: 1,
  });
  const chain = createPostingReads(rpc, deployment);
  const quotas = createPendingPostStore(database);
  const payments = createPlanPaymentStore(database);
  const posting = createPosting({
    plans,
    loadPurchases: payments.loadPaid,
    quotas,
    readTransaction: chain.readTransaction,
    readPendingPoster: chain.readPendingPoster,
    takesUnseen: recordPending === 'accept',
    now,
  });
  const upkeep = await createPostingUpkeep({
    ...quotas,
    isLeader: createLease(database, { name: 'posting', milliseconds: leaseMs }).hold,
    readMinedBlocks: chain.readMinedBlocks,
    loadNewestPaid: payments.loadNewestPaid,
    onPaymentGone: ({ market, payer, tier, txHash }) =>
      log.error({ market, payer, tier, txHash }, 'a fork removed a payment; its plan is taken back'),
    listen: options.listen,
    now,
  });
  return {
    posting,
    upgradePlan: createPlanUpgrade({
      plans,
      loadPurchases: payments.loadPaid,
      payments,
      readTransaction: chain.readTransaction,
      getQuota: posting.getQuota,
      confirmations,
      now,
    }),
    planQuotes: createPlanQuotes({ deployment, plans, price, now }),
    close: async (): Promise<void> => {
      rpc.close();
      await upkeep.close();
    },
  };
}
