// What a participant needs first: the client, its types, ids, amounts and the error class. Files, messages and sessions
// are in `@svc/sdk/client`: they need viem, which a reader of the API does not.

export * from '#client/createMarketClient.ts';
export type * from '#client/marketActions.ts';
export type { Connection, Fetch } from '#client/request.ts';
export type * from '#client/runAction.ts';
export { type Address, isSameAddress, parseAddress } from '#domain/address.ts';
export { formatTok, formatUsdc, parseTok, parseTokWei, parseUsdc } from '#domain/amount.ts';
export { type ErrorCode, SvcError } from '#domain/errors.ts';
export { isMarket, type Market, markets } from '#domain/market.ts';
export { formatTaskId, parseTaskId, type TaskId } from '#domain/taskId.ts';
