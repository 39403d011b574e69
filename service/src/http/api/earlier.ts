// The earlier shape, v1, of the routes that have one (docs/decisions/earlier-shape.md).
import type { Address, Market } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import { type ListQuery, pickFilters } from '@svc/sdk/internal/schemas/listQueries';
import type { ProtocolVersion } from '@svc/sdk/internal/schemas/queries';
import {
  buildEarlierOpenList,
  buildEarlierPosterList,
  buildEarlierTask,
  type Price,
} from '../../market/earlier.ts';
import { type createMarketService, loadTask } from '../../market/taskLists.ts';
import type { Read } from '../reads.ts';

export type EarlierMarket = {
  /** For requests that name no version. */
  readonly defaultProtocol: ProtocolVersion;
  readonly tasks: Parameters<typeof createMarketService>[0]['tasks'];
  readonly readPrice: () => Promise<Price>;
  readonly now: () => number;
};

type Versioned = {
  readonly protocolVersion?: ProtocolVersion | undefined;
  readonly market?: Market | undefined;
};

/** Throws when the earlier shape is asked for on a market that it does not have. */
export function isEarlier(
  { protocolVersion, market }: Versioned,
  { defaultProtocol }: Pick<EarlierMarket, 'defaultProtocol'>,
): boolean {
  if ((protocolVersion ?? defaultProtocol) === 'v2') return false;
  if (market !== undefined && market !== 'standard') throw new SvcError('MARKET_NOT_IN_V1', {});
  return true;
}

type Page = Pick<ListQuery, 'limit'> & Partial<ListQuery>;

export function planEarlierOpen(given: Page, { tasks, readPrice, now }: EarlierMarket): Read {
  return planList(given, async (before) => {
    const page = { list: 'open', market: 'standard', limit: given.limit, before, now: now() } as const;
    return buildEarlierOpenList(await tasks.loadPage(page), await readPrice());
  });
}

export function planEarlierPoster(
  given: Page & { readonly address: Address },
  { tasks, readPrice }: EarlierMarket,
): Read {
  const { address, limit } = given;
  return planList(given, async (before) => {
    const page = { list: 'poster', market: 'standard', address, limit, before } as const;
    return buildEarlierPosterList(await tasks.loadPage(page), await readPrice());
  });
}

export function planEarlierTask(
  { id, taskId }: { readonly id?: string | undefined; readonly taskId?: string | undefined },
  { tasks, readPrice }: EarlierMarket,
): Read {
  const key = { market: 'standard', number: parseNumber(id ?? taskId) } as const;
  return plan(async () => buildEarlierTask(await loadTask(tasks, key), await readPrice()));
}

/** A plain uint256: 78 digits at most. */
function parseNumber(text: string | undefined): bigint {
  const number = text !== undefined && /^[0-9]{1,78}$/.test(text) ? BigInt(text) : 2n ** 256n;
  if (number >= 2n ** 256n) throw new SvcError('TASK_NUMBER_MALFORMED', {});
  return number;
}

/** This shape has no filters: a request that names some is answered without them, and a header names them. */
function planList(given: Page, build: (before: bigint | undefined) => Promise<object>): Read {
  const { cursor } = given;
  if (cursor?.includes('.')) throw new SvcError('CURSOR_INVALID', {});
  const before = cursor === undefined ? undefined : BigInt(cursor);
  return { ...plan(() => build(before)), unused: Object.keys(pickFilters(given)) };
}

/** Amounts change with the price, which is not part of a market's version, so these replies are not cached. */
function plan(load: () => Promise<object>): Read {
  return { market: 'standard', load };
}
