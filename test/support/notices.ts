// A notifier over the rows of a fake chain: with channels that keep what they are sent, and a chain time that tests move.
import { zeroAddress } from 'viem';
import type { Address } from '#sdk/domain/address.ts';
import { createMarketService } from '#service/market/taskLists.ts';
import { createListingService } from '#service/matching/listingService.ts';
import { createContactBox } from '#service/notify/contactBox.ts';
import { createContactService } from '#service/notify/contacts.ts';
import type { Letter } from '#service/notify/letters.ts';
import type { Outcome } from '#service/notify/outcome.ts';
import { createNoticeReader } from '#service/notify/readChanges.ts';
import { createSavedSearches } from '#service/notify/savedSearches.ts';
import type { Contact, LetterSender } from '#service/notify/sendLetter.ts';
import { createNotifier, noticeLeaseMs } from '#service/notify/sendNotices.ts';
import { createChangeStore } from '#service/store/changes.ts';
import { createConcernStore } from '#service/store/concerns.ts';
import { createCursorStore } from '#service/store/consume.ts';
import type { Database } from '#service/store/database.ts';
import { createLease } from '#service/store/lease.ts';
import { createListingStore } from '#service/store/listings.ts';
import { createChannelStore } from '#service/store/noticeChannels.ts';
import { createNoticeStore } from '#service/store/noticeRows.ts';
import { createSearchStore } from '#service/store/searchRows.ts';
import { createTaskStore } from '#service/store/tasks.ts';

import { createFakeChain } from './indexer/fakeChain.ts';
import { catchUp } from './indexer/rows.ts';

export const contactKey = `0x${'5a'.repeat(32)}`;

type SentLetter = { readonly to: string; readonly letter: Letter };

export type NoticeOptions = {
  readonly now: () => number;
  readonly safeBlock?: () => number;
  readonly send?: LetterSender;
  readonly answer?: (contact: Contact, letter: Letter) => Outcome;
  readonly head?: () => number;
  readonly isMember?: boolean;
  readonly firstRetryMs?: number;
  readonly leaseMs?: number;
  /** Stands between the notifier and its rows. */
  readonly wrap?: <T extends object>(store: T) => T;
};

export function openNotices(database: Database, options: NoticeOptions) {
  const { now, wrap = (store) => store } = options;
  const letters: SentLetter[] = [];
  const box = createContactBox(contactKey);
  const store = wrap(createNoticeStore(database));
  const channels = wrap(createChannelStore(database));
  const concerns = createConcernStore(database);
  const listings = createListingStore(database);
  const tasks = createTaskStore(database);
  const reader = createNoticeReader({
    store,
    channels,
    cursors: wrap(createCursorStore(database)),
    changes: createChangeStore(database),
    concerns,
    tasks,
    listings,
    now,
  });
  const searches = createSavedSearches({
    store: createSearchStore(database),
    channels,
    isMember: async () => options.isMember ?? true,
    listOpen: createMarketService({
      tasks,
      loadWithheld: async () => new Set(),
      now,
      readPrice: async () => ({ priceE8: 50_000_000n }),
    }).listOpenInFull,
    findListings: createListingService({
      store: listings,
      verify: async () => true,
      hasCollateral: async () => true,
      findReason: async () => null,
      chainId: 1,
      loadDigest: async () => null,
      registryOf: () => zeroAddress,
      clock: now,
      now,
    }).find,
    now,
    clock: now,
  });
  const keep: LetterSender = async (contact, letter) => {
    const outcome = options.answer?.(contact, letter) ?? { kind: 'sent' };
    if (outcome.kind === 'sent') letters.push({ to: nameOf(contact), letter });
    return outcome;
  };
  const notifier = createNotifier({
    store,
    channels,
    concerns,
    reader,
    send: options.send ?? keep,
    box,
    searches,
    lease: createLease(database, { name: 'notices', milliseconds: options.leaseMs ?? noticeLeaseMs }),
    readSafeBlock: async () => options.safeBlock?.() ?? Number.MAX_SAFE_INTEGER,
    now,
    onOutcome: () => undefined,
    onWaiting: () => undefined,
    firstRetryMs: options.firstRetryMs ?? 0,
  });
  const contacts = createContactService({
    store,
    channels,
    reader,
    box,
    isMember: async () => options.isMember ?? true,
    head: options.head ?? (() => 0),
    now,
    hasMail: true,
    isMailCaught: false,
    pushKey: 'key',
    isPrivateAllowed: true,
  });
  return {
    box,
    store,
    channels,
    contacts,
    searches,
    listings,
    letters,
    round: () => notifier.round(new AbortController().signal),
    close: notifier.close,
    /** What was sent about tasks, without confirmations: `kind task`. */
    list: () =>
      letters
        .filter(({ letter }) => letter.kind !== 'confirm')
        .map(({ letter }) => `${letter.kind} ${letter.subject}`),
    /** Adds a channel and confirms it, as its owner would. */
    subscribe: async (wallet: Address, email = 'ada@example.org') => {
      const { channel } = await contacts.add(wallet, { kind: 'email', email });
      const stored = await channels.findChannel(channel.id);
      await contacts.confirm(box.writeLink('confirm', channel.id, stored?.addressHash ?? ''));
      return channel.id;
    },
  };
}

function nameOf(contact: Contact): string {
  if (contact.kind === 'email') return contact.email;
  return contact.kind === 'push' ? contact.endpoint : contact.url;
}

/** The same over a fake chain, whose steps it sees at once. */
export function beginNotices(database: Database, options: Partial<NoticeOptions> = {}) {
  const chain = createFakeChain();
  const clock = { ahead: 0 };
  const now = () => chain.head().time + clock.ahead;
  const notices = openNotices(database, {
    now,
    safeBlock: () => Number(chain.head().number),
    head: () => Number(chain.head().number),
    ...options,
  });
  /** Sets the clock ahead of the chain. Of several notices to one channel, each round sends one. */
  const later = async (ahead: number) => {
    clock.ahead = ahead;
    for (let round = 0; round < 2; round++) await notices.round();
  };
  const step = async (...steps: Parameters<typeof chain.mine>) => {
    chain.mine(...steps);
    await catchUp(chain.source, database);
    await later(clock.ahead);
  };
  const look = async () => {
    await notices.searches.round(new AbortController().signal);
    await notices.round();
  };
  const kinds = () => notices.letters.map(({ letter }) => letter.kind).filter((kind) => kind !== 'confirm');
  /** Forgets what was sent until now. */
  const clear = () => void notices.letters.splice(0);
  return { chain, clock, now, ...notices, step, later, look, kinds, clear };
}
