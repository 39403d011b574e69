// What concerns a wallet, built from the index.
import { formatTok, SvcError } from '@svc/sdk/domain';
import { type ConcernRole, turns } from '@svc/sdk/internal/domain/concernNames';
import { buildConcern } from '../contract/concern.ts';
import { maskOf } from '../contract/concernRows.ts';
import type { ConcernPlace, ConcernStore, StoredConcern } from '../store/concerns.ts';
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

export type ConcernLists = ReturnType<typeof createConcernLists>;

export function createConcernLists({ concerns, moves, loadWithheld, now }: Needs) {
  /** As replies show them. */
  async function show(
    found: readonly StoredConcern[],
    { market, address }: Pick<WalletPage, 'market' | 'address'>,
    time: number,
  ) {
    const finished = found.filter(({ part }) => part === turns.indexOf('nobody'));
    const numbers = finished.map(({ task }) => Number(task.number));
    const [sums, withheld] = await Promise.all([
      moves.loadTaskSums({ market, address }, numbers),
      loadWithheld(),
    ]);
    const moved = Map.groupBy(sums, ({ taskNumber }) => taskNumber);
    return found.map((stored) => {
      const { task, facts, words } = hideWords(stored, withheld);
      const own = moved.get(Number(task.number)) ?? [];
      return {
        ...buildConcern({ task, facts, title: words?.title ?? null }, address, stored, time),
        moved: own.map(({ kind, amount }) => ({ kind, amount: formatTok(amount) })),
      };
    });
  }

  return {
    list: async (request: ConcernRequest) => {
      const { market, address, role, limit } = request;
      const start = parseCursor(request.cursor);
      const time = timeOf(start?.time, now());
      const query = { market, address, now: time, roles: role === undefined ? undefined : maskOf(role) };
      const [found, counts] = await Promise.all([
        concerns.loadConcerns({ ...query, after: start?.place, limit: limit + 1 }),
        concerns.countConcerns(query),
      ]);
      const { shown, nextCursor } = cutPage(
        found,
        limit,
        ({ part, due, task }) => `${time}.${part}.${due}.${task.number}`,
      );
      return {
        now: time,
        concerns: await show(shown, request, time),
        count: shown.length,
        counts: Object.fromEntries(turns.map((turn, part) => [turn, counts[part]])),
        nextCursor,
        meta: buildMeta(market),
      };
    },
    show,
    load: concerns.loadConcerns,
    loadOf: concerns.loadOf,
    count: concerns.countConcerns,
  };
}

/** The second that a list holds for: that of the first page, while it is not too old. */
export function timeOf(started: number | undefined, now: number): number {
  return started !== undefined && Math.abs(now - started) <= cursorSeconds ? started : now;
}

function parseCursor(cursor: string | undefined): { time: number; place: ConcernPlace } | null {
  if (cursor === undefined) return null;
  const [time, part, due, number] = cursor.split('.').map(Number);
  if (time === undefined || part === undefined || due === undefined || number === undefined)
    throw new SvcError('CURSOR_INVALID', {});
  return { time, place: { part, due, number } };
}
