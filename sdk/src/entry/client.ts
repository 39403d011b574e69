// The front door of client.
export * from '#client/ask.ts';
export * from '#client/createMarketClient.ts';
export * from '#client/followEvents.ts';
export type * from '#client/runAction.ts';
export * from '#client/streamChat.ts';
