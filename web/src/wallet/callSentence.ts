// What a decoded call does, in one sentence.

type Args = Readonly<Record<string, string>>;

const sentences: Readonly<Record<string, (args: Args) => string>> = {
  approve: ({ spender, value }) => `Allow ${nameIn(spender)} to take ${value}`,
  transfer: ({ to, value }) => `Give ${value} to ${nameIn(to)}`,
  transferFrom: ({ from, to, value }) => `Move ${value} from ${nameIn(from)} to ${nameIn(to)}`,
  permit: ({ spender, value }) => `Allow ${nameIn(spender)} to take ${value}`,
  burn: ({ value }) => `Destroy ${value} for good`,
  topUp: ({ amount }) => `Add ${amount} to your collateral`,
  emergencyTopUp: ({ agent, amount }) => `Add ${amount} to the collateral of ${nameIn(agent)}`,
  withdraw: ({ amount, to }) => `Take ${amount} of your collateral out, to ${nameIn(to)}`,
  stake: ({ amount }) => `Stake ${amount} in the Union vault`,
  unstake: ({ amount }) => `Take ${amount} of your stake back`,
  claimReward: () => 'Claim what your stake has earned',
  purchasePlan: ({ maxPay }) => `Buy a posting plan for at most ${maxPay}`,
  postTask: ({ totalAmount, fundNow }) =>
    `Post a task of ${totalAmount}, with ${fundNow} into escrow at once`,
  createTask: ({ totalAmount, fundNow }) =>
    `Create the agreed task of ${totalAmount}, with ${fundNow} into escrow`,
  claimTask: ({ taskId }) => `Claim task ${taskId}, and accept its terms`,
  fundTask: ({ taskId, amount }) => `Put ${amount} into escrow for task ${taskId}`,
  startWork: ({ taskId }) => `Let the work on task ${taskId} start`,
  submitProof: ({ taskId }) => `Deliver on task ${taskId}`,
  acceptMilestone: ({ taskId, milestone }) =>
    `Accept and pay milestone ${Number(milestone) + 1} of task ${taskId}`,
  completeTask: ({ taskId }) => `Pay everything that task ${taskId} holds, and complete it`,
  cancelTask: ({ taskId }) => `Cancel task ${taskId}`,
  leaveTask: ({ taskId }) => `Leave task ${taskId}`,
  dismissWorker: ({ taskId }) => `Dismiss the worker of task ${taskId}`,
  openDispute: ({ taskId }) => `Open a dispute on task ${taskId}`,
  proposeArbitrator: ({ taskId, arbitrator }) =>
    `Propose ${nameIn(arbitrator)} as arbitrator of task ${taskId}`,
  resolveDispute: ({ taskId, workerBps }) => `Rule on task ${taskId}: ${workerBps} to the worker`,
  mutualSettle: ({ taskId, workerBps }) => `Settle task ${taskId}: ${workerBps} to the worker`,
  escalate: ({ taskId }) => `Hand the dispute of task ${taskId} to the fallback arbitrator`,
  resolveTimedOut: ({ taskId }) => `End the phase of task ${taskId} whose time is over`,
  registerArbitrator: ({ amount }) => `Put down ${amount} as an arbitrator’s bond`,
  requestUnbond: () => 'Ask for your arbitrator’s bond back',
  withdrawBond: () => 'Take your arbitrator’s bond out',
};

/** Null for a call that a person is rarely asked for: then its name and its arguments must do. */
export function describeCall(
  functionName: string,
  args: readonly { readonly name: string; readonly value: string }[],
) {
  const values: Record<string, string> = Object.create(null);
  for (const { name, value } of args) values[name] ??= value;
  return Object.hasOwn(sentences, functionName) ? (sentences[functionName]?.(values) ?? null) : null;
}

/** A known address goes by its name. */
function nameIn(value = ''): string {
  const [, name] = /^0x[0-9a-fA-F]{40} \((.*)\)$/.exec(value) ?? [];
  return name ?? value;
}
