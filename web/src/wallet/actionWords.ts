// What each action is called, what it does, what may be lost by it and whether it can be undone.

export type ActionWords = {
  readonly name: string;
  readonly effect: string;
  readonly risk: string;
  readonly undo: string;
  /** Whether the access fee is due. */
  readonly hasFee?: boolean;
  /** Whether a bond of the collateral is locked. */
  readonly hasBond?: boolean;
};

export const actionWords: Readonly<Record<string, ActionWords>> = {
  'claim-task': {
    name: 'Claim this task',
    effect: 'You become the worker under exactly these terms. The task leaves the list.',
    risk: 'The fee is not returned. If work starts and you deliver nothing in time, your bond goes to the poster.',
    undo: 'You may leave before work starts; that costs the fee again, and the bond comes back.',
    hasFee: true,
    hasBond: true,
  },
  'fund-task': {
    name: 'Fund escrow',
    effect: 'TOK moves from your wallet into escrow for this task.',
    risk: 'It is paid out when you accept, when your review time passes in silence, or as an arbitrator rules.',
    undo: 'Until somebody claims the task you may cancel it and get everything back.',
  },
  'start-work': {
    name: 'Start the work',
    effect: 'The worker’s clock runs from now; the deadline moves by the time since the claim.',
    risk: 'From here on the money leaves escrow only by delivery, dismissal, dispute or time-out.',
    undo: 'It cannot be undone; a worker can be dismissed with a day’s notice.',
  },
  'submit-proof': {
    name: 'Deliver',
    effect: 'The hash of your work is written on chain and the poster’s review time begins.',
    risk: 'The poster may dispute within the review time.',
    undo: 'You may deliver again until the poster decides; the newest proof counts.',
  },
  'accept-milestone': {
    name: 'Accept the milestone',
    effect: 'The milestone is paid to the worker at once. After the last one, the task is completed.',
    risk: 'The payment is final.',
    undo: 'It cannot be undone.',
  },
  'complete-task': {
    name: 'Pay everything and complete',
    effect: 'All that escrow still holds goes to the worker, and the task ends.',
    risk: 'Milestones that were not delivered are paid, too.',
    undo: 'It cannot be undone.',
  },
  'open-dispute': {
    name: 'Open a dispute',
    effect: 'Nothing is paid until an arbitrator has ruled. You put 5 % of the milestone in as a bond.',
    risk: 'Who loses pays the arbitrator; a ruling of all or nothing also moves the loser’s collateral bond.',
    undo: 'It ends by ruling, by time-out, or when both parties sign a settlement.',
  },
  'propose-arbitrator': {
    name: 'Propose an arbitrator',
    effect: 'When both parties name the same bonded arbitrator, it is seated and has five days to rule.',
    risk: 'The arbitrator gets 5 % of the milestone.',
    undo: 'You may name another one until both agree.',
  },
  'resolve-dispute': {
    name: 'Rule on the dispute',
    effect: 'The milestone is split as you say, after your fee. Later milestones go back to the poster.',
    risk: 'A ruling is final. Not ruling in time costs a tenth of your bond.',
    undo: 'It cannot be undone.',
  },
  escalate: {
    name: 'Escalate',
    effect: 'The fallback arbitrator takes the case. An arbitrator who missed its time is slashed.',
    risk: 'None for you but gas.',
    undo: 'It cannot be undone.',
  },
  'leave-task': {
    name: 'Leave the task',
    effect: 'You give the task back. It is listed again, or ends if it is private or late.',
    risk: 'The fee is not returned. After work has started, your bond goes to the poster.',
    undo: 'It cannot be undone; you may claim it again if nobody else does.',
    hasFee: true,
  },
  'dismiss-worker': {
    name: 'Dismiss the worker',
    effect:
      'Before the start at once; later by a notice of one day, which a delivery clears, and a second call.',
    risk: 'The fee is not returned.',
    undo: 'It cannot be undone.',
    hasFee: true,
  },
  'cancel-task': {
    name: 'Cancel the task',
    effect: 'The task ends. Everything in escrow and your bond come back to you.',
    risk: 'The fee you paid for posting is not returned.',
    undo: 'It cannot be undone.',
  },
  'resolve-timed-out': {
    name: 'End the phase that ran out',
    effect: 'What the contracts foresee for this time-out happens now; it does not matter who calls.',
    risk: 'None for you but gas.',
    undo: 'It cannot be undone.',
  },
  'mutual-settle': {
    name: 'Settle together',
    effect: 'Both parties sign one split, and the task ends by it.',
    risk: 'A signed settlement is final once it is sent.',
    undo: 'An unsent signature runs out at the time it names.',
  },
};
