// The catalog of actions, preparing them, and sending them.
export type { Action, DocumentAction, FormField, PureAction, WriteAction } from '../actions/action.ts';
export {
  actions,
  type Catalog,
  catalog,
  findAction,
  findActionOfCall,
} from '../actions/catalog.ts';
export type { Cost, CostKind, Token } from '../actions/costs.ts';
export { type Allowance, type ExplainedCall, explainCalls } from '../actions/explainCalls.ts';
export { type ExplainedSignature, explainSignature } from '../actions/explainSignature.ts';
export { type Account, describeMovement, type Movement } from '../actions/movements.ts';
export { type NextAction, nextActions } from '../actions/nextActions.ts';
export { parseTaskRecord, type TaskDetail, type TaskRecord } from '../actions/parseTaskRecord.ts';
export {
  type PreparedAction,
  type PreparedCalls,
  type PreparedDocument,
  type PreparedSignature,
  prepareAction,
  type SimulationReport,
} from '../actions/prepareAction.ts';
export {
  type ActionReads,
  createActionReads,
  createClientAsker,
  createQuotaReader,
  type MarketAccess,
  readPostedTask,
} from '../actions/reads.ts';
export { createActions } from '../client/createActions.ts';
export type { MarketActions } from '../client/marketActions.ts';
export type {
  ActionWallet,
  ChainOptions,
  DocumentRun,
  Outcome,
  Preparation,
  Sent,
  WaitOptions,
  WriteRun,
} from '../client/runAction.ts';
export { describeCall } from '../describe/calls.ts';
