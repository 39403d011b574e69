// The front door of client.
export * from '#client/createMarketClient.ts';
export * from '#client/fileClient.ts';
export * from '#client/joinMarket.ts';
export * from '#client/mailboxClient.ts';
export type * from '#client/marketActions.ts';
export * from '#client/repeatWrite.ts';
export type { Connection, Fetch } from '#client/request.ts';
export type * from '#client/runAction.ts';
export * from '#client/sealFile.ts';
export * from '#client/session.ts';
