// Profiles and listings, over an open market.
import { type Address, formatTaskId, type Market, parseTaskId, type TaskKey } from '@svc/sdk/domain';
import { createListingService } from '../matching/listingService.ts';
import { createProfileService } from '../matching/profileService.ts';
import { createWalletRecords } from '../matching/walletRecords.ts';
import { begunStates } from '../notify/readChanges.ts';
import type { VerifyWallet } from '../sessions/walletSignatures.ts';
import type { TaskChange } from '../store/changes.ts';
import { createListingStore } from '../store/listings.ts';
import { createProfileStore } from '../store/profiles.ts';
import { createFactStore } from '../store/rememberedAnswers.ts';
import type { OpenMarket } from './openMarket.ts';

type MatchOptions = {
  readonly verify: VerifyWallet;
  readonly standing: {
    readonly isMember: (wallet: Address) => Promise<boolean>;
    readonly hasCollateral: (wallet: Address) => Promise<boolean>;
  };
};

const clock = () => Math.floor(Date.now() / 1_000);
const changesAtOnce = 500;

export function createMatchServices(market: OpenMarket, { verify, standing }: MatchOptions) {
  const { database, deployment, tasks, changes, fileStore, now, past } = market;
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
  const { loadFact, replaceFact } = createFactStore(database);

  async function loadDigest(key: TaskKey): Promise<string | null> {
    return (await tasks.loadTask(key.market, key.number))?.task.settlementDigest ?? null;
  }

  /**
   * Counts the scores of wallets whose tasks changed, closes listings from which tasks were created, and opens those again whose
   * tasks a fork took away. Every step may run twice, so processes need not take turns; the position only moves from where it was read.
   */
  async function followChanges(): Promise<void> {
    const kept = await loadFact('matchedChanges');
    const position = Number(kept ?? 0);
    const found = await changes.loadChangesAfter(position, changesAtOnce);
    const [first, last] = [found[0], found.at(-1)];
    if (first === undefined || last === undefined) return;
    // Changes that are no longer kept may have been a fork.
    const isForgotten = first.seq > position + 1;
    if (isForgotten || found.some(({ kind }) => kind === 'reset')) await listings.releaseLost();
    const changed = found.filter((change) => change.kind === 'task');
    for (const change of changed) await closeListingOf(change);
    const wallets = [...new Set(changed.flatMap((change) => change.wallets))].filter(Boolean);
    await profiles.refreshScores(wallets);
    await replaceFact('matchedChanges', kept, String(last.seq));
  }

  async function closeListingOf({ market: of, number, state }: TaskChange): Promise<void> {
    if (!begunStates.includes(state)) return;
    const digest = await loadDigest({ market: of, number });
    if (digest) await listings.takeTask(digest, formatTaskId({ market: of, number }));
  }

  return {
    profiles,
    listings,
    refreshMatches: async (): Promise<void> => {
      await followChanges();
      await listings.refresh(past());
    },
  };
}
