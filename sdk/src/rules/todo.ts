// What waits for a wallet: one list of its tasks, talks, listings and requests. Pure; who has only public facts gives only these.
import { type Says, say } from '../describe/parts.ts';
import { type Address, isSameAddress } from '../domain/address.ts';
import { type Turn, turns } from '../domain/concernNames.ts';
import type { Market } from '../domain/market.ts';
import type { ConcernFacts } from '../schemas/concernList.ts';
import type { TodoReply, todoSubjects } from '../schemas/todoList.ts';

export type Todo = {
  readonly id: string;
  readonly about: { readonly kind: (typeof todoSubjects)[number]; readonly id: string };
  readonly market: Market | null;
  readonly isPrivate: boolean;
  readonly turn: Turn;
  readonly ask: string;
  readonly since: number;
  readonly due: number | null;
  readonly says: Says;
  readonly silence: Says | null;
  readonly conversation: string | null;
  readonly task: ConcernFacts | null;
};

/** A conversation as far as it says who has to answer. The same for both parties. */
type Talk = {
  readonly root: string;
  readonly parties: readonly Address[];
  /** Of the offer. */
  readonly title: string | null;
  /** The listing or task that the first offer names. */
  readonly about: string | null;
  /** The task that came out of it. */
  readonly taskId: string | null;
  readonly at: number;
  /** The newest offer, where it still stands: nobody withdrew it, and no veto or fork keeps it from being accepted. */
  readonly offer: {
    readonly hash: string;
    readonly by: Address;
    readonly market: Market;
    readonly poster: Address;
    readonly totalTokWei: string;
    readonly acceptBy: number;
  } | null;
  readonly acceptedBy: readonly Address[];
  readonly chosenBy: Address | null;
  readonly declinedBy: readonly Address[];
  /** The newest change that was asked for and not yet answered by a delivery notice. */
  readonly change: {
    readonly by: Address;
    readonly taskId: string;
    /** Counted from one. */
    readonly milestone: number;
    readonly words: string;
    readonly at: number;
    readonly hash: string;
  } | null;
};

/** A task of the list, with what decides whether a change is still open. */
type TaskFact = {
  readonly concern: ConcernFacts;
  /** The newest delivery of the milestone that is in review; null where none is. */
  readonly delivered: { readonly milestone: number; readonly at: number } | null;
  readonly poster: Address;
  readonly worker: Address | null;
};

type PrivateFacts = {
  readonly talks: readonly Talk[];
  /** Live ones of the wallet. */
  readonly listings: readonly {
    readonly id: string;
    readonly market: Market;
    readonly title: string;
    readonly createdAt: number;
    readonly expiresAt: number;
  }[];
  /** Pending ones that a session of the wallet filed. */
  readonly requests: readonly {
    readonly id: string;
    readonly market: Market | null;
    readonly summary: string;
    readonly isSignature: boolean;
    readonly createdAt: number;
    readonly expiresAt: number;
  }[];
  /** The tasks for which a change was asked. */
  readonly tasks: readonly TaskFact[];
};

type PublicFacts = { readonly concerns: readonly ConcernFacts[] };

/**
 * The wallet's turn first, then by the clock. A change that was asked for replaces the row of its task, as the chain knows nothing of
 * it. Rows of the chain keep their order, which their list has given them.
 */
export function listTodo(
  { concerns, ...more }: PublicFacts & Partial<PrivateFacts>,
  wallet: Address,
  now: number,
): Todo[] {
  const own = listPrivate({ talks: [], listings: [], requests: [], tasks: [], ...more }, wallet, now);
  const replaced = new Set(own.map(({ task }) => task?.taskId));
  const rows = concerns.filter(({ taskId }) => !replaced.has(taskId)).map(fromConcern);
  // Stable, so that rows of the chain stay as they were among themselves.
  return [...rows, ...own].sort(
    (one, other) => turns.indexOf(one.turn) - turns.indexOf(other.turn) || compareClocks(one, other),
  );
}

/** Where time is over, as for anyone's turn, the row has no clock and comes first. */
function compareClocks(one: Todo, other: Todo): number {
  if (one.turn === 'nobody') return 0;
  const [left, right] = [one.due ?? 0, other.due ?? 0];
  return left - right;
}

/** What only the wallet may see, in no order. */
function listPrivate(
  { talks, listings, requests, tasks }: PrivateFacts,
  wallet: Address,
  now: number,
): Todo[] {
  const ofListing = (id: string) => talks.filter(({ about }) => about === id);
  const own = new Set(listings.map(({ id }) => id));
  return [
    ...listings.map((listing) => fromListing(listing, ofListing(listing.id), wallet, now)),
    ...talks
      .filter(({ about }) => about === null || !own.has(about))
      .flatMap((talk) => fromTalk(talk, wallet, now) ?? []),
    ...talks.flatMap((talk) => fromChange(talk, tasks, wallet) ?? []),
    ...requests.filter(({ expiresAt }) => expiresAt > now).map(fromRequest),
  ];
}

function fromConcern(concern: ConcernFacts): Todo {
  const { taskId, turn, phase, sentence, actions, until, afterwards, updatedAt } = concern;
  const isOwn = turn === 'mine' || turn === 'anyone';
  const ask = isOwn ? (actions[0] ?? 'look') : 'wait';
  return {
    id: `task:${taskId}/${ask}`,
    about: { kind: 'task', id: taskId },
    market: marketOf(taskId),
    isPrivate: false,
    turn,
    ask,
    since: updatedAt,
    due: until,
    says: isOwn && phase !== null ? say`${capitalise(phase)}.` : [sentence],
    silence: afterwards === null ? null : [afterwards],
    conversation: null,
    task: concern,
  };
}

type Step = Pick<Todo, 'turn' | 'ask' | 'says'>;

/** What the newest offer of a talk asks of the wallet; null where nothing is open. */
function findStep(talk: Talk, wallet: Address, now: number): Step | null {
  const { offer, parties, acceptedBy, chosenBy, declinedBy, taskId } = talk;
  if (offer === null || taskId !== null || offer.acceptBy <= now) return null;
  const other = parties.find((party) => !isSameAddress(party, wallet));
  if (other === undefined) return null;
  const has = (list: readonly Address[], party: Address) => list.some((one) => isSameAddress(one, party));
  const work = nameWork(talk);
  const price = { tok: BigInt(offer.totalTokWei) };
  const isOwn = isSameAddress(offer.by, wallet);
  if (has(declinedBy, isOwn ? other : wallet)) return null;
  if (has(acceptedBy, other) && (!has(acceptedBy, wallet) || isSameAddress(offer.poster, wallet)))
    return {
      turn: 'mine',
      ask: 'create-task',
      says: say`${{ wallet: other }} has signed the terms for ${work}, ${price}: create the task, which is your consent.`,
    };
  if (has(acceptedBy, wallet))
    return {
      turn: 'theirs',
      ask: 'wait',
      says: say`You have signed the terms for ${work}, ${price}. ${{ wallet: other }} creates the task.`,
    };
  if (!isOwn && chosenBy !== null && isSameAddress(chosenBy, wallet))
    return {
      turn: 'theirs',
      ask: 'wait',
      says: say`You have chosen the offer of ${{ wallet: other }}, ${price} for ${work}. It has to sign.`,
    };
  if (!isOwn)
    return {
      turn: 'mine',
      ask: 'answer',
      says: say`${{ wallet: other }} offers ${price} for ${work}: accept it, or make another offer.`,
    };
  return chosenBy !== null && isSameAddress(chosenBy, other)
    ? {
        turn: 'mine',
        ask: 'sign',
        says: say`${{ wallet: other }} has chosen your offer of ${price} for ${work}: sign it.`,
      }
    : {
        turn: 'theirs',
        ask: 'wait',
        says: say`You offer ${price} for ${work}. ${{ wallet: other }} has not answered.`,
      };
}

const noTask = 'The offer ends, and no task comes of it.';

function fromTalk(talk: Talk, wallet: Address, now: number): Todo | null {
  const { root, offer, at } = talk;
  const step = findStep(talk, wallet, now);
  if (step === null || offer === null) return null;
  return {
    id: `conversation:${root}/${offer.hash}/${step.ask}`,
    about: { kind: 'conversation', id: root },
    market: offer.market,
    isPrivate: true,
    ...step,
    since: at,
    due: offer.acceptBy,
    silence: [noTask],
    conversation: root,
    task: null,
  };
}

/** One row for a listing, however many propose for it. */
function fromListing(
  listing: PrivateFacts['listings'][number],
  talks: readonly Talk[],
  wallet: Address,
  now: number,
): Todo {
  const open = talks.flatMap((talk) => {
    const step = findStep(talk, wallet, now);
    return step === null || talk.offer === null ? [] : [{ talk, step, offer: talk.offer }];
  });
  const mine = open
    .filter(({ step }) => step.turn === 'mine')
    .sort((one, other) => one.talk.at - other.talk.at);
  const newest = mine.at(-1);
  const work: Says = [{ foreign: listing.title, from: wallet }];
  const shared = {
    about: { kind: 'listing', id: listing.id },
    market: listing.market,
    isPrivate: true,
    task: null,
  } as const;
  if (newest === undefined)
    return {
      ...shared,
      id: `listing:${listing.id}/wait`,
      turn: 'theirs',
      ask: 'wait',
      since: listing.createdAt,
      due: listing.expiresAt,
      says:
        open.length === 0
          ? say`Nobody has proposed for your listing ${work}.`
          : say`Your listing ${work}: ${countOf(open.length, 'worker has', 'workers have')} not answered you.`,
      silence: ['The listing ends.'],
      conversation: null,
    };
  const signed = mine.find(({ step }) => step.ask === 'create-task');
  const { offer, talk } = signed ?? newest;
  const by = talk.parties.find((party) => !isSameAddress(party, wallet)) ?? offer.by;
  const more =
    mine.length === 1 ? '' : ` ${countOf(mine.length - 1, 'more proposal waits', 'more proposals wait')}.`;
  return {
    ...shared,
    id: `listing:${listing.id}/${newest.offer.hash}`,
    turn: 'mine',
    ask: signed === undefined ? 'decide' : 'create-task',
    since: newest.talk.at,
    due: Math.min(...mine.map((one) => one.offer.acceptBy)),
    says:
      signed === undefined
        ? say`${{ wallet: by }} proposes to do ${work} for ${{ tok: BigInt(offer.totalTokWei) }}: accept or decline it.${more}`
        : say`${{ wallet: by }} has signed the terms for ${work}, ${{ tok: BigInt(offer.totalTokWei) }}: create the task.${more}`,
    silence: ['The proposal ends, and no task comes of it.'],
    conversation: talk.root,
  };
}

/** Only the poster's request, about the delivery that is in review. */
function fromChange({ root, change }: Talk, tasks: readonly TaskFact[], wallet: Address): Todo | null {
  const fact = tasks.find(({ concern }) => concern.taskId === change?.taskId);
  if (change === null || fact === undefined) return null;
  const { concern, delivered, poster, worker } = fact;
  const isOfParties = isSameAddress(change.by, poster) && worker !== null && isSameAddress(worker, wallet);
  const isOpen = delivered !== null && delivered.milestone === change.milestone && delivered.at <= change.at;
  if (!isOfParties || !isOpen) return null;
  const words: Says = [{ foreign: change.words, from: change.by }];
  return {
    ...fromConcern(concern),
    id: `task:${concern.taskId}/change/${change.hash}`,
    isPrivate: true,
    turn: 'mine',
    ask: 'submit-proof',
    since: change.at,
    says: say`The poster asks for a change of milestone ${String(change.milestone)}: ${words} Deliver again.`,
    conversation: root,
  };
}

function fromRequest({
  id,
  market,
  summary,
  isSignature,
  createdAt,
  expiresAt,
}: PrivateFacts['requests'][number]): Todo {
  const words: Says = [{ foreign: summary, from: null }];
  return {
    id: `request:${id}/approve`,
    about: { kind: 'request', id },
    market,
    isPrivate: true,
    turn: 'mine',
    ask: 'approve',
    since: createdAt,
    due: expiresAt,
    says: say`Your tools ask you to ${isSignature ? 'sign' : 'send'}: ${words} Approve or reject it.`,
    silence: ['The request expires, and nothing is sent.'],
    conversation: null,
    task: null,
  };
}

const nameWork = ({ title, offer }: Talk): Says =>
  title === null ? ['a task'] : [{ foreign: title, from: offer?.by ?? null }];

const countOf = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const marketOf = (taskId: string) => taskId.split(':')[1] as Market;

/** The rows of a reply, whose JSON has amounts as texts. */
export function readTodo(rows: TodoReply['todo']): Todo[] {
  return rows.map((row) => ({
    ...row,
    says: readSays(row.says),
    silence: row.silence && readSays(row.silence),
  }));
}

function readSays(parts: TodoReply['todo'][number]['says']): Says {
  return parts.map((part) =>
    typeof part === 'object' && 'tok' in part ? { tok: BigInt(part.tok) } : part,
  ) as Says;
}
