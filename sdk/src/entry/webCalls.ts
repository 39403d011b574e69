// Encoders that the pages still import from the chain room; the actions room has their sources.
import type { Hex } from 'viem';
import { describeCall } from '#actions/catalog.ts';
import { formatPercent } from '#actions/costs.ts';
import type { CallContracts } from '#chain/encodeCall.ts';
import { encodeCall } from '#chain/encodeCall.ts';
import type { Address } from '#domain/address.ts';
import { formatTok } from '#domain/amount.ts';

export * from '#actions/approvals.ts';
export { encodeBuyPlan } from '#actions/buyPlan.ts';
export { encodeClaimTask } from '#actions/claimTask.ts';
export { encodeTopUp, encodeWithdrawDeposit } from '#actions/collateral.ts';
export { encodePostTask, type PostArguments } from '#actions/postTask.ts';
export { encodeClaimReward, encodeStake, encodeUnstake } from '#actions/staking.ts';

type Numbered<More> = More & { readonly number: bigint };
const say = (
  contract: 'TaskRegistry' | 'DisputeCourt',
  name: string,
  args: Parameters<typeof describeCall>[2],
) => describeCall(contract, name, args) ?? name;

export function encodeFundTask(
  contracts: CallContracts,
  { number, amountTokWei }: Numbered<{ amountTokWei: bigint }>,
) {
  return encodeCall(
    contracts,
    'TaskRegistry',
    'fundTask',
    [number, amountTokWei],
    say('TaskRegistry', 'fundTask', { taskId: number, amount: `${formatTok(amountTokWei)} TOK` }),
  );
}
export function encodeStartWork(
  contracts: CallContracts,
  { number, expectedDigest }: Numbered<{ expectedDigest: Hex }>,
) {
  return encodeCall(
    contracts,
    'TaskRegistry',
    'startWork',
    [number, expectedDigest],
    say('TaskRegistry', 'startWork', { taskId: number }),
  );
}
export function encodeSubmitProof(
  contracts: CallContracts,
  { number, proofHash, uri }: Numbered<{ proofHash: Hex; uri: string }>,
) {
  return encodeCall(
    contracts,
    'TaskRegistry',
    'submitProof',
    [number, proofHash, uri],
    say('TaskRegistry', 'submitProof', { taskId: number }),
  );
}
export function encodeAcceptMilestone(
  contracts: CallContracts,
  { number, milestone }: Numbered<{ milestone: number }>,
) {
  return encodeCall(
    contracts,
    'TaskRegistry',
    'acceptMilestone',
    [number, milestone],
    say('TaskRegistry', 'acceptMilestone', { taskId: number, milestone }),
  );
}
export function encodeCompleteTask(contracts: CallContracts, number: bigint) {
  return encodeCall(
    contracts,
    'TaskRegistry',
    'completeTask',
    [number],
    say('TaskRegistry', 'completeTask', { taskId: number }),
  );
}
export function encodeLeaveTask(contracts: CallContracts, number: bigint) {
  return encodeCall(
    contracts,
    'TaskRegistry',
    'leaveTask',
    [number],
    say('TaskRegistry', 'leaveTask', { taskId: number }),
  );
}
export function encodeDismissWorker(contracts: CallContracts, number: bigint) {
  return encodeCall(
    contracts,
    'TaskRegistry',
    'dismissWorker',
    [number],
    say('TaskRegistry', 'dismissWorker', { taskId: number }),
  );
}
export function encodeCancelTask(contracts: CallContracts, number: bigint) {
  return encodeCall(
    contracts,
    'TaskRegistry',
    'cancelTask',
    [number],
    say('TaskRegistry', 'cancelTask', { taskId: number }),
  );
}
export function encodeResolveTimedOut(contracts: CallContracts, number: bigint) {
  return encodeCall(
    contracts,
    'TaskRegistry',
    'resolveTimedOut',
    [number],
    say('TaskRegistry', 'resolveTimedOut', { taskId: number }),
  );
}
export function encodeResolveTimedOutDispute(contracts: CallContracts, number: bigint) {
  return encodeCall(
    contracts,
    'DisputeCourt',
    'resolveTimedOut',
    [number],
    say('DisputeCourt', 'resolveTimedOut', { taskId: number }),
  );
}
export function encodeEscalate(contracts: CallContracts, number: bigint) {
  return encodeCall(
    contracts,
    'DisputeCourt',
    'escalate',
    [number],
    say('DisputeCourt', 'escalate', { taskId: number }),
  );
}
export function encodeOpenDispute(
  contracts: CallContracts,
  { number, evidenceHash }: Numbered<{ evidenceHash: Hex }>,
) {
  return encodeCall(
    contracts,
    'TaskRegistry',
    'openDispute',
    [number, evidenceHash],
    say('TaskRegistry', 'openDispute', { taskId: number }),
  );
}
export function encodeProposeArbitrator(
  contracts: CallContracts,
  { number, arbitrator }: Numbered<{ arbitrator: Address }>,
) {
  return encodeCall(
    contracts,
    'DisputeCourt',
    'proposeArbitrator',
    [number, arbitrator],
    say('DisputeCourt', 'proposeArbitrator', { taskId: number, arbitrator }),
  );
}
export function encodeResolveDispute(
  contracts: CallContracts,
  { number, workerBps, reasonHash }: Numbered<{ workerBps: number; reasonHash: Hex }>,
) {
  return encodeCall(
    contracts,
    'DisputeCourt',
    'resolveDispute',
    [number, workerBps, reasonHash],
    say('DisputeCourt', 'resolveDispute', { taskId: number, workerBps: formatPercent(workerBps) }),
  );
}
export function encodeMutualSettle(
  contracts: CallContracts,
  {
    number,
    workerBps,
    validUntil,
    posterSignature,
    workerSignature,
  }: Numbered<{ workerBps: number; validUntil: number; posterSignature: Hex; workerSignature: Hex }>,
) {
  return encodeCall(
    contracts,
    'DisputeCourt',
    'mutualSettle',
    [number, workerBps, BigInt(validUntil), posterSignature, workerSignature],
    say('DisputeCourt', 'mutualSettle', { taskId: number, workerBps: formatPercent(workerBps) }),
  );
}
