// What a wallet decides about its notifications: where it is reached, when it wants quiet, and when it ends.
import { randomBytes } from 'node:crypto';
import { type Address, SvcError } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import type { NewChannel } from '@svc/sdk/internal/schemas/notifications';
import type { AddRefusal, Channel, ChannelLimits, ChannelStore } from '../store/noticeChannels.ts';
import { buildNotice, type NoticeKind, type NoticeStore, ofNoTask } from '../store/noticeRows.ts';
import { findUrlMistake } from '../webhooks/target.ts';
import type { ContactBox } from './contactBox.ts';
import { isTimeZone } from './quietHours.ts';
import type { NoticeReader } from './readChanges.ts';
import { type Contact, identifyContact, maskContact } from './sendLetter.ts';

export type ContactNeeds = {
  readonly store: NoticeStore;
  readonly channels: ChannelStore;
  readonly reader: Pick<NoticeReader, 'catchUp'>;
  readonly box: ContactBox;
  /** Collateral, a task, or a place among the arbitrators. */
  readonly isMember: (wallet: Address) => Promise<boolean>;
  /** The newest block. */
  readonly head: () => number;
  /** The second of chain time. */
  readonly now: () => number;
  readonly hasMail: boolean;
  /** Of an embedded market: mails are shown at /dev/mail instead. */
  readonly isMailCaught: boolean;
  readonly pushKey: string;
  readonly isPrivateAllowed: boolean;
};

export type ContactService = ReturnType<typeof createContactService>;

const mostChannels = 10;
const limitsOf: Readonly<Record<Channel['kind'], ChannelLimits>> = {
  email: { channels: mostChannels, perDay: 3, perAddress: { day: 1, ever: 3 } },
  push: { channels: mostChannels, perDay: 20, perAddress: null },
  webhook: { channels: mostChannels, perDay: 20, perAddress: null },
};
const testsPerDay = 5;
const day = 86_400;

const refusals: Readonly<Record<AddRefusal, string>> = {
  refused: 'its owner wants no mail from this gateway',
  channels: `a wallet can have ${mostChannels} channels; remove one first`,
  wallet: 'this wallet has added enough for today; try again tomorrow',
  address: 'this address was asked to confirm already; look into its mailbox, or try again tomorrow',
};

export function createContactService(needs: ContactNeeds) {
  const { store, channels, reader, box, isMember, head, now, hasMail, isPrivateAllowed } = needs;

  async function show(channel: Channel) {
    const { id, kind, state, error, failures, sentAt, createdAt } = channel;
    return {
      id,
      kind,
      address: maskContact(JSON.parse(box.open(channel.address)) as Contact),
      state,
      failure: error === null ? null : { reason: error, attempts: failures },
      waiting: state === 'unconfirmed' ? 0 : await store.countOverdue(id, now()),
      sentAt,
      createdAt,
    };
  }

  /** The secret of a webhook is made here. */
  function check(contact: NewChannel): Contact {
    if (contact.kind === 'email') {
      if (!hasMail) throw refuse('this gateway sends no e-mail');
      // The name before the @ may have capitals; domains have none.
      return { kind: 'email', email: contact.email.replace(/@.*$/, (domain) => domain.toLowerCase()) };
    }
    const url = contact.kind === 'push' ? contact.endpoint : contact.url;
    const mistake = findUrlMistake(url, isPrivateAllowed);
    if (mistake !== null) throw refuse(mistake);
    if (contact.kind === 'push') {
      if (!url.startsWith('https://')) throw refuse('it does not begin with https://');
      return contact;
    }
    return { ...contact, secret: `whsec_${randomBytes(32).toString('base64')}` };
  }

  async function queue(channel: Channel, kind: NoticeKind): Promise<void> {
    await store.saveNotices([buildNotice(channel, kind, `${kind}/${Date.now()}`, 0)], now());
  }

  async function requireOwn(wallet: Address, id: string): Promise<Channel> {
    const channel = await channels.findChannel(id);
    if (channel === undefined || channel.wallet !== addressKey(wallet))
      throw new SvcError('CHANNEL_NOT_FOUND', {});
    return channel;
  }

  return {
    async read(wallet: Address) {
      const key = addressKey(wallet);
      const [own, quiet] = await Promise.all([channels.listChannels(key), channels.loadQuiet(key)]);
      const { quietFrom, quietTo, timeZone } = quiet;
      return {
        channels: await Promise.all(own.map(show)),
        quietHours:
          quietFrom === null || quietTo === null ? null : { from: toClock(quietFrom), to: toClock(quietTo) },
        timeZone,
        offers: { email: hasMail, isMailCaught: needs.isMailCaught, pushKey: needs.pushKey },
      };
    },

    /** The secret of a webhook is returned here and nowhere else. */
    async add(wallet: Address, given: NewChannel) {
      if (!(await isMember(wallet))) throw new SvcError('NO_STANDING', {});
      const contact = check(given);
      const made = {
        id: randomBytes(12).toString('base64url'),
        wallet: addressKey(wallet),
        kind: contact.kind,
        address: box.seal(JSON.stringify(contact)),
        addressHash: box.hash(identifyContact(contact)),
      };
      const added = await channels.addChannel(made, limitsOf[contact.kind], Math.floor(Date.now() / 1_000));
      if ('refusal' in added) throw refuse(refusals[added.refusal]);
      const isNew = added.channel.state === 'unconfirmed';
      if (isNew) await queue(added.channel, 'confirm');
      const secret = contact.kind === 'webhook' && isNew ? contact.secret : null;
      return { channel: await show(added.channel), secret };
    },

    async confirm(token: string) {
      const link = box.readLink('confirm', token);
      const confirmed = link === null ? undefined : await channels.confirm(link.channelId, head());
      if (link === null || confirmed === undefined) throw new SvcError('LINK_INVALID', {});
      // A second press also makes up for a first one that was interrupted.
      await reader.catchUp(confirmed.channel, !confirmed.isNew);
      return { confirmed: true as const };
    },

    async remove(wallet: Address, id: string) {
      await channels.removeChannel((await requireOwn(wallet, id)).id);
      return { removed: true as const };
    },

    /** Of a mail's link, also after the channel has gone: a second click changes nothing. */
    async unsubscribe(token: string) {
      const link = box.readLink('unsubscribe', token);
      if (link === null) throw new SvcError('LINK_INVALID', {});
      await channels.removeChannel(link.channelId);
      return { removed: true as const };
    },

    /** Ends every channel with this address, of whichever wallet, and takes it never again. */
    async refuseAddress(token: string) {
      const link = box.readLink('unsubscribe', token) ?? box.readLink('confirm', token);
      if (link === null) throw new SvcError('LINK_INVALID', {});
      await channels.refuseAddress(link.addressHash, Math.floor(Date.now() / 1_000));
      return { refused: true as const };
    },

    async test(wallet: Address, id: string) {
      const channel = await requireOwn(wallet, id);
      if (channel.state !== 'confirmed') throw refuse('it is not confirmed');
      if ((await store.loadSentSince(ofNoTask(id), ['test'], now() - day)).length >= testsPerDay)
        throw refuse(`${testsPerDay} test notices a day are enough`);
      await queue(channel, 'test');
      return { queued: true as const };
    },

    async saveQuiet(
      wallet: Address,
      { quietHours, timeZone }: { quietHours: { from: string; to: string } | null; timeZone: string },
    ) {
      if (!isTimeZone(timeZone)) throw refuse('this time zone is unknown; write one such as Europe/Berlin');
      const [quietFrom, quietTo] =
        quietHours === null ? [null, null] : [toMinutes(quietHours.from), toMinutes(quietHours.to)];
      await channels.saveQuiet(addressKey(wallet), { quietFrom, quietTo, timeZone });
      return { quietHours, timeZone };
    },

    async sweep(): Promise<void> {
      await channels.sweep(Math.floor(Date.now() / 1_000));
      await store.sweep(now());
    },
  };
}

function refuse(reason: string): SvcError {
  return new SvcError('CONTACT_REFUSED', { reason });
}

function toMinutes(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

function toClock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
