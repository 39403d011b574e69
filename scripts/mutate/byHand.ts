// Mutants of combinations, chosen by hand: several milestones, partial funding, a second worker, a changed fallback, a late judge.
// In this function an expression gives another value, which is the same in all simple cases.

export type ByHand = readonly [where: string, expression: string, replacement: string];

const todaysFallback = 'fallbackOn(uint16(block.timestamp / 1 days))';
const judgeEvenIfLate = '(_hasJudge(phase) ? _judge(dispute) : address(0))';

export const byHand: Readonly<Record<string, readonly ByHand[]>> = {
  TaskRegistry: [
    ['startWork', 'funded >= task.totalAmount', 'funded - released >= _currentAmount(taskId)'],
    ['_timeOutClaim', 'funded >= task.totalAmount', 'escrow.held(taskId) >= task.totalAmount'],
    ['submitProof', 'task.deadline + DELIVERY_GRACE', 'task.claimedDeadline + DELIVERY_GRACE'],
    [
      '_payMilestone',
      'milestone + 1 == task.milestoneCount',
      'milestone + 1 - task.firstMilestone == task.milestoneCount',
    ],
    ['completeTask', 'escrow.held(taskId)', '_currentAmount(taskId)'],
    ['settleDispute', 'escrow.held(taskId)', '_currentAmount(taskId)'],
    ['openDispute', 'task.claimedDay', 'uint16(block.timestamp / 1 days)'],
    ['leaveTask', 'state == State.CLAIMED', 'state != State.DELIVERED'],
    ['dismissWorker', '!task.noticeAnswered', '!task.noticeAnswered && task.round == 0'],
  ],
  TaskBook: [
    ['_relistOrCancel', 'block.timestamp <= task.deadline', 'block.timestamp <= task.claimedDeadline'],
    ['_relistOrCancel', 'task.milestone', 'task.round == 0 ? task.milestone : task.firstMilestone'],
    ['_termsLeft', 'packed.length == 32', 'packed.length == 32 && task.firstMilestone == 0'],
  ],
  DisputeCourt: [
    ['_silentShare', 'fallbackOn(dispute.claimedDay)', todaysFallback],
    ['answerDispute', 'fallbackOn(dispute.claimedDay)', todaysFallback],
    ['_judge', 'fallbackOn(dispute.claimedDay)', todaysFallback],
    [
      'concede',
      '!byPoster && !_hasJudge(phase)',
      '!byPoster && (!_hasJudge(phase) || fallbackOn(dispute.claimedDay) == dispute.worker)',
    ],
    ['concede', '_judgeInTime(dispute)', judgeEvenIfLate],
    ['_settleBonds', '_judgeInTime(dispute)', judgeEvenIfLate.replace('phase', 'dispute.phase')],
    ['_rulingFees', '_isLate(dispute)', '(dispute.phase == Phase.ASSIGNED && _isLate(dispute))'],
    ['_payBonds', '_workerPayer(dispute)', 'dispute.worker'],
    ['_slash', '_bond(dispute)', 'dispute.amount'],
  ],
};
