// What a participant needs first: reads, events, ids and amounts. Nothing here loads viem or zod; `@svc/sdk/actions`
// (actions), `@svc/sdk/client` (bots, files, messages, sessions) and `@svc/sdk/domain` (addresses, terms) do.
export {
  type ConcernList,
  createMarketClient,
  type Health,
  type Ledger,
  type ListFilters,
  type MarketClient,
  type MarketClientOptions,
  type OnList,
  type OnMarket,
  type OnMarketPage,
  type OnPage,
  type OpenList,
  type PlanPayment,
  type PlanQuote,
  type PostedTask,
  type Quota,
  type RecordedQuota,
  type SiteConfig,
  type TaskList,
  type TaskReply,
  type TasksReply,
  type Timeline,
  type TokPreview,
  type UnionOverview,
  type UpgradedQuota,
  type WalletName,
} from '../client/createMarketClient.ts';
export type { Connection, Fetch } from '../client/request.ts';
export type { EventsOptions, MarketEvent } from '../client/streams.ts';
export type { Address } from '../domain/address.ts';
export { formatTok, formatUsdc, parseTok, parseTokWei, parseUsdc } from '../domain/amount.ts';
export { type ErrorCode, SvcError } from '../domain/errors.ts';
export { isMarket, type Market, markets } from '../domain/market.ts';
export { formatTaskId, parseTaskId, type TaskId, type TaskKey } from '../domain/taskId.ts';
export type {
  Fees,
  MarketHealth,
  ReputationBoard,
  Treasury,
  TreasuryHistory,
  VerifierBoard,
} from '../schemas/boards.ts';
export type { Chat, ChatAnswer, CriteriaDraft } from '../schemas/chat.ts';
