// The front door of chain.
export * from '#chain/callsOutcome.ts';
export * from '#chain/chainClient.ts';
export * from '#chain/contracts.ts';
export * from '#chain/decodeLog.ts';
export * from '#chain/deployment.ts';
export * from '#chain/encodeCall.ts';
export * from '#chain/logRange.ts';
export * from '#chain/readAgents.ts';
export * from '#chain/readMarket.ts';
export * from '#chain/readTasks.ts';
export * from '#chain/revert.ts';
export * from '#chain/rpc.ts';
export * from '#chain/rpcEndpoint.ts';
export * from '#chain/rpcRequests.ts';
export * from '#chain/send.ts';
export * from '#chain/signatures.ts';
export * from '#chain/simulate.ts';
