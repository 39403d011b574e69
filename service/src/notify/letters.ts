// What a notice says, for people: what happened, what silence does, until when, what is at stake, and where to act. The
// words of private tasks and of messages are never in it.

import { disputePhases, formatTok, milestoneNumber, parseAddress, type Task } from '@svc/sdk/domain';
import { groupThousands } from '@svc/sdk/internal/domain/amount';
import { roleNames, stakeNames } from '@svc/sdk/internal/domain/concernNames';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { describeSearch, isOfListings, toBoardQuery } from '@svc/sdk/internal/domain/savedSearches';
import { nameOf } from '@svc/sdk/internal/domain/state';
import { isFullyFunded } from '@svc/sdk/internal/domain/task';
import { numberTask } from '@svc/sdk/internal/domain/taskId';
import { toShown } from '@svc/sdk/internal/domain/text';
import type { SignedEnvelope } from '@svc/sdk/negotiation';
import { buildConcern } from '../contract/concern.ts';
import type { StoredConcern } from '../store/concerns.ts';
import type { Channel } from '../store/noticeChannels.ts';
import type { Notice } from '../store/noticeRows.ts';
import { findMissed, type toldEvents, type turnKinds } from './episodes.ts';

/** A notice in words. `facts` are label and text, in order. */
export type Letter = {
  /** Of the message, for receivers that get it twice. */
  readonly id: string;
  readonly kind: Notice['kind'];
  readonly subject: string;
  readonly about: string;
  readonly facts: readonly (readonly [label: string, text: string])[];
  readonly link: { readonly label: string; readonly path: string };
  /** For programs. */
  readonly data: Readonly<Record<string, unknown>>;
};

/** What the text of a letter depends on beside the task. */
export type LetterContext = { readonly timeZone: string; readonly now: number };

export const kindNames: Readonly<Record<Channel['kind'], string>> = {
  email: 'e-mail',
  push: 'browser',
  webhook: 'webhook',
};

/** `stored` is the task as the wallet's row of the index shows it now. */
export function writeTurn(notice: Notice, stored: StoredConcern, { timeZone, now }: LetterContext): Letter {
  const concern = concernOf(notice, stored, now);
  const { taskId, phase, sentence, until, afterwards, atStake, roles } = concern;
  const prefix = { turn: 'Your turn', last: 'Last call' }[notice.kind as (typeof turnKinds)[number]];
  const stakes = atStake.map(
    ({ kind, token, amount }) => `${groupThousands(amount)} ${token} ${stakeNames[kind]}`,
  );
  return letterOf(notice, {
    subject: `${prefix}: ${phase ?? 'look at the task'} · ${nameTask(concern)}`,
    about: sentence,
    facts: [
      ['Task', nameTask(concern)],
      ['You are', roles.map((role) => roleNames[role]).join(', ')],
      ['Until', until === null ? '' : `${showTime(until, timeZone)} (${showRest(until - now)})`],
      ['If you do nothing', afterwards ?? ''],
      ['At stake', stakes.join('; ')],
    ],
    link: { label: 'Open the task', path: pathOf(taskId) },
    data: { concern },
  });
}

/** `event` is the one that the notice is about, `events` those of the task. */
export function writeEvent(
  notice: Notice,
  stored: StoredConcern,
  events: readonly ChainEvent[],
  event: ChainEvent,
): Letter {
  const concern = concernOf(notice, stored, event.blockTime);
  const { taskId } = concern;
  const tok = (value: unknown) => `${groupThousands(formatTok(BigInt(String(value ?? 0))))} TOK`;
  const { args, name } = event;
  // Who settles without a dispute shares out all milestones that are left.
  const { dispute } = stored.task;
  const shared = dispute === null ? 'what was in escrow' : `the disputed milestone (${tok(dispute.amount)})`;
  const { args: settled = {} } =
    events.find((one) => one.name === 'DisputeSettled' && one.txHash === event.txHash) ?? {};
  const fee = BigInt(String(settled.protocolFee ?? 0));
  const charged = fee === 0n ? '' : `; ${tok(fee)} of it are the fee, as one side has no bond`;
  const shares = `The worker gets ${tok(settled.workerAmount)} of ${shared}, the poster ${tok(settled.posterAmount)}${charged}.`;
  const phase = name === 'DisputeTimedOut' ? nameOf(disputePhases, Number(args.phase)) : null;
  const isOpen = stored.task.state === 'POSTED';
  const missed = describeMissed(stored.task, findMissed(events, event));
  const after = isOpen ? 'The task is open for others again.' : 'Its page shows what happens next.';
  const words: Record<(typeof toldEvents)[number], readonly [subject: string, about: string]> = {
    Released: [`You were paid ${tok(args.amount)}`, `Escrow paid ${tok(args.amount)} to your wallet.`],
    Refunded: [
      `${tok(args.amount)} came back to you`,
      `${missed}Escrow returned ${tok(args.amount)} to your wallet.`,
    ],
    MilestoneAccepted: [
      `Milestone ${milestoneNumber(Number(args.milestone))} was paid`,
      `The review time ended without an answer, so the delivery counts as accepted and the worker was paid ${tok(args.amount)}.`,
    ],
    DisputeResolved: ['The arbitrator has ruled', shares],
    DisputeTimedOut: [
      phase === 'ANSWERING' ? 'The dispute was not answered' : 'The arbitrator did not rule in time',
      phase === 'ANSWERING'
        ? 'The dispute is over: the milestone and the worker’s bond go to the poster.'
        : `The dispute is over. ${shares}`,
    ],
    DisputeConceded: [
      'The dispute was given up',
      `${args.by} has given it up, so the other side gets the milestone.`,
    ],
    MutuallySettled: ['Poster and worker have settled', shares],
    ArbitratorSlashed: [
      'You lost a part of your bond',
      `You did not rule in time: ${tok(args.amount)} of your bond are gone, and the case went on without you.`,
    ],
    WorkerDismissed: ['You were dismissed from a task', `The poster ended your part in this task. ${after}`],
    WorkerLeft: ['The worker left a task', `${args.worker} gave the task back. ${after}`],
    TaskState: ['The time of a task ran out', `${missed}${after}`],
  };
  const [subject, about] = words[name as (typeof toldEvents)[number]];
  return letterOf(notice, {
    subject: `${subject} · ${nameTask(concern)}`,
    about,
    facts: [['Task', nameTask(concern)]],
    link: { label: 'Open the task', path: pathOf(taskId) },
    data: { taskId, event: name, transactionHash: event.txHash, amount: args.amount ?? null },
  });
}

/** What was not done in time, and what that costs; empty where that is not why the task went on or ended. */
function describeMissed(task: Task, state: string | null): string {
  if (state === 'POSTED') return 'Nobody claimed the task in time. ';
  if (state === 'ACTIVE')
    return 'The work was not delivered in time, so the worker’s bond went to the poster. ';
  if (state !== 'CLAIMED') return '';
  const undone = isFullyFunded(task) ? 'The work was not started' : 'The poster did not fund the rest';
  return `${undone} in time, so the worker got its bond back. `;
}

/**
 * `count` are messages; neither their text nor the title of the conversation leaves the gateway. `asking` is the one among them
 * that asks for something.
 */
export function writeMail(
  notice: Notice,
  { sender, count, asking }: { sender: string | null; count: number; asking?: string | undefined },
): Letter {
  const [root = ''] = notice.episode.split('/');
  const isKnown = notice.kind !== 'strangers';
  const what =
    notice.kind === 'proposal' ? 'a proposal' : count === 1 ? 'a new message' : `${count} new messages`;
  const asked = asking === undefined ? null : readAsking(asking, sender);
  return letterOf(notice, {
    subject: isKnown ? `You have ${what}` : 'New conversations from unknown senders',
    about: isKnown
      ? `${sender} wrote to your wallet. The text stays at the gateway.`
      : 'Wallets that you have not answered wrote to you. Further ones of today come with the next summary.',
    link: isKnown
      ? { label: 'Open the conversation', path: `/messages.html?conversation=${root}` }
      : { label: 'Read your messages', path: '/messages.html' },
    data: isKnown ? { conversation: root, sender } : {},
    ...asked,
  });
}

/** What the message means; the task is the one that its sender names. */
function readAsking(wire: string, sender: string | null): Pick<Letter, 'subject' | 'about'> {
  const { envelope } = JSON.parse(wire) as SignedEnvelope;
  if (envelope.type !== 'RevisionRequest')
    return {
      subject: 'Your proposal was chosen: sign it',
      about: `${sender} has chosen your offer and waits for your signature. Nothing binds you before you sign, and the offer ends with its time.`,
    };
  const milestone = `milestone ${milestoneNumber(Number(envelope.payload.milestone))}`;
  // Its sender chose the id: what has not its form is left out.
  const { taskId = '' } = envelope;
  const name = numberTask(taskId);
  const ofTask = name === taskId ? '' : ` of ${name}`;
  return {
    subject: `You are asked for a change of ${milestone}`,
    about: `${sender} asks for a change of ${milestone}${ofTask}. The review time runs on. What should change stays at the gateway; read it there, and deliver again.`,
  };
}

/** New tasks of one saved search. */
export type FoundForSearch = {
  readonly id: string;
  readonly query: string;
  readonly items: readonly FoundItem[];
  readonly hasMore: boolean;
};

/** A task or a listing. */
export type FoundItem = {
  readonly id: string;
  readonly title?: string | undefined;
  /** What it pays; of a listing at most. */
  readonly tokWei: string;
};

/** One summary for all saved searches of a wallet. */
export function writeSearches(notice: Notice, found: readonly FoundForSearch[]): Letter {
  const [first] = found;
  const list = ({ items, hasMore, query }: FoundForSearch) => {
    const upTo = isOfListings(query) ? 'up to ' : '';
    const names = items.map(
      ({ id, title = null, tokWei }) =>
        `${nameTask({ taskId: id.slice(0, 30), title })}, ${upTo}${groupThousands(formatTok(BigInt(tokWei)))} TOK`,
    );
    return [...names, ...(hasMore ? ['and more'] : [])].join('; ');
  };
  return letterOf(notice, {
    subject: 'New tasks for your saved searches',
    about: 'Open tasks that were posted since the last summary. The next one comes in a day at the earliest.',
    facts: found.map((one) => [`New: ${describeSearch(one.query)}`, list(one)] as const),
    link: { label: 'Open the board', path: `/market.html?${toBoardQuery(first?.query ?? '')}` },
    data: {
      searches: found.map(({ id, query, items }) => ({
        id,
        query,
        [isOfListings(query) ? 'listings' : 'tasks']: items.map((one) => one.id),
      })),
    },
  });
}

/** A task came out of a listing that the wallet had proposed for. */
export function writeTaken(notice: Notice): Letter {
  const [listing = ''] = notice.episode.split('/');
  return letterOf(notice, {
    subject: 'Another proposal was chosen',
    about:
      'The poster of a listing that you proposed for has created a task with another wallet. What you signed for it ends with its time; you can take it back earlier.',
    link: { label: 'Open the listing', path: `/market.html?listing=${listing}` },
    data: { listing },
  });
}

export function writeConfirm(notice: Notice, token: string): Letter {
  return letterOf(notice, {
    subject: 'Confirm your notifications',
    about: `Somebody with the wallet ${notice.wallet} wants the notices of its tasks on this market sent here. No notice is sent before you confirm.`,
    facts: [['If this was not you', 'do nothing. You get no further notices.']],
    link: { label: 'Confirm', path: `/notifications.html#confirm=${token}` },
    data: { token },
  });
}

export function writeTest(notice: Notice): Letter {
  return letterOf(notice, {
    subject: 'A test notice',
    about: 'Your notifications work. You asked for this one on the page Notifications.',
    link: { label: 'Open my work', path: '/my.html' },
  });
}

export function writeChannelFailed(notice: Notice, failed: Channel | undefined): Letter {
  const name = failed === undefined ? 'A channel' : `Your ${kindNames[failed.kind]} channel`;
  const isOver = failed === undefined || failed.state === 'failed';
  return letterOf(notice, {
    subject: isOver ? `${name} no longer works` : `${name} may have missed a notice`,
    about: isOver
      ? `${name} gets no more notices: ${failed?.error ?? 'it was removed'}. Confirm it again, or add another one.`
      : `${name} may have missed a notice: it was sent several times without an answer. Later ones are still sent.`,
    link: { label: 'Open the settings', path: '/notifications.html' },
    data: { channel: failed?.id ?? null },
  });
}

type Words = Omit<Letter, 'id' | 'kind' | 'facts' | 'data'> & Partial<Pick<Letter, 'facts' | 'data'>>;

/** Facts without a text are left out. */
function letterOf({ id, channelId, kind }: Notice, { facts = [], ...words }: Words): Letter {
  const told = facts.filter(([, text]) => text !== '');
  return { id: `${channelId}-${id}`, kind, facts: told, data: {}, ...words };
}

function concernOf({ wallet }: Notice, stored: StoredConcern, time: number) {
  const title = stored.words?.title ?? null;
  return buildConcern({ ...stored, title }, parseAddress(wallet), stored, time);
}

function pathOf(taskId: string): string {
  return `/market.html?task=${encodeURIComponent(taskId)}`;
}

const longestTitle = 80;

/** Unknown senders write titles: links in them must not become links of the operator's mail. */
function nameTask({ taskId, title }: { readonly taskId: string; readonly title: string | null }): string {
  if (title === null) return numberTask(taskId);
  // Whole characters: receivers refuse JSON with half of one.
  const letters = [...title];
  const short = letters.length > longestTitle ? `${letters.slice(0, longestTitle).join('')}…` : title;
  return `“${toShown(short).replace(/([.:/@])(?=\S)/g, '$1\u200c')}” (${numberTask(taskId)})`;
}

function showTime(seconds: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
    },
    ...{ timeZone, timeZoneName: 'shortOffset' },
  });
  return format.format(seconds * 1_000).replace(/GMT(\+0$)?/, 'UTC');
}

function showRest(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const;
  const [unit, size] = units.find(([, size]) => seconds >= 2 * size) ?? ['minute', 60];
  return new Intl.RelativeTimeFormat('en').format(Math.max(1, Math.round(seconds / size)), unit);
}
