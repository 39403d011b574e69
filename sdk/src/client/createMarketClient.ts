// A typed client of the API, for browsers and for Node: every answer is checked against the schemas that the server
// publishes.
import type { z } from 'zod';
import type { Market } from '#domain/market.ts';
import { routes } from '#schemas/apis.ts';
import type { Chat, ChatAnswer } from '#schemas/chat.ts';
import type { Route } from '#schemas/route.ts';
import { createAsk, createSend, type Fetch } from './ask.ts';
import { type EventsOptions, followEvents, type MarketEvent } from './followEvents.ts';
import type { ChainOptions, MarketActions, WriteRun } from './runAction.ts';
import { streamChat } from './streamChat.ts';

export type { Chat, ChatAnswer } from '#schemas/chat.ts';
export type { EventsOptions, MarketEvent } from './followEvents.ts';

export type MarketClientOptions = {
  /** Where the service is, such as http://localhost:8080. */
  readonly baseUrl: string | URL;
  /** Another fetch than the global one. */
  readonly fetch?: Fetch;
} & ChainOptions;

export type OnMarket = { readonly market?: Market; readonly signal?: AbortSignal };
/** `cursor` is `nextCursor` of the page before. */
export type OnPage = {
  readonly limit?: number;
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal;
};
export type OnMarketPage = OnMarket & OnPage;

type Reply<R extends Route> = R['reply']['schema'] extends z.ZodType ? z.output<R['reply']['schema']> : never;

export type OpenList = Reply<typeof routes.open>;
export type TaskList = Reply<typeof routes.recent>;
export type TaskReply = Reply<typeof routes.task>;
export type Timeline = Reply<typeof routes.timeline>;
export type Ledger = Reply<typeof routes.ledger>;
export type SiteConfig = Reply<typeof routes.siteConfig>;
export type UnionOverview = Reply<typeof routes.union>;
export type Health = Reply<typeof routes.health>;
export type Quota = Reply<typeof routes.quota>;
export type RecordedQuota = Reply<typeof routes.record>;
export type UpgradedQuota = Reply<typeof routes.upgrade>;
export type PlanQuote = Reply<typeof routes.quote>;
export type TokPreview = Reply<typeof routes.tokPreview>;

export type PostedTask = z.input<typeof routes.record.body.schema>;
export type PlanPayment = z.input<typeof routes.upgrade.body.schema>;
type Signal = { readonly signal?: AbortSignal };

/**
 * Every call throws a SvcError: API_REFUSED with `details.status` where the service says no, API_UNREACHABLE where
 * nobody answers, API_UNEXPECTED where the answer is not what the contract says.
 */
export type MarketClient = {
  readonly open: (query?: OnMarketPage) => Promise<OpenList>;
  readonly recent: (query?: OnMarketPage) => Promise<TaskList>;
  readonly task: (id: string, query?: { readonly signal?: AbortSignal }) => Promise<TaskReply>;
  readonly timeline: (id: string, query?: OnPage) => Promise<Timeline>;
  readonly posterTasks: (address: string, query?: OnMarketPage) => Promise<TaskList>;
  readonly workerTasks: (address: string, query?: OnMarketPage) => Promise<TaskList>;
  readonly ledger: (address: string, query?: OnMarket) => Promise<Ledger>;
  readonly siteConfig: (query?: OnMarket) => Promise<SiteConfig>;
  readonly union: (query?: OnMarket) => Promise<UnionOverview>;
  readonly health: (query?: { readonly signal?: AbortSignal }) => Promise<Health>;
  readonly postingQuota: (address: string, query?: OnMarket) => Promise<Quota>;
  /** Refused with `details.quota` when the day's posts are used up. */
  readonly checkPosting: (address: string, query?: OnMarket) => Promise<Quota>;
  readonly recordPost: (post: PostedTask, options?: Signal) => Promise<RecordedQuota>;
  readonly planQuote: (
    address: string,
    query: OnMarket & { readonly tier: string; readonly payWith?: 'tok' | 'usdc' },
  ) => Promise<PlanQuote>;
  readonly tokPreview: (tier: string, query?: OnMarket) => Promise<TokPreview>;
  readonly upgradePlan: (payment: PlanPayment, options?: Signal) => Promise<UpgradedQuota>;
  readonly roleChat: (chat: Chat, options?: { readonly signal?: AbortSignal }) => Promise<ChatAnswer>;
  /** Yields what the model says as it says it, and returns the whole. */
  readonly roleChatStream: (
    chat: Chat,
    options?: { readonly signal?: AbortSignal },
  ) => AsyncGenerator<string, ChatAnswer>;
  /** Changes as they happen, across reconnections, none lost and none twice; ends when `signal` aborts. */
  readonly events: (options?: EventsOptions) => AsyncIterable<MarketEvent>;
  /** Every action of the catalog: `client.actions.claimTask({ taskId })`, then `prepare`, `simulate`, `send` and `wait`. */
  readonly actions: MarketActions;
};

export function createMarketClient(options: MarketClientOptions): MarketClient {
  const { baseUrl, fetch, ...chain } = options;
  const ask = createAsk({ baseUrl, fetch });
  const send = createSend({ baseUrl, fetch });
  const client: Omit<MarketClient, 'actions'> = {
    open: (query) => ask(routes.open, { ...query, protocolVersion }),
    recent: (query) => ask(routes.recent, { ...query }),
    task: (id, query) => ask(routes.task, { id, ...query, protocolVersion }),
    timeline: (id, query) => ask(routes.timeline, { id, ...query }),
    posterTasks: (address, query) => ask(routes.poster, { address, ...query, protocolVersion }),
    workerTasks: (address, query) => ask(routes.worker, { address, ...query }),
    ledger: (address, query) => ask(routes.ledger, { address, ...query }),
    siteConfig: (query) => ask(routes.siteConfig, { ...query, protocolVersion }),
    union: (query) => ask(routes.union, { ...query }),
    health: (query) => ask(routes.health, { ...query }),
    postingQuota: (address, query) => ask(routes.quota, { address, ...query }),
    checkPosting: (address, { signal, market } = {}) => send(routes.check, { address, market }, signal),
    recordPost: (post, { signal } = {}) => send(routes.record, post, signal, { protocolVersion }),
    planQuote: (address, query) => ask(routes.quote, { address, ...query }),
    tokPreview: (tier, query) => ask(routes.tokPreview, { tier, ...query }),
    upgradePlan: (payment, { signal } = {}) => send(routes.upgrade, payment, signal, { protocolVersion }),
    roleChat: (chat, { signal } = {}) => send(routes.roleChat, chat, signal),
    roleChatStream: (chat, { signal } = {}) => streamChat({ baseUrl, fetch }, chat, signal),
    events: (options = {}) => followEvents({ baseUrl, fetch }, options),
  };
  return { ...client, actions: createActions(client, chain) };
}

/** The catalog loads with the first action, so that programs which only read stay small. */
function createActions(site: Omit<MarketClient, 'actions'>, chain: ChainOptions): MarketActions {
  const load = () => import('./runAction.ts');
  let connected: ReturnType<Awaited<ReturnType<typeof load>>['connectActions']> | undefined;
  const start = (name: string, args: Readonly<Record<string, unknown>>): WriteRun => {
    const run = load().then(({ connectActions, runAction }) => {
      const connect = () => {
        connected ??= connectActions(site, chain).catch((error: unknown) => {
          connected = undefined;
          throw error;
        });
        return connected;
      };
      return runAction(name, args, connect, site) as WriteRun;
    });
    run.catch(() => undefined);
    return {
      prepare: async () => (await run).prepare(),
      simulate: async () => (await run).simulate(),
      send: async (wallet) => (await run).send(wallet),
      wait: async (options) => (await run).wait(options),
    };
  };
  return new Proxy({} as MarketActions, {
    get: (_, name) => (args: Readonly<Record<string, unknown>>) => start(String(name), args),
  });
}

/** Said, because a deployment may answer in another shape where nothing is said. */
const protocolVersion = 'v2';
