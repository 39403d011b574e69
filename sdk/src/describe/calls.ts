// What each call of a wallet does, in one sentence.
import { zeroHash } from 'viem';
import { formatDays } from '../domain/amount.ts';
import { protocolConstants } from '../domain/parameters.ts';

/** Arguments as a person reads them, by the names of the ABI; the fields of a struct stand beside them. */
export type ShownArguments = Readonly<Record<string, string>>;

const unbonding = formatDays(protocolConstants.unbondDelaySeconds);
const notice = formatDays(protocolConstants.dismissNoticeSeconds);
const fallbackDelay = formatDays(protocolConstants.fallbackDelaySeconds);

const ofToken: Readonly<Record<string, (args: ShownArguments) => string>> = {
  approve: ({ spender, value }) => `Allow ${spender} to take ${value}`,
  permit: ({ spender, value }) => `Allow ${spender} to take ${value}`,
  transfer: ({ to, value }) => `Send ${value} to ${to}`,
  transferFrom: ({ from, to, value }) => `Move ${value} from ${from} to ${to}`,
  burn: ({ value }) => `Destroy ${value} for good`,
};

const sentences: Readonly<Record<string, typeof ofToken>> = {
  TokToken: ofToken,
  USDC: ofToken,
  TaskRegistry: {
    postTask: ({ totalAmount, fundNow }) => `Post a task of ${totalAmount}${intoEscrow(fundNow)}`,
    createTask: ({ totalAmount, poster, worker, fundNow }) =>
      `Create the agreed task of ${totalAmount} between ${poster} and ${worker}${intoEscrow(fundNow)}`,
    claimTask: ({ taskId }) => `Claim task ${taskId}`,
    fundTask: ({ taskId, amount }) => `Put ${amount} into escrow for task ${taskId}`,
    startWork: ({ taskId }) => `Start the work on task ${taskId}`,
    submitProof: ({ taskId, milestone }) => `Deliver milestone ${milestone} of task ${taskId}`,
    acceptMilestone: ({ taskId, milestone }) => `Accept and pay milestone ${milestone} of task ${taskId}`,
    completeTask: ({ taskId }) => `Pay everything that is held for task ${taskId} to its worker and end it`,
    openDispute: ({ taskId, withBond }) =>
      `Dispute the delivery of task ${taskId} ${withBond === 'false' ? 'without' : 'with'} a bond`,
    leaveTask: ({ taskId }) => `Give task ${taskId} back`,
    giveDismissNotice: ({ taskId }) => `Give the worker of task ${taskId} ${notice}’s notice of a dismissal`,
    answerNotice: ({ taskId }) => `Answer the notice of dismissal of task ${taskId}`,
    revokeTerms: ({ digest }) => `Take back your word on the terms ${digest}`,
    dismissWorker: ({ taskId }) => `Dismiss the worker of task ${taskId}`,
    extendDeadline: ({ taskId, newDeadline }) => `Move the deadline of task ${taskId} to ${newDeadline}`,
    cancelTask: ({ taskId }) => `Withdraw task ${taskId}, which nobody has claimed`,
    resolveTimedOut: ({ taskId }) => `End the phase of task ${taskId} whose time is over`,
  },
  DisputeCourt: {
    answerDispute: ({ taskId, withBond }) =>
      `Answer the dispute of task ${taskId} ${withBond === 'false' ? 'without' : 'with'} a bond`,
    // Pages show a hash of zero as none.
    submitEvidence: ({ taskId, evidenceHash, uri }) =>
      (evidenceHash === zeroHash || evidenceHash === 'none') && uri === ''
        ? `Say that you have nothing to add to the dispute of task ${taskId}`
        : `Add evidence to the dispute of task ${taskId}`,
    proposeArbitrator: ({ taskId, arbitrator }) =>
      `Name ${arbitrator} to decide the dispute of task ${taskId}`,
    resolveDispute: ({ taskId, workerBps }) =>
      `Rule on task ${taskId}: ${workerBps} of the disputed milestone to the worker`,
    concede: ({ taskId }) => `Give in to the other side in the dispute of task ${taskId}`,
    escalate: ({ taskId }) => `Hand the dispute of task ${taskId} to the fallback arbitrator`,
    resolveTimedOut: ({ taskId }) =>
      `End the dispute of task ${taskId}, which nobody answered or decided in time`,
    mutualSettle: ({ taskId, workerBps }) =>
      `Settle task ${taskId} by agreement: ${workerBps} of what is held to the worker`,
    registerArbitrator: ({ amount }) => `Be an arbitrator: add ${amount} to your bond`,
    requestUnbond: () => `Take no new disputes; the bond comes free ${unbonding} later`,
    withdrawBond: () => "Take your arbitrator's bond out",
    scheduleFallback: ({ next }) => `Name ${next} as the next fallback arbitrator`,
    acceptFallback: () =>
      `Become the fallback arbitrator of tasks that are claimed ${fallbackDelay} from now or later`,
  },
  DepositVault: {
    topUp: ({ amount }) => `Add ${amount} to your collateral`,
    emergencyTopUp: ({ agent, amount }) => `Add ${amount} to the collateral of ${agent}, which is paused`,
    withdraw: ({ amount, to }) => `Take ${amount} of your collateral out, to ${to}`,
  },
  StakingVault: {
    stake: ({ amount }) => `Stake ${amount}`,
    unstake: ({ amount }) => `Take ${amount} out of your stake`,
    claimReward: () => 'Take your staking rewards out',
  },
  SwapRouter: {
    exactOutputSingle: ({ amountOut, amountInMaximum }) => `Buy ${amountOut} for at most ${amountInMaximum}`,
  },
  PaymentGateway: {
    purchasePlan: ({ tier, maxPay, minDailyLimit, minDays }) =>
      `Buy the posting plan "${tier}", ${minDailyLimit} posts a day for ${minDays} days, for at most ${maxPay}`,
  },
};

/** What is funded at once, as the end of a sentence. */
function intoEscrow(fundNow: string | undefined): string {
  return fundNow === undefined || /^0(\.0+)? TOK$/.test(fundNow)
    ? ''
    : `, with ${fundNow} into escrow at once`;
}

/** What a call does, in one sentence; null for a function that a person is rarely asked to call. */
export function describeCall(contract: string, functionName: string, args: ShownArguments): string | null {
  const own = sentences[contract] ?? {};
  return Object.hasOwn(own, functionName) ? (own[functionName]?.(args) ?? null) : null;
}
