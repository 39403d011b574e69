// Profiles: publishing, withdrawing, showing and finding them.

import type { ProfileBody, ProfileDocument, ProfileList, ProfileReply, ShownProfile } from '@svc/sdk/client';
import { type Address, parseAddress, SvcError } from '@svc/sdk/domain';
import { hashCanonical, toCanonical } from '@svc/sdk/internal/domain/canonical';
import { splitWords } from '@svc/sdk/internal/domain/searchWords';
import { buildProfileTypedData } from '@svc/sdk/internal/domain/signedDocuments';
import { skeletonOf } from '@svc/sdk/internal/domain/walletNames';
import type { FindProfiles } from '@svc/sdk/internal/schemas/profiles';
import { hashTypedData } from 'viem';
import { type MatchPlace, markWord, tagWord } from '../store/matchWords.ts';
import type { ProfileStore, StoredProfile } from '../store/profiles.ts';
import { checkVersion, type PublishingNeeds, requireSignature, showText } from './publishing.ts';
import type { WalletRecords } from './walletRecords.ts';

export type ProfileNeeds = PublishingNeeds & {
  readonly store: ProfileStore;
  readonly records: WalletRecords;
  /** Whether the wallet has a part in the market: profiles of others would be free, and without end. */
  readonly isMember: (wallet: Address) => Promise<boolean>;
};

export type ProfileService = ReturnType<typeof createProfileService>;

const scoredAtOnce = 200;

export function createProfileService(needs: ProfileNeeds) {
  const { store, records, verify, isMember, chainId, clock } = needs;

  async function show(stored: StoredProfile): Promise<ShownProfile> {
    const { account, version, updatedAt } = stored;
    const text = await showText<ProfileDocument>(needs, account, stored);
    const looksLike = text.document === null ? null : stored.looksLike;
    return { address: account, version, ...text, looksLike, updatedAt };
  }

  const saveScore = async (account: string) => {
    const wallet = parseAddress(account);
    await store.saveScore(wallet, await records.score(wallet));
  };

  async function requireProfile(wallet: Address): Promise<StoredProfile> {
    const [stored] = await store.load([wallet]);
    if (stored === undefined) throw new SvcError('INTERNAL', {});
    return stored;
  }

  return {
    publish: async (wallet: Address, body: ProfileBody, beforeAsking: () => void): Promise<ShownProfile> => {
      const { document, version } = body;
      checkVersion(version, clock());
      const documentHash = hashCanonical(document);
      const signature = body.signature;
      const digest = hashTypedData(
        buildProfileTypedData(chainId, { account: wallet, document: documentHash, version }),
      );
      await requireSignature(verify, wallet, digest, signature, beforeAsking);
      if (!(await isMember(wallet))) throw new SvcError('NO_STANDING', {});
      await store.save(
        {
          account: wallet,
          version,
          document: toCanonical(document),
          documentHash,
          signature,
          name: document.name,
          skeleton: skeletonOf(document.name),
          namedAt: Date.now(),
          score: await records.score(wallet),
          words: listProfileWords(document),
        },
        clock(),
      );
      return show(await requireProfile(wallet));
    },

    withdraw: async (wallet: Address): Promise<{ address: Address; version: number }> => {
      const version = await store.withdraw(wallet, clock());
      // Nothing to withdraw, and nothing was there: the wallet has what it asked for.
      return { address: wallet, version: version ?? clock() };
    },

    get: async (wallet: Address): Promise<ProfileReply> => {
      const [[stored], found] = await Promise.all([store.load([wallet]), records.all(wallet)]);
      return { address: wallet, profile: stored === undefined ? null : await show(stored), records: found };
    },

    find: async ({ skill, q = [], kind, limit, cursor }: FindProfiles): Promise<ProfileList> => {
      const words = [
        ...(skill === undefined ? [] : [tagWord(skill)]),
        ...(kind === undefined ? [] : [markWord(kind)]),
        ...q.map(({ word }) => word),
      ];
      const after = cursor === undefined ? null : parsePlace(cursor);
      const { profiles, next } = await store.find({ words, after, limit });
      const all = await Promise.all(
        profiles.map(async (stored) => ({ ...(await show(stored)), score: stored.score })),
      );
      const shown = all.filter(({ document }) => document !== null);
      return { count: shown.length, profiles: shown, nextCursor: next === null ? null : formatPlace(next) };
    },

    names: async (wallets: readonly Address[]) => {
      const all = await Promise.all((await store.load(wallets)).map(show));
      return {
        names: all.flatMap(({ address, document, looksLike }) =>
          document === null ? [] : [{ address, name: document.name, looksLike }],
        ),
      };
    },

    /** Counts again the scores of those wallets that have a profile. */
    refreshScores: async (wallets: readonly string[]): Promise<void> => {
      for (const account of await store.listProfiled(wallets)) await saveScore(account);
    },

    /** Those of all profiles, some at a time. */
    refreshAllScores: async (): Promise<void> => {
      for (let after = ''; ; ) {
        const some = await store.listAll(after, scoredAtOnce);
        for (const account of some) await saveScore(account);
        if (some.length < scoredAtOnce) return;
        after = some.at(-1) ?? after;
      }
    },
  };
}

function listProfileWords({ name, headline, kind, skills, services }: ProfileDocument): Set<string> {
  const tags = [...skills, ...services.flatMap((service) => service.tags)];
  const text = [name, headline, ...tags, ...services.map(({ title }) => title)].join(' ');
  return new Set([markWord(kind), ...tags.map(tagWord), ...splitWords(text)]);
}

function formatPlace({ rank, at, subject }: MatchPlace): string {
  return `${rank}.${at}.${subject.slice(2)}`;
}

function parsePlace(cursor: string): MatchPlace {
  const [rank, at, subject] = cursor.split('.') as [string, string, string];
  return { rank: Number(rank), at: Number(at), subject: `0x${subject}` };
}
