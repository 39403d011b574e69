// What waits for a wallet: the rows of the chain, and what the gateway alone knows, in the one list of `rules/todo`.
import type { WalletRequest } from '@svc/sdk/client';
import { type Address, type Market, markets, parseTaskId } from '@svc/sdk/domain';
import { turns } from '@svc/sdk/internal/domain/concernNames';
import { listTodo } from '@svc/sdk/internal/rules/todo';
import type { z } from 'zod';
import type { gatewayRoutes } from '../contract/apis.ts';
import { noEnd } from '../contract/concernRows.ts';
import { type ConcernLists, timeOf } from '../market/concernLists.ts';
import type { ListingService } from '../matching/listingService.ts';
import type { RequestService } from '../requests/requestService.ts';
import { countLimit, type StoredConcern } from '../store/concerns.ts';
import type { Talk, TalkService } from './talks.ts';

type TodoReply = z.output<typeof gatewayRoutes.todo.reply.schema>;
type Facts = Required<Parameters<typeof listTodo>[0]>;
type Todo = ReturnType<typeof listTodo>[number];
type TaskFact = Facts['tasks'][number];

export type TodoRequest = {
  readonly market: Market | 'none';
  readonly limit: number;
  readonly cursor?: string | undefined;
};

export type TodoService = ReturnType<typeof createTodoService>;

type Needs = {
  readonly concerns: Pick<ConcernLists, 'show' | 'load' | 'loadOf' | 'count'>;
  /** Addresses of the contracts of each market. */
  readonly contracts: Readonly<Record<Market, object>>;
  /** The second of chain time. */
  readonly now: () => number;
  readonly talks: TalkService;
  readonly listings: Pick<ListingService, 'listOwn'>;
  readonly requests: Pick<RequestService, 'listFiled'>;
};

/** `key` is empty for a row of the chain, which comes before others of the same second. */
type Place = { readonly part: number; readonly due: number; readonly number: number; readonly key: string };

export function createTodoService({ concerns, contracts: ofMarkets, now, talks, listings, requests }: Needs) {
  const addresses = markets.map((market) => ({
    market,
    contracts: Object.values(ofMarkets[market]).map((one) => String(one).toLowerCase()),
  }));

  /** That of the contracts which its bytes name; null where they name none, or both. */
  function marketOf({ request }: WalletRequest): Market | null {
    const bytes = JSON.stringify(request.kind === 'calls' ? request.calls : request.typedData).toLowerCase();
    const named = addresses.filter(({ contracts }) =>
      contracts.some((contract) => bytes.includes(contract.slice('0x'.length))),
    );
    return named.length === 1 ? (named[0]?.market ?? null) : null;
  }

  async function loadPrivate(
    wallet: Address,
    market: Market | null,
  ): Promise<Pick<Facts, 'talks' | 'listings' | 'requests'>> {
    const filed = (await requests.listFiled(wallet)).map((one) => ({
      id: one.requestId,
      market: marketOf(one),
      summary: one.request.summary,
      isSignature: one.request.kind === 'signature',
      createdAt: one.createdAt,
      expiresAt: one.expiresAt,
    }));
    const own = market === null ? [] : await listings.listOwn(wallet);
    const found =
      market === null
        ? []
        : await talks.list(
            wallet,
            own.map(({ id }) => id),
          );
    return {
      requests: filed.filter((one) => one.market === market),
      listings: own.filter((one) => one.market === market),
      talks: found.filter(({ offer, change }) => (offer?.market ?? changedMarket(change)) === market),
    };
  }

  async function loadChanged(wallet: Address, market: Market, found: readonly Talk[], time: number) {
    const ids = found.flatMap(({ change }) =>
      changedMarket(change) === market ? [change?.taskId ?? ''] : [],
    );
    const numbers = [...new Set(ids)].map((id) => Number(parseTaskId(id).number));
    const place = { market, address: wallet };
    const stored = await concerns.loadOf({ ...place, now: time }, numbers.filter(Number.isSafeInteger));
    const shown = await concerns.show(stored, place, time);
    return stored.map((one, at): TaskFact & Pick<StoredConcern, 'part'> => ({
      concern: shown[at] as TaskFact['concern'],
      poster: one.task.poster,
      worker: one.task.worker,
      delivered: findDelivered(one),
      part: one.part,
    }));
  }

  return {
    list: async (wallet: Address, { market: asked, limit, cursor }: TodoRequest): Promise<TodoReply> => {
      const market = asked === 'none' ? null : asked;
      const start = cursor === undefined ? null : parseCursor(cursor);
      const time = timeOf(start?.time, now());
      const facts = await loadPrivate(wallet, market);
      const tasks = market === null ? [] : await loadChanged(wallet, market, facts.talks, time);
      const page =
        market === null
          ? noConcerns
          : await loadConcerns(
              { market, address: wallet, now: time },
              start?.place,
              limit + 1 + tasks.length,
            );
      const all = listTodo({ concerns: page.shown, ...facts, tasks }, wallet, time);
      const own = all.filter(({ isPrivate }) => isPrivate);
      const isReplaced = (id: string) => own.some(({ task }) => task?.taskId === id);
      // The chain's rows begin after the cursor.
      const merged = all.filter(
        (row) => start === null || !row.isPrivate || isAfter(placeOf(row), start.place),
      );
      const shown = merged.slice(0, limit);
      const last = merged.length > limit ? shown.at(-1) : undefined;
      const place = last && (page.places.get(last.id) ?? placeOf(last));
      const counts = turns.map((turn, part) => {
        const gone = tasks.filter((one) => one.part === part && isReplaced(one.concern.taskId)).length;
        const mine = own.filter((row) => row.turn === turn).length;
        return [turn, Math.min(countLimit, Math.max(0, (page.counts[part] ?? 0) - gone) + mine)] as const;
      });
      return {
        now: time,
        todo: shown.map((row) => ({
          ...row,
          says: toJson(row.says),
          silence: row.silence && toJson(row.silence),
        })) as TodoReply['todo'],
        count: shown.length,
        counts: Object.fromEntries(counts) as TodoReply['counts'],
        nextCursor: place === undefined ? null : formatCursor(time, place),
      };
    },
  };

  async function loadConcerns(
    query: { readonly market: Market; readonly address: Address; readonly now: number },
    after: Place | undefined,
    limit: number,
  ) {
    const [found, counts] = await Promise.all([
      concerns.load({ ...query, after, limit }),
      concerns.count(query),
    ]);
    const shown = (await concerns.show(found, query, query.now)) as TaskFact['concern'][];
    const rows = listTodo({ concerns: shown }, query.address, query.now);
    const byTask = new Map(rows.map((row) => [row.about.id, row.id]));
    const places = found.map(({ task, part, due }, at) => {
      const id = byTask.get(shown[at]?.taskId ?? '') ?? '';
      return [id, { part, due, number: Number(task.number), key: '' }] as const;
    });
    return { shown, counts, places: new Map<string, Place>(places) };
  }
}

/** Amounts as texts. */
function toJson(says: Todo['says']) {
  return says.map((part) => (typeof part === 'object' && 'tok' in part ? { tok: String(part.tok) } : part));
}

const noConcerns = { shown: [], counts: [] as number[], places: new Map<string, Place>() };

/** The market of the task that a message names, which proves nothing yet. */
function changedMarket(change: Talk['change']): Market | null {
  if (change === null) return null;
  try {
    return parseTaskId(change.taskId).market;
  } catch {
    return null;
  }
}

/** The newest delivery of the milestone in review. */
function findDelivered({ task, facts }: StoredConcern): TaskFact['delivered'] {
  if (task.state !== 'DELIVERED') return null;
  const { milestone, round } = task;
  const newest = facts.deliveries.findLast((one) => one.milestone === milestone && one.round === round);
  return newest === undefined ? null : { milestone: milestone + 1, at: newest.submittedAt };
}

function placeOf({ turn, due, id }: Todo): Place {
  return { part: turns.indexOf(turn), due: due ?? 0, number: noEnd, key: id };
}

function isAfter(one: Place, other: Place): boolean {
  const order = one.part - other.part || one.due - other.due || one.number - other.number;
  return order > 0 || (order === 0 && one.key > other.key);
}

function formatCursor(time: number, { part, due, number, key }: Place): string {
  return [time, part, due, number, ...(key === '' ? [] : [key])].join('.');
}

function parseCursor(cursor: string): { readonly time: number; readonly place: Place } {
  const [time = 0, part = 0, due = 0, number = 0] = cursor.split('.', 4).map(Number);
  return { time, place: { part, due, number, key: cursor.split('.').slice(4).join('.') } };
}
