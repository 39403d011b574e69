// Sends the notices that are due, by one process at a time: at least once, in order for each task. Before it is sent, a
// notice is compared with the task again; one that no longer holds is dropped.
import type { Market } from '@svc/sdk/domain';
import { backoffMs } from '@svc/sdk/internal/domain/backoff';
import { inParallel } from '../store/inParallel.ts';
import type { Lease } from '../store/lease.ts';
import type { Channel } from '../store/noticeChannels.ts';
import { buildNotice, type Notice, type NoticeKind } from '../store/noticeRows.ts';
import type { ContactBox } from './contactBox.ts';
import { findConcernRow, likeTurn, toldEvents, turnKinds } from './episodes.ts';
import {
  kindNames,
  type Letter,
  writeChannelFailed,
  writeConfirm,
  writeEvent,
  writeMail,
  writeTaken,
  writeTest,
  writeTurn,
} from './letters.ts';
import type { Outcome } from './outcome.ts';
import { quietSeconds } from './quietHours.ts';
import type { NoticeReader, ReaderNeeds } from './readChanges.ts';
import type { SavedSearches } from './savedSearches.ts';
import type { Contact, LetterSender } from './sendLetter.ts';

export type NotifierNeeds = Pick<ReaderNeeds, 'store' | 'channels' | 'concerns' | 'now'> & {
  readonly reader: NoticeReader;
  readonly send: LetterSender;
  readonly box: ContactBox;
  readonly lease: Lease;
  readonly searches: Pick<SavedSearches, 'write'>;
  /** The number of the newest block that a reorganisation cannot remove. */
  readonly readSafeBlock: () => Promise<number>;
  readonly onOutcome: (outcome: NoticeOutcome, kind: Channel['kind']) => void;
  readonly onWaiting: (count: number) => void;
  /** Delay before the first retry; for tests. */
  readonly firstRetryMs?: number;
};

export type NoticeOutcome = 'sent' | 'failed' | 'dropped';

export const noticeLeaseMs = 30_000;
/** After this time a round begins no other letter. */
const usableMs = 15_000;
/** Of each kind, so that no kind waits for another, except for the end of the round in which it becomes due. */
const channelsAtOnce = 4;
const channelsOfRound = 100;
const noticesAtOnce = 20;
const retries = { attempts: 12, longestMs: 6 * 3_600_000 };
/** More attempts without an answer count no more: the pauses of the channel stay at an hour, and it goes on. */
const silentAttempts = 6;
/** Of a letter that gets no answer, in 26 hours: each of them may have arrived. */
const mostCopies = 13;
/** How long a kind of channel rests after it was down. */
const downMs = 20_000;
const day = 86_400;

const mailKinds: readonly NoticeKind[] = ['message', 'proposal', 'strangers', 'taken'];
type Budget = Readonly<Record<Channel['kind'], number>>;
/** Notices that others can cause, in a day; of a task the turns that ask the same, since a worker may deliver again with every second. */
const budgets: readonly (readonly [kinds: readonly NoticeKind[], Budget])[] = [
  [mailKinds, { email: 10, push: 10, webhook: 200 }],
  [['turn'], { email: 10, push: 10, webhook: 200 }],
  [['search'], { email: 1, push: 1, webhook: 1 }],
];
/** Sent at any hour. */
const urgentKinds: readonly NoticeKind[] = ['last', 'confirm', 'test'];

export function createNotifier(needs: NotifierNeeds) {
  const { store, channels, concerns, reader, send, box, lease, now, onOutcome } = needs;
  const { firstRetryMs = 60_000 } = needs;
  let heldUntil = 0;
  const restingUntil: Partial<Record<Channel['kind'], number>> = {};
  const isHeld = () => performance.now() < heldUntil;
  const isResting = (kind: Channel['kind']) => Date.now() < (restingUntil[kind] ?? 0);

  async function serve(channelId: string, safeBlock: number, signal: AbortSignal): Promise<void> {
    const channel = await channels.findChannel(channelId);
    if (channel === undefined || isResting(channel.kind)) return;
    const due = await store.loadDue(channelId, now(), safeBlock, noticesAtOnce);
    for (const notice of due) {
      if (!isHeld() || signal.aborted) return;
      if (channel.state === 'unconfirmed' && notice.kind !== 'confirm') continue;
      if (!(await handle(channel, notice, due))) return;
    }
  }

  /** Resolves to whether the channel takes more. */
  async function handle(channel: Channel, notice: Notice, due: readonly Notice[]): Promise<boolean> {
    const pause = await findPause(channel, notice);
    if (pause > 0) {
      await store.postpone(notice, now() + pause);
      return true;
    }
    if (isReplaced(notice, due)) {
      await store.end(notice.id, 'known', now());
      return true;
    }
    const letter = await write(notice, channel);
    if (letter === 'changed') return true;
    if (letter === null) {
      await store.end(notice.id, 'dropped', now());
      onOutcome('dropped', channel.kind);
      return true;
    }
    const contact = JSON.parse(box.open(channel.address)) as Contact;
    const token = box.writeLink('unsubscribe', channel.id, channel.addressHash);
    const outcome = await send(contact, letter, token).catch(
      // The words of an error may contain the address.
      (): Outcome => ({ kind: 'failed', reason: 'it could not be sent' }),
    );
    if (outcome.kind !== 'sent') return fail(channel, notice, outcome);
    await store.end(notice.id, 'sent', now());
    await store.settle(notice, listEarlier(notice.kind), now());
    await channels.saveSuccess(channel.id, now());
    onOutcome('sent', channel.kind);
    return true;
  }

  /** Seconds until the notice may be sent: after quiet hours, or when its budget has room. */
  async function findPause({ kind, wallet }: Channel, notice: Notice): Promise<number> {
    const [kinds = [], budget] = budgets.find(([of]) => of.includes(notice.kind)) ?? [];
    if (budget !== undefined) {
      const like = notice.kind === 'turn' ? likeTurn(notice.episode) : undefined;
      const sent = await store.loadSentSince(notice, kinds, now() - day, like);
      const [oldest] = sent.slice(-budget[kind]);
      if (sent.length >= budget[kind] && oldest !== undefined) return Math.max(1, oldest + day - now());
    }
    if (kind === 'webhook' || urgentKinds.includes(notice.kind)) return 0;
    return quietSeconds(await channels.loadQuiet(wallet), Date.now());
  }

  async function fail(
    channel: Channel,
    notice: Notice,
    outcome: Exclude<Outcome, { kind: 'sent' }>,
  ): Promise<boolean> {
    onOutcome('failed', channel.kind);
    if (outcome.kind === 'down') {
      restingUntil[channel.kind] = Date.now() + Math.min(downMs, firstRetryMs);
      return false;
    }
    const counted = outcome.kind === 'silent' && channel.failures >= silentAttempts ? 0 : 1;
    const isEnd = outcome.kind === 'gone' || channel.failures + counted >= retries.attempts;
    const pauseMs = backoffMs(channel.failures, { firstMs: firstRetryMs, longestMs: retries.longestMs });
    const nextTry = Math.ceil(Date.now() + pauseMs);
    await channels.saveFailure(channel.id, { error: outcome.reason, nextTry, counted, isEnd });
    if (isEnd) await tellOthers(channel, `${now()}`);
    if (outcome.kind === 'silent') await putOff(channel, notice);
    return false;
  }

  /** The others of the channel leave meanwhile. In the end the letter is given up, and not the channel. */
  async function putOff(channel: Channel, notice: Notice): Promise<void> {
    const unanswered = notice.unanswered + 1;
    if (unanswered < mostCopies) {
      const seconds = Math.min(firstRetryMs * 2 ** notice.unanswered, retries.longestMs) / 1_000;
      return store.postpone({ ...notice, unanswered }, Math.ceil(now() + seconds));
    }
    // Once a day, however many letters there are. A dropped one would wait again with the next change of its task.
    await tellOthers(channel, `silent/${Math.floor(now() / day)}`);
    await store.end(notice.id, 'known', now());
  }

  async function tellOthers(failed: Channel, occasion: string): Promise<void> {
    const others = (await channels.loadConfirmed([failed.wallet])).filter(({ id }) => id !== failed.id);
    const episode = `${failed.id}/${occasion}`;
    await store.saveNotices(
      others.map((channel) => buildNotice(channel, 'channel-failed', episode, now())),
      now(),
    );
  }

  /** Null where the notice no longer holds; `changed` where it was replaced, or cannot be judged now. */
  async function write(notice: Notice, channel: Channel): Promise<Letter | null | 'changed'> {
    const { kind, until } = notice;
    if (until !== null && now() > until) return null;
    if (kind === 'confirm')
      return writeConfirm(notice, box.writeLink('confirm', channel.id, channel.addressHash));
    if (kind === 'test') return writeTest(notice);
    if (kind === 'channel-failed')
      return writeChannelFailed(notice, await channels.findChannel(notice.episode.split('/')[0] ?? ''));
    // A price or a database that does not answer delays this one alone.
    if (kind === 'search') return needs.searches.write(notice).catch(() => 'changed' as const);
    if (kind === 'taken') return writeTaken(notice);
    if (mailKinds.includes(kind)) return writeMailNotice(notice);
    return writeTaskNotice(notice, channel);
  }

  async function writeMailNotice(notice: Notice): Promise<Letter | null> {
    const [root = '', after = '0'] = notice.episode.split('/');
    const { mail } = await store.loadUnread(notice.wallet, Number(after), 1_000);
    const { length: unknown } = mail.filter(({ isKnown }) => !isKnown);
    if (notice.kind === 'strangers')
      return unknown === 0 ? null : writeMail(notice, { sender: null, count: unknown });
    const found = mail.find((one) => one.root === root);
    if (found === undefined) return null;
    return writeMail(notice, {
      ...found,
      asking: await store.loadAsking(notice.wallet, root, Number(after)),
    });
  }

  async function writeTaskNotice(notice: Notice, channel: Channel): Promise<Letter | null | 'changed'> {
    const key = { market: notice.market as Market, number: BigInt(notice.number) };
    // While the chain is read again, episodes have no certain names: it waits.
    if (!(await concerns.isShown())) return 'changed';
    const stored = await reader.loadWanted(notice, key, channel);
    if (stored === null) return 'changed';
    const time = now();
    const row = findConcernRow(stored, notice.wallet, time) ?? { part: 3, due: 0, roles: 0 };
    if (!isTurn(notice.kind)) {
      // The last one says what the others paid out.
      const events = await store.loadEvents(key, [...toldEvents, 'DisputeSettled']);
      const event = events.filter(({ name }) => name === nameOf(notice))[
        Number(notice.episode.split('.')[1]) - 1
      ];
      return event === undefined ? null : writeEvent(notice, { ...stored, ...row }, events, event);
    }
    const { timeZone } = await channels.loadQuiet(notice.wallet);
    return writeTurn(notice, { ...stored, ...row }, { timeZone, now: time });
  }

  async function work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && isHeld() && (await reader.round()));
    const safeBlock = (await store.isBlockWaiting()) ? await needs.readSafeBlock().catch(() => 0) : 0;
    // A kind that is down fills no round: the others are sent meanwhile.
    const kinds = (Object.keys(kindNames) as Channel['kind'][]).filter((kind) => !isResting(kind));
    const time = { now: now(), nowMs: Date.now(), safeBlock, limit: channelsOfRound };
    const due = await Promise.all(kinds.map((kind) => store.loadDueChannels(kind, time)));
    const failures: unknown[] = [];
    const serveOne = async (channelId: string) => {
      if (signal.aborted || !isHeld()) return;
      // One that fails keeps no other waiting, and ends no round while letters are on their way: they would be sent again.
      await serve(channelId, safeBlock, signal).catch((error: unknown) => failures.push(error));
    };
    await Promise.all(due.map((ofKind) => inParallel(ofKind, channelsAtOnce, serveOne)));
    needs.onWaiting(await store.countWaiting(now(), safeBlock));
    if (failures.length > 0) throw failures[0];
  }

  return {
    round: async (signal: AbortSignal): Promise<void> => {
      if (!(await lease.hold())) return;
      heldUntil = performance.now() + usableMs;
      // A mail server may answer later than the lease ends.
      const extending = setInterval(() => void lease.hold().catch(() => false), lease.milliseconds / 3);
      await work(signal).finally(() => clearInterval(extending));
    },
    close: (): Promise<void> => lease.release(),
  };
}

function isTurn(kind: NoticeKind): boolean {
  return turnKinds.some((one) => one === kind);
}

function nameOf({ episode }: Notice): string {
  return episode.split('.')[0] ?? '';
}

/** A later notice of the same episode says everything that an earlier one would. */
function isReplaced(notice: Notice, due: readonly Notice[]): boolean {
  const isSame = (other: Notice) =>
    other.market === notice.market && other.number === notice.number && other.episode === notice.episode;
  return due.some((other) => isSame(other) && listEarlier(other.kind).includes(notice.kind));
}

function listEarlier(kind: NoticeKind): NoticeKind[] {
  const kinds: readonly NoticeKind[] = turnKinds;
  return kinds.slice(0, Math.max(0, kinds.indexOf(kind)));
}
