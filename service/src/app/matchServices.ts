// Profiles and listings, over an open market.
import { type Address, formatTaskId, type Market, parseTaskId, type TaskKey } from '@svc/sdk/domain';
import { createListingService } from '../matching/listingService.ts';
import { createProfileService } from '../matching/profileService.ts';
import { createWalletRecords } from '../matching/walletRecords.ts';
import { begunStates } from '../notify/readChanges.ts';
import type { VerifyWallet } from '../sessions/walletSignatures.ts';
import type { TaskChange } from '../store/changes.ts';
import { createConsumer } from '../store/consume.ts';
import { createLease } from '../store/lease.ts';
import { createListingStore } from '../store/listings.ts';
import { createProfileStore } from '../store/profiles.ts';
import type { OpenMarket } from './openMarket.ts';

type MatchOptions = {
  readonly verify: VerifyWallet;
  readonly standing: {
    readonly isMember: (wallet: Address) => Promise<boolean>;
    readonly hasCollateral: (wallet: Address) => Promise<boolean>;
  };
};

const clock = () => Math.floor(Date.now() / 1_000);
/** After a kill another process goes on after this time; two at one page do no harm. */
const leaseMs = 15_000;

export function createMatchServices(market: OpenMarket, { verify, standing }: MatchOptions) {
  const { database, deployment, tasks, changes, cursors, fileStore, now, past } = market;
  const { chainId } = deployment;
  const { findReason } = fileStore.withheld;
  const shared = { verify, findReason, chainId, clock };
  const profiles = createProfileService({
    ...shared,
    isMember: standing.isMember,
    store: createProfileStore(database),
    records: createWalletRecords(tasks),
  });
  const listings = createListingService({
    ...shared,
    hasCollateral: standing.hasCollateral,
    store: createListingStore(database),
    registryOf: (of: Market) => deployment.markets[of].taskRegistry,
    loadDigest: (taskId) => loadDigest(parseTaskId(taskId)),
    now,
  });
  async function loadDigest(key: TaskKey): Promise<string | null> {
    return (await tasks.loadTask(key.market, key.number))?.task.settlementDigest ?? null;
  }

  /**
   * Counts the scores of wallets whose tasks changed, closes listings from which tasks were created, and opens those again whose
   * tasks are gone.
   */
  const following = createConsumer({
    name: 'profiles and listings',
    cursors,
    changes,
    lease: createLease(database, { name: 'profiles and listings', milliseconds: leaseMs }),
    handle: async ({ reset, changes: page, upTo }, move) => {
      if (reset !== null) {
        await profiles.refreshAllScores();
        await listings.takeMissed();
        await listings.releaseLost();
        // What is open again is found again at once.
        await listings.refresh(past());
      }
      for (const change of page) await closeListingOf(change);
      await profiles.refreshScores([...new Set(page.flatMap(({ wallets }) => wallets))].filter(Boolean));
      await move(upTo);
    },
  });

  async function closeListingOf({ market: of, number, state }: TaskChange): Promise<void> {
    if (!begunStates.includes(state)) return;
    const digest = await loadDigest({ market: of, number });
    if (digest) await listings.takeTask(digest, formatTaskId({ market: of, number }));
  }

  return {
    profiles,
    listings,
    refreshMatches: async (signal: AbortSignal): Promise<void> => {
      await following.round(signal);
      await listings.refresh(past());
    },
    close: following.close,
  };
}
