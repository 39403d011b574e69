// Profiles and listings, over an open market.
import { type Address, formatTaskId, type Market } from '@svc/sdk/domain';
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
  const { database, identity, deployment, tasks, changes, fileStore, now, past } = market;
  const { chainId } = deployment;
  const { findReason } = fileStore.withheld;
  const shared = { verify, findReason, chainId, clock };
  const profiles = createProfileService({
    ...shared,
    isMember: standing.isMember,
    store: createProfileStore(database, identity),
    records: createWalletRecords(tasks),
  });
  const listings = createListingService({
    ...shared,
    hasCollateral: standing.hasCollateral,
    store: createListingStore(database, identity),
    registryOf: (of: Market) => deployment.markets[of].taskRegistry,
    now,
  });
  const { loadFact, saveFact } = createFactStore(database, identity);

  /** Counts the scores of wallets whose tasks changed, and closes listings from which tasks were created. */
  async function followChanges(): Promise<void> {
    const position = Number((await loadFact('matchedChanges')) ?? 0);
    const found = await changes.loadChangesAfter(position, changesAtOnce);
    const last = found.at(-1);
    if (last === undefined) return;
    const changed = found.filter((change) => change.kind === 'task');
    for (const change of changed) await closeListingOf(change);
    const wallets = [...new Set(changed.flatMap((change) => change.wallets))].filter(Boolean);
    await profiles.refreshScores(wallets);
    await saveFact('matchedChanges', String(last.seq));
  }

  async function closeListingOf({ market: of, number, state }: TaskChange): Promise<void> {
    if (!begunStates.includes(state)) return;
    const digest = (await tasks.loadTask(of, number))?.task.settlementDigest;
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
