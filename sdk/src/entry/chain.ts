// Contracts, calls, signatures and sending.
export type { ChainClients } from '../chain/chainClient.ts';
export { contractsOf, type MarketContracts, parseContracts } from '../chain/contracts.ts';
export { type Deployment, type MarketDeployment, parseDeployment } from '../chain/deployment.ts';
export type { Call, Step } from '../chain/encodeCall.ts';
export { decodeRevert, findRevert, type Revert } from '../chain/revert.ts';
export { type Asker, createRpc, type Rpc, type RpcOptions } from '../chain/rpc.ts';
export { createDigestReader, createSignatureReader, readAcceptedSignature } from '../chain/signatures.ts';
export { createSender, type Sender } from '../send/keySender.ts';
