// Ids, amounts, states, terms and rules: pure functions.
export { describeEscrow, describeFunding, listEscrow } from '../describe/escrow.ts';
export { describeEvent } from '../describe/eventSentences.ts';
export { type Says, toText } from '../describe/parts.ts';
export { type Address, isAddress, isSameAddress, parseAddress, zeroAddress } from '../domain/address.ts';
export {
  formatTok,
  formatUsdc,
  parseTok,
  parseUsdc,
  tokDecimals,
  toUsd,
  usdcDecimals,
} from '../domain/amount.ts';
export { type ArbitratorOffer, findArbitratorObstacle } from '../domain/arbitration.ts';
export { defaultChainId, knownChains, type PublicChain } from '../domain/chains.ts';
export { hashDocument, maxDocumentBytes } from '../domain/document.ts';
export { type ErrorCode, SvcError } from '../domain/errors.ts';
export { isMarket, type Market, markets, parseMarket } from '../domain/market.ts';
export {
  type MarketParameters,
  marketParameters,
  oracleParameters,
  plans,
  protocolConstants,
  reputationWeights,
} from '../domain/parameters.ts';
export { describeEnd, findPhase, listPhases, type Phase, rolesOf } from '../domain/phases.ts';
export {
  type Currency,
  type DisputePhase,
  disputePhases,
  isTerminal,
  type Role,
  roles,
  type Scope,
  type SettlementKind,
  type TaskState,
  taskStates,
  terminalStates,
} from '../domain/state.ts';
export { type Delivery, type Dispute, milestoneNumber, type Task } from '../domain/task.ts';
export { formatTaskId, parseTaskId, type TaskId, type TaskKey } from '../domain/taskId.ts';
export {
  buildSettlementTypedData,
  buildTermsTypedData,
  hashCriteria,
  hashMilestones,
  hashSettlement,
  hashTerms,
  type MutualSettlement,
  type SigningPlace,
  type TaskTerms,
} from '../domain/terms.ts';
export { type VerifyDigest, verifyPlainAccount } from '../domain/verifyDigest.ts';
