// What a participant needs first: the client, its types, ids, amounts and the error class.

export { type Address, isSameAddress, parseAddress } from '#domain/address.ts';
export { formatTok, formatUsdc, parseTok, parseTokWei, parseUsdc } from '#domain/amount.ts';
export { type ErrorCode, SvcError } from '#domain/errors.ts';
export { isMarket, type Market, markets } from '#domain/market.ts';
export { formatTaskId, parseTaskId, type TaskId } from '#domain/taskId.ts';
export * from './client.ts';
