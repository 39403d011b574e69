// Mutants that no test can kill because they change nothing that anyone can see, each with the reason.
import type { Mutant } from './mutants.ts';

const sameAtEqual = 'where both sides are equal, both results are the same';
const noneFit = 'where nothing is left, the page is empty either way';

const accepted: readonly (readonly [contract: string, where: string, text: string, reason: string])[] = [
  [
    'TaskBook',
    '_relistOrCancel',
    'task.claimedDeadline = 0',
    'nothing reads it while the task has no worker, and a claim writes it again; zeroing the slot saves gas',
  ],
  ['TaskBook', '_relistOrCancel', 'task.claimedDay = 0', 'as for `claimedDeadline`'],
  ['DepositVault', 'withdraw', 'account.locked > _entry', sameAtEqual],
  ['DepositVault', 'withdraw', 'account.balance > kept', sameAtEqual],
  ['DisputeCourt', 'open', 'reviewPeriod > ANSWER_WINDOW', sameAtEqual],
  ['DisputeCourt', 'arbitrators', 'count < total - from', sameAtEqual],
  ['DisputeCourt', 'arbitrators', 'from >= total', noneFit],
  [
    'DisputeCourt',
    'resolveTimedOut',
    '_payBonds(taskId, dispute, address(0), 0, 0)',
    'it swaps a zero with a zero',
  ],
  ['MarketLens', 'getTasks', 'count < total - first + 1', sameAtEqual],
  ['MarketLens', 'latestTasks', 'want < cursor - lowest', sameAtEqual],
  ['MarketLens', 'latestTasks', 'cursor - lowest', 'the array gets more room, and is cut to what was found'],
  ['PostedPriceFeed', '_checkStep', 'newAnswer > answer', sameAtEqual],
  ['ReputationRegistry', 'agents', 'count < total - from', sameAtEqual],
  ['ReputationRegistry', 'agents', 'from >= total', noneFit],
  [
    'StakingVault',
    'consumeCredits',
    'staker.credits < amount',
    'credits that are just enough accrue now instead of later; their sum is the same',
  ],
  ['StakingVault', '_accrual', 'elapsed < DRIP', sameAtEqual],
  ['StakingVault', '_accrual', 'rate < creditRate', sameAtEqual],
  ['StakingVault', '_accrual', 'issued < remaining', sameAtEqual],
  [
    'TaskRegistry',
    'startWork',
    'funded - released',
    'only a task that was fully funded has released anything, so it is 0 where this error is raised',
  ],
  ['TaskRegistry', 'startWork', 'task.totalAmount - released', 'as for `funded - released`'],
  [
    'TaskRegistry',
    'extendDeadline',
    'state >= State.POSTED',
    'a task that does not exist has no poster, so nobody gets this far',
  ],
  [
    'TaskRegistry',
    'leaveTask',
    'state >= State.CLAIMED',
    'a task that nobody has claimed has no worker, so nobody gets this far',
  ],
  [
    'TaskRegistry',
    '_endRuling',
    'workerBps > BPS / 2',
    'at exactly one half nobody wins: winner and loser are not used',
  ],
  [
    'UsdOracle',
    '_sequencerUp',
    'since <= block.timestamp',
    'a sequencer that is up since this moment is within its grace period either way',
  ],
];

export function reasonToAccept({ contract, where, text }: Mutant): string | undefined {
  return accepted.find((one) => one[0] === contract && one[1] === where && one[2] === text)?.[3];
}
