// Mutants of combinations, chosen by hand: several milestones, partial funding, a second worker, a changed fallback, a late judge.
// In this function an expression gives another value, which is the same in all simple cases.

export type ByHand = readonly [contract: string, where: string, expression: string, replacement: string];

const todaysFallback = 'fallbackOn(uint16(block.timestamp / 1 days))';

export const byHand: readonly ByHand[] = [
  ['TaskRegistry', 'startWork', 'funded >= task.totalAmount', 'funded - released >= _currentAmount(taskId)'],
  ['TaskRegistry', '_timeOutClaim', 'funded >= task.totalAmount', 'escrow.held(taskId) >= task.totalAmount'],
  ['TaskRegistry', 'submitProof', 'task.deadline + DELIVERY_GRACE', 'task.claimedDeadline + DELIVERY_GRACE'],
  [
    'TaskRegistry',
    '_payMilestone',
    'milestone + 1 == task.milestoneCount',
    'milestone + 1 - task.firstMilestone == task.milestoneCount',
  ],
  ['TaskRegistry', 'completeTask', 'escrow.held(taskId)', '_currentAmount(taskId)'],
  ['TaskRegistry', 'settleDispute', 'escrow.held(taskId)', '_currentAmount(taskId)'],
  ['TaskRegistry', 'openDispute', 'task.claimedDay', 'uint16(block.timestamp / 1 days)'],
  ['TaskRegistry', 'leaveTask', 'state == State.CLAIMED', 'state != State.DELIVERED'],
  ['TaskRegistry', 'dismissWorker', '!task.noticeAnswered', '!task.noticeAnswered && task.round == 0'],
  [
    'TaskBook',
    '_relistOrCancel',
    'block.timestamp <= task.deadline',
    'block.timestamp <= task.claimedDeadline',
  ],
  ['TaskBook', '_relistOrCancel', 'task.milestone', 'task.round == 0 ? task.milestone : task.firstMilestone'],
  ['TaskBook', '_termsLeft', 'packed.length == 32', 'packed.length == 32 && task.firstMilestone == 0'],
  ['DisputeCourt', '_silentShare', 'fallbackOn(dispute.claimedDay)', todaysFallback],
  ['DisputeCourt', 'answerDispute', 'fallbackOn(dispute.claimedDay)', todaysFallback],
  ['DisputeCourt', '_judge', 'fallbackOn(dispute.claimedDay)', todaysFallback],
  [
    'DisputeCourt',
    'concede',
    '!byPoster && !_hasJudge(phase)',
    '!byPoster && (!_hasJudge(phase) || fallbackOn(dispute.claimedDay) == dispute.worker)',
  ],
  ['DisputeCourt', 'concede', '_judgeInTime(dispute)', '(_hasJudge(phase) ? _judge(dispute) : address(0))'],
  [
    'DisputeCourt',
    '_settleBonds',
    '_judgeInTime(dispute)',
    '(_hasJudge(dispute.phase) ? _judge(dispute) : address(0))',
  ],
  [
    'DisputeCourt',
    '_rulingFees',
    '_isLate(dispute)',
    '(dispute.phase == Phase.ASSIGNED && _isLate(dispute))',
  ],
  ['DisputeCourt', '_payBonds', '_workerPayer(dispute)', 'dispute.worker'],
  ['DisputeCourt', '_slash', '_bond(dispute)', 'dispute.amount'],
];
