// Turns changes of tasks and new messages into notices: by position, rows and position in one transaction, so that nothing
// is lost or written twice whenever the process ends.
import { formatTaskId, type Market, markets, parseAddress, type TaskKey } from '@svc/sdk/domain';
import type { ChangeSource } from '../market/changes.ts';
import type { TaskChange } from '../store/changes.ts';
import type { ConcernStore } from '../store/concerns.ts';
import { type Consumer, type CursorStore, consumePage } from '../store/consume.ts';
import type { ListingStore } from '../store/listings.ts';
import type { Channel, ChannelStore } from '../store/noticeChannels.ts';
import { buildNotice, type NewNotice, type Notice, type NoticeStore, ofNoTask } from '../store/noticeRows.ts';
import type { StoredTask } from '../store/taskRow.ts';
import type { TaskStore } from '../store/tasks.ts';
import {
  isSameEpisode,
  listEventNotices,
  listFormer,
  listTurnNotices,
  namingEvents,
  readEvents,
  turnKinds,
  type Wanted,
} from './episodes.ts';

export type ReaderNeeds = {
  readonly store: NoticeStore;
  readonly channels: ChannelStore;
  readonly cursors: CursorStore;
  readonly changes: ChangeSource;
  readonly concerns: Pick<ConcernStore, 'loadConcerns' | 'isShown'>;
  /** Without the words that the operator withholds. */
  readonly tasks: Pick<TaskStore, 'loadTask'>;
  /** The listing that an offer with this digest was about, and those who proposed for it. */
  readonly listings: Pick<ListingStore, 'findByDigest' | 'listProposers' | 'load'>;
  /** The second of chain time. */
  readonly now: () => number;
};

export type NoticeReader = ReturnType<typeof createNoticeReader>;

/** A task that both parties signed begins as claimed; its work may start in the same block. */
export const begunStates: readonly string[] = ['CLAIMED', 'ACTIVE'];

const pageSize = 200;
const mailAtOnce = 100;
const newestEvents = 20;
/** Of a wallet that is followed from now on. More live tasks than this are followed with their next change. */
const mostConcerns = 500;
/** Messages of one conversation within this time are one notice; unknown senders come together. */
const gatherSeconds = { known: 30, unknown: 900 };
const day = 86_400;

export function createNoticeReader(needs: ReaderNeeds) {
  const { store, channels, cursors, changes, concerns, tasks, listings, now } = needs;
  const loadTask = ({ market, number }: TaskKey) => tasks.loadTask(market, number);

  /** What the task asks of a channel's wallet now, and the waiting rows that this replaces. */
  async function compare(stored: StoredTask | null, key: TaskKey, channel: Channel) {
    const known = await store.loadOfTask(key, channel.id);
    const wanted = stored === null ? [] : await listWanted(stored, channel);
    const notices = wanted.map((one) => toNotice(one, key, channel, known));
    const isWanted = ({ episode, kind }: Notice) =>
      notices.some((one) => one.episode === episode && one.kind === kind);
    const stale = known.filter((row) => row.state === 'waiting' && !isWanted(row)).map(({ id }) => id);
    return { notices, stale };
  }

  async function listWanted(stored: StoredTask, channel: Channel): Promise<Wanted[]> {
    const { task } = stored;
    const wallet = parseAddress(channel.wallet);
    const [newest, told] = await Promise.all([
      store.loadNewest(task, newestEvents),
      store.loadEvents(task, readEvents),
    ]);
    return [
      ...listEventNotices(task, told, wallet, channel.sinceBlock),
      ...listTurnNotices(stored, wallet, now(), newest),
    ];
  }

  /** Earlier changes cause no notice: it begins after the newest. */
  const follower: Consumer = {
    name: 'notices',
    begin: 'newest',
    pageSize,
    handle: async ({ reset, changes: page, upTo }, move) => {
      // Most markets have channels; one without reads no tasks.
      const hasChannels = await channels.hasChannels();
      if (hasChannels && reset !== null) await readAll();
      const found = hasChannels ? await readPage(page) : { notices: [], stale: [] };
      await move(upTo, (tx) => store.saveRead(tx, { ...found, now: now() }));
    },
  };

  async function readPage(page: readonly TaskChange[]) {
    // Of several changes of a task the newest state is what counts.
    const changed = new Map(page.map((change) => [`${change.market}:${change.number}`, change]));
    const notices: NewNotice[] = [];
    const stale: number[] = [];
    for (const change of changed.values()) {
      if (begunStates.includes(change.state)) notices.push(...(await listTaken(change)));
      const found = await channels.loadConfirmed(await listWallets(change));
      if (found.length === 0) continue;
      const stored = await loadTask(change);
      for (const channel of found) {
        const compared = await compare(stored, change, channel);
        notices.push(...compared.notices);
        stale.push(...compared.stale);
      }
    }
    return { notices, stale };
  }

  /** A task that came out of a listing: those whose proposals were not chosen get one notice. */
  async function listTaken(change: TaskChange): Promise<NewNotice[]> {
    const stored = await loadTask(change);
    const { settlementDigest = null, worker = null } = stored?.task ?? {};
    const listing = settlementDigest === null ? undefined : await listings.findByDigest(settlementDigest);
    if (listing === undefined) return [];
    // Of several tasks with offers of one listing the first took it; those who were chosen then are not told otherwise.
    const { taskId = null } = (await listings.load(listing)) ?? {};
    if (taskId !== null && taskId !== formatTaskId(change)) return [];
    const others = (await listings.listProposers(listing)).filter((one) => one !== worker?.toLowerCase());
    return (await channels.loadConfirmed(others)).map((one) => buildNotice(one, 'taken', listing, now()));
  }

  /** Those that the task concerns, or concerned until now. */
  async function listWallets(change: TaskChange): Promise<string[]> {
    const [waiting, events] = await Promise.all([
      store.loadWaitingWallets(change),
      store.loadEvents(change, namingEvents),
    ]);
    const former = listFormer(events).map((wallet) => wallet.toLowerCase());
    return [...new Set([...change.wallets, ...waiting, ...former])].filter((wallet) => wallet !== '');
  }

  /** Schedules reminders for everything that runs. `isToldAgain` also reports what the channel was not told yet. */
  async function catchUp(channel: Channel, isToldAgain: boolean): Promise<void> {
    for (const market of markets) {
      const address = parseAddress(channel.wallet);
      const found = await concerns.loadConcerns({ market, address, now: now(), limit: mostConcerns });
      for (const stored of found) {
        const { notices, stale } = await compare(stored, stored.task, channel);
        const isPast = ({ kind, sendAt }: NewNotice) => !isToldAgain && kind === 'turn' && sendAt <= now();
        await store.saveNotices(
          notices.map((one) => (isPast(one) ? { ...one, state: 'known' as const } : one)),
          now(),
          stale,
        );
      }
    }
  }

  /** Changes may be missing: what concerns each wallet is read from the index instead. */
  async function readAll(): Promise<void> {
    for (const channel of await channels.loadConfirmed(await channels.listWallets()))
      await catchUp(channel, true);
  }

  async function readMail(): Promise<void> {
    for (const { wallet, mailPosition, position } of await store.loadMailed(mailAtOnce)) {
      const { mail, last } = await store.loadUnread(wallet, mailPosition, pageSize);
      const notices: NewNotice[] = [];
      for (const channel of mail.length === 0 ? [] : await channels.loadConfirmed([wallet]))
        for (const one of mail) {
          const { isKnown } = one;
          const kinds = isKnown ? (['message', 'proposal'] as const) : (['strangers'] as const);
          const subject = isKnown ? one.root : 'strangers';
          if (notices.some((made) => made.channelId === channel.id && made.episode.startsWith(subject)))
            continue;
          if (await store.isMailWaiting(channel.id, kinds, subject)) continue;
          const summaries = isKnown
            ? []
            : await store.loadSentSince(ofNoTask(channel.id), kinds, now() - day);
          const earliest = Math.max(0, ...summaries.map((at) => at + day));
          const kind = isKnown ? (one.hasProposal ? 'proposal' : 'message') : 'strangers';
          const sendAt = Math.max(now() + gatherSeconds[isKnown ? 'known' : 'unknown'], earliest);
          notices.push(buildNotice(channel, kind, `${subject}/${mailPosition}`, sendAt));
        }
      // A restore raises positions, and conversations are removed: no message may be left before the newest one.
      await store.advanceMail(wallet, mailPosition, last ?? position, { notices, now: now() });
    }
  }

  return {
    catchUp,

    /**
     * The task of a notice. Null where it no longer asks this of the channel's wallet: then what waits for the channel is
     * replaced, as if the task had just changed.
     */
    loadWanted: async (
      { episode, kind }: Notice,
      key: TaskKey,
      channel: Channel,
    ): Promise<StoredTask | null> => {
      const stored = await loadTask(key);
      const { notices, stale } = await compare(stored, key, channel);
      const isWanted = notices.some(
        (one) => one.episode === episode && one.kind === kind && one.state === 'waiting',
      );
      if (!isWanted) await store.saveNotices(notices, now(), stale);
      return isWanted ? stored : null;
    },

    /** Reads what is new; resolves to whether there may be more. */
    round: async (): Promise<boolean> => {
      await readMail();
      // Deliveries are counted from events, so the names of episodes are certain only then.
      if (!(await concerns.isShown())) return false;
      return consumePage({ cursors, changes }, follower);
    },
  };
}

/** A block that comes again at another second makes no new episode: the row keeps the name that it has. */
function toNotice(
  wanted: Wanted,
  { market, number }: TaskKey,
  channel: Channel,
  known: readonly Notice[],
): NewNotice {
  const isTurn = turnKinds.some((kind) => kind === wanted.kind);
  const same = isTurn
    ? known.find(({ kind, episode }) => kind === wanted.kind && isSameEpisode(episode, wanted.episode))
    : undefined;
  return {
    channelId: channel.id,
    wallet: channel.wallet,
    market: market as Market,
    number: Number(number),
    ...wanted,
    episode: same?.episode ?? wanted.episode,
  };
}
