// A typed client of the API for browsers and Node, which loads neither viem nor zod. The shape of every reply is checked.
import type * as z from 'zod';
import type { ConcernRole } from '../domain/concernNames.ts';
import type { Market } from '../domain/market.ts';
import type { TaskState } from '../domain/state.ts';
import type { Chat, ChatAnswer, CriteriaDraft } from '../schemas/chat.ts';
import type { ListSort } from '../schemas/listQueries.ts';
import type { routes as schemas } from '../schemas/routes.ts';
import { routes } from './clientRoutes.ts';
import type { ReplyOf } from './replyShape.ts';
import { createRequest, type Fetch, type Signal } from './request.ts';
import { type EventsOptions, followEvents, type MarketEvent, streamChat } from './streams.ts';

/** Where the service is. */
export type MarketClientOptions = {
  /** The address of the service, such as http://localhost:8080. */
  readonly baseUrl: string | URL;
  /** Replaces the global fetch. */
  readonly fetch?: Fetch;
};

/** Which market; `standard` unless given. */
export type OnMarket = Signal & {
  /** `standard` unless given. */
  readonly market?: Market;
};
/** A page of a list. */
export type OnPage = Signal & {
  /** How many items at most. */
  readonly limit?: number;
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
};
/** A page of a list of one market. */
export type OnMarketPage = OnMarket & OnPage;

/** Only tasks in which the wallet has this role, where one is given. */
export type OnConcerns = OnMarketPage & {
  /** Of the wallet. */
  readonly role?: ConcernRole | undefined;
};

/** Filters and order of a list. A list of values holds for any of the states, and for all of the tags. */
export type ListFilters = {
  /** Only tasks in this state, or in one of these. */
  readonly state?: TaskState | readonly TaskState[] | undefined;
  /** Only tasks with this tag, or with all of these. */
  readonly tag?: string | readonly string[] | undefined;
  /** The least that the whole task pays, in wei of TOK. */
  readonly minAmountTokWei?: bigint | string | undefined;
  /** The most that the whole task pays, in wei of TOK. */
  readonly maxAmountTokWei?: bigint | string | undefined;
  /** Dollars such as `12.50`, at the current price. */
  readonly minAmountUsd?: string | undefined;
  /** Dollars such as `12.50`, at the current price. */
  readonly maxAmountUsd?: string | undefined;
  /** Only tasks of this wallet. */
  readonly poster?: string | undefined;
  /** Unix seconds. */
  readonly deadlineBefore?: number | undefined;
  /** Only tasks whose whole amount is in escrow, or only others. */
  readonly fullyFunded?: boolean | undefined;
  /** Words in texts, tags, ids and addresses. */
  readonly q?: string | undefined;
  /** Only tasks that changed after this block. */
  readonly since?: number | bigint | undefined;
  /** The order; newest first unless given. */
  readonly sort?: ListSort | undefined;
};
/** A page of a list, with filters and order. */
export type OnList = OnMarketPage & ListFilters;

type Reply<Name extends keyof typeof schemas> = ReplyOf<(typeof schemas)[Name]>;

export type OpenList = Reply<'open'>;
export type TaskList = Reply<'recent'>;
export type TaskReply = Reply<'task'>;
export type TasksReply = Reply<'tasks'>;
export type Timeline = Reply<'timeline'>;
export type WalletName = Reply<'walletName'>;
export type Ledger = Reply<'ledger'>;
export type SiteConfig = Reply<'siteConfig'>;
export type UnionOverview = Reply<'union'>;
export type Health = Reply<'health'>;
export type Quota = Reply<'quota'>;
export type RecordedQuota = Reply<'record'>;
export type UpgradedQuota = Reply<'upgrade'>;
export type ConcernList = Reply<'concerns'>;
export type Earnings = Reply<'earnings'>;
export type PlanQuote = Reply<'quote'>;
export type TokPreview = Reply<'tokPreview'>;

export type PostedTask = z.input<typeof schemas.record.body.schema>;
export type PlanPayment = z.input<typeof schemas.upgrade.body.schema>;

/**
 * A client of one market service: typed reads and live events; `createActions` of `@svc/sdk/actions` acts. Every method throws an SvcError:
 * API_REFUSED with `details.status` when the service refuses, API_UNREACHABLE when it does not answer, API_UNEXPECTED when
 * the reply does not fit the contract.
 *
 * @example
 * const market = createMarketClient({ baseUrl: 'http://localhost:8080' });
 * const { tasks } = await market.open({ market: 'micro', limit: 10 });
 */
export function createMarketClient({ baseUrl, fetch }: MarketClientOptions) {
  const own = createOwnBlock();
  const connection = { baseUrl, fetch, headers: own.headers };
  const request = createRequest(connection);
  return {
    /** Open tasks that a wallet can claim, newest first unless `sort` says otherwise. */
    open: (query?: OnList): Promise<OpenList> => request(routes.open, { ...query, protocolVersion }),
    /** Tasks in all states, newest first unless `sort` says otherwise. */
    recent: (query?: OnList): Promise<TaskList> => request(routes.recent, query),
    /** One task, with its deliveries and its dispute. Throws API_REFUSED with status 404 where there is none. */
    task: (id: string, query?: Signal): Promise<TaskReply> =>
      request(routes.task, { id, ...query, protocolVersion }),
    /** Up to 50 tasks of one market in one request; `missing` are the ids without a task. */
    tasks: (ids: readonly string[], query?: Signal): Promise<TasksReply> =>
      request(routes.tasks, { ids: ids.join(','), ...query }),
    /** What happened to one task, oldest first. */
    timeline: (id: string, query?: OnPage): Promise<Timeline> => request(routes.timeline, { id, ...query }),
    /** The tasks that a wallet has posted. */
    posterTasks: (address: string, query?: OnList): Promise<TaskList> =>
      request(routes.poster, { address, ...query, protocolVersion }),
    /** The tasks that a wallet has worked on. */
    workerTasks: (address: string, query?: OnList): Promise<TaskList> =>
      request(routes.worker, { address, ...query }),
    /** What concerns a wallet: its turn first, then what waits for others, what is finished last. */
    concerns: (address: string, query?: OnConcerns): Promise<ConcernList> =>
      request(routes.concerns, { address, ...query }),
    /** What a wallet received and paid in TOK: sums by month, and its payments, newest first. */
    earnings: (address: string, query?: OnMarketPage): Promise<Earnings> =>
      request(routes.earnings, { address, ...query }),
    /** What a wallet has earned, paid and locked in all its tasks, and a page of them. */
    ledger: (address: string, query?: OnMarketPage): Promise<Ledger> =>
      request(routes.ledger, { address, ...query }),
    /** Contracts, limits, plans and the chain of a market. */
    siteConfig: (query?: OnMarket): Promise<SiteConfig> =>
      request(routes.siteConfig, { ...query, protocolVersion }),
    /** The name of a wallet in the registry that the site has configured, for display beside the address. */
    walletName: (address: string, query?: Signal): Promise<WalletName> =>
      request(routes.walletName, { address, ...query }),
    /** The staking vault of a market: stakes, credits and rewards. */
    union: (query?: OnMarket): Promise<UnionOverview> => request(routes.union, query),
    /** Whether the service works, and the newest block that it shows. */
    health: (query?: Signal): Promise<Health> => request(routes.health, query),
    /** How many tasks a wallet may still post today. */
    postingQuota: (address: string, query?: OnMarket): Promise<Quota> =>
      request(routes.quota, { address, ...query }),
    /** Throws API_REFUSED with `details.quota` when today's posts are used up. */
    checkPosting: (address: string, { market, ...options }: OnMarket = {}): Promise<Quota> =>
      request(routes.check, options, { address, market }),
    /** Counts a post whose transaction is not indexed yet. */
    recordPost: (post: PostedTask, options?: Signal): Promise<RecordedQuota> =>
      request(routes.record, { ...options, protocolVersion }, post),
    /** The price of a posting plan for a wallet. */
    planQuote: (
      address: string,
      query: OnMarket & { readonly tier: string; readonly payWith?: 'tok' | 'usdc' },
    ): Promise<PlanQuote> => request(routes.quote, { address, ...query }),
    /** What a posting plan costs in TOK now. */
    tokPreview: (tier: string, query?: OnMarket): Promise<TokPreview> =>
      request(routes.tokPreview, { tier, ...query }),
    /** Reports the transaction that paid for a posting plan. */
    upgradePlan: (payment: PlanPayment, options?: Signal): Promise<UpgradedQuota> =>
      request(routes.upgrade, { ...options, protocolVersion }, payment),
    /** Asks the language model of the service. */
    roleChat: (chat: Chat, options?: Signal): Promise<ChatAnswer> => request(routes.roleChat, options, chat),
    /** Yields the parts of the answer as they arrive, and returns the whole. */
    roleChatStream: (chat: Chat, { signal }: Signal = {}): AsyncGenerator<string, ChatAnswer> =>
      streamChat(connection, chat, signal),
    /** A language model explains a task; the server writes the question. */
    explainTask: (taskId: string, options?: Signal): Promise<ChatAnswer> =>
      request(routes.explainTask, options, { taskId }),
    /** A language model drafts acceptance criteria. */
    draftCriteria: (draft: CriteriaDraft, options?: Signal): Promise<ChatAnswer> =>
      request(routes.draftCriteria, options, draft),
    /** Reads of the next minute show this block or a later one, whichever replica answers; `wait` of an action does it. */
    expectBlock: own.expect,
    /** Changes as they happen, each exactly once, across reconnections. Ends when `signal` aborts. */
    events: (options: EventsOptions = {}): AsyncIterable<MarketEvent> => followEvents(connection, options),
  };
}

export type MarketClient = ReturnType<typeof createMarketClient>;

/** By then every replica has it; and a chain that was replaced must not keep a client from reading. */
const expectedMs = 60_000;

/** The block of the client's newest write, for replicas that are behind. */
function createOwnBlock() {
  let [block, until] = [0n, 0];
  return {
    expect: (number: bigint): void => {
      block = number > block || Date.now() > until ? number : block;
      until = Date.now() + expectedMs;
    },
    headers: (): Readonly<Record<string, string>> =>
      Date.now() < until ? { 'svc-at-least-block': String(block) } : {},
  };
}

/** Always sent, since a deployment may have another default. */
const protocolVersion = 'v2';
