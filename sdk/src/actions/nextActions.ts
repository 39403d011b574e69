// Who may do what next with a task, and from when until when: the contracts' transition table as data.
import { isFullyFunded, type Task } from '#domain/task.ts';

export type ActionParty = 'poster' | 'worker' | 'arbitrator' | 'anyone';

/** Times are inclusive Unix seconds; null leaves that end open. An answer with times stays true as time passes. */
export type NextAction = {
  readonly action: string;
  readonly by: ActionParty;
  readonly from: number | null;
  readonly until: number | null;
};

const day = 86_400;

/** The windows of TaskRegistry: ACTIVATION_WINDOW, DELIVERY_GRACE and DISMISS_NOTICE. */
const activationWindow = day;
const deliveryGrace = day;
const dismissNotice = day;

export function nextActions(task: Task): NextAction[] {
  switch (task.state) {
    case 'POSTED':
      return afterPost(task);
    case 'CLAIMED':
      return [...afterClaim(task), ...settleTogether()];
    case 'ACTIVE':
      return [...afterStart(task), ...settleTogether()];
    case 'DELIVERED':
      return [...afterDelivery(task), ...settleTogether()];
    case 'DISPUTED':
      return [...afterDispute(task), ...settleTogether()];
    default:
      return [];
  }
}

function afterPost(task: Task): NextAction[] {
  return [
    may('claim-task', 'anyone', null, task.deadline),
    ...(isFullyFunded(task) ? [] : [may('fund-task', 'poster')]),
    may('cancel-task', 'poster'),
    may('resolve-timed-out', 'anyone', task.deadline + 1),
  ];
}

function afterClaim(task: Task): NextAction[] {
  const funded = isFullyFunded(task);
  const firstDay = task.updatedAt + activationWindow;
  const secondDay = task.updatedAt + 2 * activationWindow;
  const forward = funded
    ? [may('start-work', 'poster', null, secondDay), may('start-work', 'worker', firstDay + 1, secondDay)]
    : [may('fund-task', 'poster', null, firstDay)];
  return [
    ...forward,
    may('leave-task', 'worker'),
    may('dismiss-worker', 'poster'),
    may('resolve-timed-out', 'anyone', (funded ? secondDay : firstDay) + 1),
  ];
}

function afterStart(task: Task): NextAction[] {
  const graceEnds = task.deadline + deliveryGrace;
  return [
    may('submit-proof', 'worker', null, graceEnds),
    may('complete-task', 'poster'),
    ...dismissal(task, graceEnds),
    may('leave-task', 'worker'),
    may('resolve-timed-out', 'anyone', graceEnds + 1),
  ];
}

/** The contracts take a notice until the grace ends, also one that nothing can follow: that is not offered. */
function dismissal({ dismissAt }: Task, graceEnds: number): NextAction[] {
  if (dismissAt === null) return [may('dismiss-worker', 'poster', null, graceEnds - dismissNotice - 1)];
  return dismissAt < graceEnds ? [may('dismiss-worker', 'poster', dismissAt + 1, graceEnds)] : [];
}

function afterDelivery(task: Task): NextAction[] {
  const reviewEnds = task.updatedAt + task.reviewPeriod;
  return [
    may('accept-milestone', 'poster'),
    may('complete-task', 'poster'),
    may('open-dispute', 'poster', null, reviewEnds),
    may('open-dispute', 'worker'),
    may('submit-proof', 'worker'),
    may('resolve-timed-out', 'anyone', reviewEnds + 1),
  ];
}

function afterDispute(task: Task): NextAction[] {
  const { dispute } = task;
  if (dispute === null) return [];
  const { phase, phaseEndsAt } = dispute;
  if (phase === 'PROPOSING') {
    return [
      may('propose-arbitrator', 'poster', null, phaseEndsAt),
      may('propose-arbitrator', 'worker', null, phaseEndsAt),
      may('escalate', 'anyone', phaseEndsAt + 1),
    ];
  }
  if (phase === 'ASSIGNED') {
    return [
      may('resolve-dispute', 'arbitrator', null, phaseEndsAt),
      may('escalate', 'anyone', phaseEndsAt + 1),
    ];
  }
  // The fallback arbitrator may still rule after its time, until somebody ends the case.
  return [may('resolve-dispute', 'arbitrator'), may('resolve-timed-out', 'anyone', phaseEndsAt + 1)];
}

function settleTogether(): NextAction[] {
  return [may('mutual-settle', 'poster'), may('mutual-settle', 'worker')];
}

function may(
  action: string,
  by: ActionParty,
  from: number | null = null,
  until: number | null = null,
): NextAction {
  return { action, by, from, until };
}
