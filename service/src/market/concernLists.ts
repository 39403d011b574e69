// What concerns a wallet, built from the index.
import { formatTok, SvcError } from '@svc/sdk/domain';
import { type ConcernRole, turns } from '@svc/sdk/internal/domain/concernNames';
import { buildConcern } from '../contract/concern.ts';
import { maskOf } from '../contract/concernRows.ts';
import type { ConcernPlace, ConcernStore } from '../store/concerns.ts';
import type { MoveStore } from '../store/moves.ts';
import { cutPage, type WalletPage } from './listPages.ts';
import { buildMeta } from './taskLists.ts';
import { hideWords, type LoadWithheld } from './withholding.ts';

export type ConcernRequest = WalletPage & { readonly role?: ConcernRole | undefined };

type Needs = {
  readonly concerns: ConcernStore;
  readonly moves: Pick<MoveStore, 'loadTaskSums'>;
  readonly loadWithheld: LoadWithheld;
  /** The second of chain time. */
  readonly now: () => number;
};

/** How long later pages use the time of the first page: rows move between the parts as time passes. */
const cursorSeconds = 600;

export async function listConcernsOf({ concerns, moves, loadWithheld, now }: Needs, request: ConcernRequest) {
  const { market, address, role, limit } = request;
  const start = parseCursor(request.cursor);
  const isFresh = start !== null && Math.abs(now() - start.time) <= cursorSeconds;
  const time = isFresh ? start.time : now();
  const query = { market, address, now: time, roles: role === undefined ? undefined : maskOf(role) };
  const [found, counts, withheld] = await Promise.all([
    concerns.loadConcerns({ ...query, after: start?.place, limit: limit + 1 }),
    concerns.countConcerns(query),
    loadWithheld(),
  ]);
  const { shown, nextCursor } = cutPage(
    found,
    limit,
    ({ part, due, task }) => `${time}.${part}.${due}.${task.number}`,
  );
  const finished = shown.filter(({ part }) => part === turns.indexOf('nobody'));
  const sums = await moves.loadTaskSums(
    request,
    finished.map(({ task }) => Number(task.number)),
  );
  const moved = Map.groupBy(sums, ({ taskNumber }) => taskNumber);
  return {
    now: time,
    concerns: shown.map((stored) => {
      const { task, facts, words } = hideWords(stored, withheld);
      const own = moved.get(Number(task.number)) ?? [];
      return {
        ...buildConcern({ task, facts, title: words?.title ?? null }, address, stored, time),
        moved: own.map(({ kind, amount }) => ({ kind, amount: formatTok(amount) })),
      };
    }),
    count: shown.length,
    counts: Object.fromEntries(turns.map((turn, part) => [turn, counts[part]])),
    nextCursor,
    meta: buildMeta(market),
  };
}

function parseCursor(cursor: string | undefined): { time: number; place: ConcernPlace } | null {
  if (cursor === undefined) return null;
  const [time, part, due, number] = cursor.split('.').map(Number);
  if (time === undefined || part === undefined || due === undefined || number === undefined)
    throw new SvcError('CURSOR_INVALID', {});
  return { time, place: { part, due, number } };
}
