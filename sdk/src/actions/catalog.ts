// The catalog of all actions: those of the specification in its order, then those that it leaves open.
import type { CalledContract, CallName } from '../chain/encodeCall.ts';
import { SvcError } from '../domain/errors.ts';
import { toShown } from '../domain/text.ts';
import type { Action, WriteAction } from './action.ts';
import { approveTokRouter, approveUsdcVault } from './approvals.ts';
import {
  acceptFallback,
  registerArbitrator,
  scheduleFallback,
  unbondArbitrator,
  withdrawBond,
} from './arbitrator.ts';
import { buyPlan } from './buyPlan.ts';
import { buyTok } from './buyTok.ts';
import { claimTask, leaveTask } from './claimTask.ts';
import { emergencyTopUp, topUp, withdrawDeposit } from './collateral.ts';
import { buildTaskTerms, createTask, revokeTerms } from './createTask.ts';
import { acceptMilestone, completeTask, prepareReceipt, submitProof } from './deliver.ts';
import { answerNotice, dismissWorker, extendDeadline, giveDismissNotice } from './dismissal.ts';
import { escalate, openDispute, proposeArbitrator, resolveDispute } from './dispute.ts';
import { answerDispute, concede, submitEvidence } from './disputeAnswer.ts';
import { cancelTask, fundTask, startWork } from './fundTask.ts';
import { postTask } from './postTask.ts';
import { hashCriteriaAction, onboarding, read } from './read.ts';
import { mutualSettle, resolveTimedOut } from './settle.ts';
import { claimReward, stake, unstake } from './staking.ts';

/** By the names that programs use. */
export const catalog = {
  read,
  onboarding,
  approveUsdcVault,
  approveTokRouter,
  topUp,
  claimTask,
  postTask,
  createTask,
  fundTask,
  startWork,
  submitProof,
  acceptMilestone,
  completeTask,
  openDispute,
  leaveTask,
  dismissWorker,
  emergencyTopUp,
  registerArbitrator,
  proposeArbitrator,
  resolveDispute,
  resolveTimedOut,
  escalate,
  hashCriteria: hashCriteriaAction,
  prepareReceipt,
  buildTaskTerms,
  answerDispute,
  submitEvidence,
  concede,
  extendDeadline,
  giveDismissNotice,
  cancelTask,
  mutualSettle,
  withdrawDeposit,
  unbondArbitrator,
  withdrawBond,
  stake,
  unstake,
  claimReward,
  buyPlan,
  scheduleFallback,
  acceptFallback,
  answerNotice,
  revokeTerms,
  buyTok,
} as const satisfies Readonly<Record<string, Action>>;

export type Catalog = typeof catalog;

/** Every action of the catalog, in its order. */
export const actions: readonly Action[] = Object.values(catalog);

/** The action with this name, such as `claim-task`; undefined for a name that is no action. */
export function findAction(name: string): Action | undefined {
  return actions.find((action) => action.name === name);
}

/** Throws ACTION_UNKNOWN. */
export function requireAction(name: string): Action {
  const action = findAction(name);
  if (action !== undefined) return action;
  const known = actions.map((one) => one.name).join(', ');
  throw new SvcError('ACTION_UNKNOWN', { action: toShown(name), known });
}

/** Undefined for a document, and for a name that is no action. */
export function findWrite(name: string): WriteAction | undefined {
  const action = findAction(name);
  return action?.kind === 'write' ? action : undefined;
}

/** The action that calls this function; undefined for functions that no action calls. */
export function findActionOfCall(contract: CalledContract, functionName: string): WriteAction | undefined {
  return writeActions.find(({ calls }) => calls.includes(`${contract}.${functionName}` as CallName));
}

const writeActions = actions.filter((action) => action.kind === 'write');
