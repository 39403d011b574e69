// The table of all actions, in the order of the specification, then the ways out that it leaves open.
import { SvcError } from '#domain/errors.ts';
import { toShown } from '#domain/text.ts';
import type { Action } from './action.ts';
import { buildTaskTerms, createTask } from './actions/agreeing.ts';
import {
  approveTokRouter,
  approveUsdcVault,
  emergencyTopUp,
  topUp,
  withdrawDeposit,
} from './actions/collateral.ts';
import {
  escalate,
  openDispute,
  proposeArbitrator,
  registerArbitrator,
  resolveDispute,
  unbondArbitrator,
  withdrawBond,
} from './actions/disputing.ts';
import { hashCriteriaAction, onboarding, prepareReceipt, read } from './actions/documents.ts';
import { cancelTask, dismissWorker, leaveTask, mutualSettle, resolveTimedOut } from './actions/leaving.ts';
import { postTask } from './actions/posting.ts';
import { buyPlan, claimReward, stake, unstake } from './actions/union.ts';
import {
  acceptMilestone,
  claimTask,
  completeTask,
  fundTask,
  startWork,
  submitProof,
} from './actions/working.ts';

export const actions: readonly Action[] = [
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
  hashCriteriaAction,
  prepareReceipt,
  buildTaskTerms,
  cancelTask,
  mutualSettle,
  withdrawDeposit,
  unbondArbitrator,
  withdrawBond,
  stake,
  unstake,
  claimReward,
  buyPlan,
];

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
