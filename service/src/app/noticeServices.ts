// Notifications over an open market: the settings of wallets, and the notifier that reads changes and sends.

import { generateKeyPairSync } from 'node:crypto';
import type { Rpc } from '@svc/sdk/chain';
import { safeBlock } from '@svc/sdk/internal/chain/rpcRequests';
import { OperatorError } from '../errors/operatorError.ts';
import { createContactBox } from '../notify/contactBox.ts';
import { createContactService } from '../notify/contacts.ts';
import { kindNames } from '../notify/letters.ts';
import { createMailCatcher, createSmtpMailer, type MailCatcher, type Mailer } from '../notify/mailer.ts';
import { createNoticeReader } from '../notify/readChanges.ts';
import { createSavedSearches, type SearchNeeds } from '../notify/savedSearches.ts';
import { createLetterSender } from '../notify/sendLetter.ts';
import { createNotifier, noticeLeaseMs } from '../notify/sendNotices.ts';
import { createConcernStore } from '../store/concerns.ts';
import { keepFor } from '../store/keepFor.ts';
import { createLease } from '../store/lease.ts';
import { createListingStore } from '../store/listings.ts';
import { createChannelStore } from '../store/noticeChannels.ts';
import { createNoticeStore } from '../store/noticeRows.ts';
import { createSearchStore } from '../store/searchRows.ts';
import type { StandingStore } from '../store/standing.ts';
import type { OpenMarket } from './openMarket.ts';
import { repeat } from './rounds.ts';

export type NoticeOptions = {
  /** Undefined where the operator offers no notifications. */
  readonly contactKey: string | undefined;
  /** SMTP; `catch` keeps mails in memory, for /dev/mail. */
  readonly mail: { readonly url: string; readonly from: string } | 'catch' | undefined;
  /** Whom push services may ask: a mail or web address. */
  readonly contact: string | undefined;
  /** Whether webhooks of wallets may lead to private addresses, and without TLS. */
  readonly isPrivateAllowed?: boolean;
};

type NoticeNeeds = NoticeOptions & {
  readonly rpc: Pick<Rpc, 'ask'>;
  readonly publicUrl: () => string;
  readonly standing: Pick<StandingStore, 'isMember'>;
  readonly findListings: SearchNeeds['findListings'];
};

/** Between two looks at changes and at what is due. */
const lookEveryMs = 1_000;
const searchEveryMs = 15_000;
const sweepEveryMs = 600_000;
/** Blocks become safe every few seconds at most. */
const safeAgeMs = 4_000;
/** Of a chain whose nodes do not say which block is safe. */
const unsafeBlocks = 64;

/** Throws CONTACT_KEY_WRONG where the database was used with another key. */
export async function createNoticeServices(market: OpenMarket, needs: NoticeNeeds) {
  if (needs.contactKey === undefined) return null;
  const { database, now, log, metrics } = market;
  const { isPrivateAllowed = false } = needs;
  const box = createContactBox(needs.contactKey);
  const channels = createChannelStore(database);
  if ((await channels.keepFingerprint(box.fingerprint)) !== box.fingerprint)
    throw new OperatorError('CONTACT_KEY_WRONG', {});
  const pushKeys = JSON.parse(
    box.open(await channels.keepPushKeys(box.seal(JSON.stringify(createPushKeys())))),
  );
  const mailer = createMailer(needs.mail);
  const store = createNoticeStore(database);
  const concerns = createConcernStore(database);
  const reader = createNoticeReader({
    store,
    channels,
    cursors: market.cursors,
    changes: market.changes,
    concerns,
    tasks: market.tasks,
    listings: createListingStore(database),
    now,
  });
  for (const channel of Object.keys(kindNames))
    for (const outcome of ['sent', 'failed', 'dropped']) metrics.counter('notices', { channel, outcome });
  const searches = createSavedSearches({
    store: createSearchStore(database),
    channels,
    isMember: needs.standing.isMember,
    listOpen: market.market.listOpenInFull,
    findListings: needs.findListings,
    now,
    clock: () => Math.floor(Date.now() / 1_000),
  });
  let waiting = 0;
  metrics.gauge('notices_waiting', () => waiting);
  const notifier = createNotifier({
    store,
    channels,
    concerns,
    reader,
    send: createLetterSender({
      mailer,
      pushKeys,
      contact: needs.contact,
      publicUrl: needs.publicUrl,
      isPrivateAllowed,
    }),
    box,
    searches,
    lease: createLease(database, { name: 'notices', milliseconds: noticeLeaseMs }),
    readSafeBlock: keepFor(safeAgeMs, () =>
      needs.rpc.ask(safeBlock()).then(
        ({ number }) => Number(number),
        () => Number(market.state()?.head.number ?? 0) - unsafeBlocks,
      ),
    ),
    now,
    onOutcome: (outcome, channel) => metrics.count('notices', { channel, outcome }),
    onWaiting: (count) => {
      waiting = count;
    },
  });
  const contacts = createContactService({
    store,
    channels,
    reader,
    box,
    isMember: needs.standing.isMember,
    head: () => Number(market.state()?.head.number ?? 0),
    now,
    hasMail: mailer !== null,
    isMailCaught: needs.mail === 'catch',
    pushKey: pushKeys.publicKey,
    isPrivateAllowed,
  });
  let running: { readonly close: () => Promise<void> }[] = [];
  return {
    contacts,
    searches,
    /** Once the gateway listens: notices link to it. */
    start: (): void => {
      running = [
        repeat(log, 'sending notices', lookEveryMs, notifier.round),
        repeat(log, 'sweeping notices', sweepEveryMs, contacts.sweep),
        repeat(log, 'looking for saved searches', searchEveryMs, searches.round),
      ];
    },
    mailCatcher: mailer !== null && 'list' in mailer ? mailer : null,
    close: async (): Promise<void> => {
      await Promise.all(running.map((part) => part.close()));
      // Another process need not wait until the lease is over; if this fails, it does.
      await notifier.close().catch(() => undefined);
      mailer?.close();
    },
  };
}

function createMailer(mail: NoticeOptions['mail']): Mailer | MailCatcher | null {
  if (mail === undefined) return null;
  return mail === 'catch' ? createMailCatcher() : createSmtpMailer(mail.url, mail.from);
}

/** A key pair of P-256: the public point in full, and the private number. */
function createPushKeys(): { publicKey: string; privateKey: string } {
  const {
    x = '',
    y = '',
    d = '',
  } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return { publicKey: point.toString('base64url'), privateKey: d };
}
