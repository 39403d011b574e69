// Contracts, calls, signatures and sending.
export { contractsOf, type MarketContracts, parseContracts } from '../chain/contracts.ts';
export { type Deployment, type MarketDeployment, parseDeployment } from '../chain/deployment.ts';
export type { Call, Step } from '../chain/encodeCall.ts';
export { decodeRevert, findRevert, type Revert } from '../chain/revert.ts';
export { type Asker, createRpc, type Rpc, type RpcOptions } from '../chain/rpc.ts';
export {
  type ChainClients,
  createSender,
  type Sender,
  type SenderCall,
  type SendOptions,
} from '../chain/send.ts';
export { createDigestReader, createSignatureReader, readAcceptedSignature } from '../chain/signatures.ts';
export { type Simulation, simulateCalls } from '../chain/simulate.ts';
