// Disputes: opening one, naming an arbitrator, ruling, and escalating.
import { type CallContracts, type EncodedCalls, encodeCall } from '../chain/encodeCall.ts';
import { formatDays, formatPercent } from '../domain/amount.ts';
import { protocolConstants } from '../domain/parameters.ts';
import { isEscalatable, stateEndsAt } from '../domain/phases.ts';
import { payRuling } from '../domain/ruling.ts';
import { disputedAmount, lockedAmount, type Task } from '../domain/task.ts';
import { addressArgument, flagArgument } from '../rules/values.ts';
import { defineTaskAction, may } from './action.ts';
import { bpsArgument, deliveryArgument, exampleWallets } from './arguments.ts';
import { purchaseArguments } from './buyTok.ts';
import { disputeCosts } from './costs.ts';
import { evidenceArguments, evidenceField, reasonArguments, takeEvidence, takeReasons } from './evidence.ts';
import { endRuling, payDisputeBonds, refund, slashMissed, splitEscrow } from './movements.ts';

const { arbitrator, worker } = exampleWallets;
const share = formatPercent(protocolConstants.disputeBps);
const slash = formatPercent(protocolConstants.missSlashBps);
const { answerWindowSeconds, fallbackWindowSeconds } = protocolConstants;

/** `ANY_DELIVERY` of the registry. Without it a worker could block a dispute by delivering again just before it. */
const whicheverDelivery = 2n ** 64n - 1n;

export const openDispute = defineTaskAction({
  name: 'open-dispute',
  title: 'Open a dispute',
  summary: `dispute the current delivery; takes a bond of ${share} of the milestone`,
  effect: `The milestone waits, and you put ${share} of it up as a bond. Escrow of later milestones comes back to you. The task ends with the dispute. Without a bond the fallback arbitrator rules at once.`,
  by: ['poster'],
  windows: {
    DELIVERED: ({ updatedAt, reviewPeriod }) => [may('poster', null, updatedAt + reviewPeriod)],
  },
  costs: disputeCosts,
  moves: ({ task }) => {
    if (task === undefined) return [];
    return [refund(task, lockedAmount(task) - disputedAmount(task), 'later milestones')];
  },
  becomes: () => 'DISPUTED',
  next:
    'With a bond the worker answers in time, or loses; then both sides name an arbitrator. ' +
    'Without one the fallback arbitrator rules, and its silence leaves all to the worker.',
  risk: () =>
    'Your bond pays the arbitrator for the share that the worker wins. A side that gets nothing of the milestone also loses ' +
    'the collateral bond to the other. Without a bond the fee comes out of what you get back, and a silent fallback ' +
    'arbitrator leaves all to the worker.',
  undo: 'You may concede; that costs the milestone, your collateral bond and half of the dispute bond, or all of it once an arbitrator is in office.',
  calls: ['TaskRegistry.openDispute'],
  fields: [
    evidenceField('What is wrong', 'Say what is wrong: the worker and the arbitrator will read it.'),
    {
      name: 'withoutBond',
      kind: 'flag',
      label: 'Open without a bond',
      note: 'For a poster who lacks the TOK. The fallback arbitrator rules, and winning pays less.',
    },
  ],
  forms: () => [{ evidenceText: '<what is wrong>' }, { evidenceText: '<what is wrong>', withoutBond: true }],
  seen: ({ updatedAt }) => ({ deliveredAt: String(updatedAt) }),
  input: {
    ...evidenceArguments,
    deliveredAt: deliveryArgument,
    anyDelivery: flagArgument.describe('dispute also a delivery that is made meanwhile'),
    withoutBond: flagArgument.describe('open without a bond; the fallback arbitrator rules'),
    ...purchaseArguments,
  },
  example: { evidenceText: 'Two of the ten files are empty.' },
  build: async (
    { taskId: { number }, deliveredAt, anyDelivery, withoutBond, ...args },
    { task, contracts },
  ) => {
    const { hash, uri, document, warnings } = takeEvidence('open-dispute', args, task);
    const meant = anyDelivery ? whicheverDelivery : BigInt(deliveredAt ?? task.updatedAt);
    const call = [number, meant, !withoutBond, hash, uri] as const;
    const next = withoutBond
      ? `The fallback arbitrator has ${formatDays(fallbackWindowSeconds)} to rule; if it does not, the milestone goes to the worker.`
      : `The worker has ${formatDays(answerWindowSeconds)} to answer; without an answer the milestone and the ` +
        'worker’s collateral bond are yours.';
    return {
      encoded: encodeCall(contracts, 'TaskRegistry', 'openDispute', call),
      warnings: [next, ...warnings],
      result: { evidenceHash: hash, uri, document },
    };
  },
});

export const proposeArbitrator = defineTaskAction({
  name: 'propose-arbitrator',
  title: 'Propose an arbitrator',
  summary: 'name an arbitrator for a dispute; it decides when both parties name the same',
  effect: `When both parties name the same bonded arbitrator and the dispute is answered with a bond, it has ${formatDays(protocolConstants.resolveWindowSeconds)} to rule.`,
  by: ['poster', 'worker'],
  windows: {
    DISPUTED: ({ dispute }) => {
      if (dispute?.phase === 'ANSWERING') return [may('poster'), may('worker')];
      if (dispute?.phase !== 'PROPOSING') return [];
      return [may('poster', null, dispute.phaseEndsAt), may('worker', null, dispute.phaseEndsAt)];
    },
  },
  risk: () => `The arbitrator earns ${share} of the milestone, from the bonds of both sides.`,
  undo: 'You may name another one until both agree.',
  next: 'Once both sides have named the same one, it rules.',
  calls: ['DisputeCourt.proposeArbitrator'],
  fields: [
    {
      name: 'arbitrator',
      kind: 'address',
      label: 'Arbitrator',
      note: 'The address of an arbitrator with a bond on this market. Parties of the task cannot be arbitrators.',
      required: 'Enter the address of an arbitrator.',
    },
  ],
  // Both sides must name the same arbitrator, so the form proposes the one that the other side has named.
  forms: (by, task) => {
    const { posterPick = null, workerPick = null } = task?.dispute ?? {};
    return [{ arbitrator: (by === 'poster' ? workerPick : posterPick) ?? '<address>' }];
  },
  input: { arbitrator: addressArgument },
  example: { arbitrator, from: worker },
  build: async ({ taskId: { number }, arbitrator: named }, { contracts }) => ({
    encoded: encodeCall(contracts, 'DisputeCourt', 'proposeArbitrator', [number, named]),
  }),
});

export const resolveDispute = defineTaskAction({
  name: 'resolve-dispute',
  title: 'Rule on the dispute',
  summary: 'rule on a dispute as its arbitrator',
  effect:
    'The milestone is split as you say. Your fee comes from the bonds: each side pays in proportion to what it loses.',
  by: ['arbitrator'],
  windows: {
    // The fallback arbitrator may still rule after its time, for nothing, until somebody ends the case.
    DISPUTED: ({ dispute }) => {
      if (dispute?.judge == null) return [];
      const until = dispute.phase === 'ASSIGNED' ? dispute.phaseEndsAt : null;
      return [may('arbitrator', dispute.rulingFrom, until)];
    },
  },
  risk: () =>
    `A ruling is final. Not ruling in time costs a bonded arbitrator up to ${slash} of its bond, and any judge its fee.`,
  moves: ({ task, figures, workerBps, isLate = false }) => {
    if (task?.dispute == null || workerBps === undefined) return [];
    const { judge, posterPayer, workerPayer } = task.dispute;
    const bond = isLate ? 0n : task.dispute.bond;
    const ofPoster = (bond * BigInt(workerBps)) / 10_000n;
    const { fee } = payRuling(task.dispute, workerBps, isLate);
    const bonds =
      posterPayer === null
        ? []
        : payDisputeBonds(task, judge, ofPoster, workerPayer === null ? 0n : bond - ofPoster);
    // A side without a bond of its own pays out of what it gets of the milestone.
    const split = splitEscrow(task, workerBps, fee, posterPayer === null ? judge : null);
    return [...bonds, ...split, ...endRuling(task, figures, workerBps)];
  },
  becomes: () => 'RESOLVED',
  next: 'The task is over; the ruling is public.',
  calls: ['DisputeCourt.resolveDispute'],
  fields: [
    {
      name: 'workerBps',
      kind: 'percent',
      label: 'Share of the worker, %',
      note: 'Of the disputed milestone. At 0 or 100 the loser’s collateral bond goes to the other side.',
      initial: () => '50',
    },
    {
      name: 'reasonText',
      kind: 'text',
      label: 'Your reasons',
      note: 'They are public and stay on chain forever; of a private task only their hash goes on chain.',
      required: 'Give your reasons: both parties will ask for them.',
    },
  ],
  forms: () => [{ workerBps: '<0 to 10000>', reasonText: '<why>' }],
  input: { workerBps: bpsArgument, ...reasonArguments },
  example: { workerBps: '7000', reasonText: 'Seven of ten files are as agreed.' },
  build: async ({ taskId: { number }, workerBps, ...args }, { task, contracts }) => {
    const { hash, uri, document, warnings } = takeReasons('resolve-dispute', args, workerBps, task);
    const call = [number, workerBps, hash, uri] as const;
    return {
      encoded: encodeCall(contracts, 'DisputeCourt', 'resolveDispute', call),
      warnings,
      result: { reasonHash: hash, uri, document },
    };
  },
});

function encodeEscalate({ number }: Pick<Task, 'number'>, contracts: CallContracts): EncodedCalls {
  return encodeCall(contracts, 'DisputeCourt', 'escalate', [number]);
}

export const escalate = defineTaskAction({
  name: 'escalate',
  title: 'Escalate',
  summary: 'hand a dispute whose time is over to the fallback arbitrator; anyone may',
  effect:
    'The fallback arbitrator takes the case. An arbitrator who missed its time loses a part of its bond.',
  by: ['anyone'],
  windows: {
    DISPUTED: (task) => (isEscalatable(task) ? [may('anyone', (stateEndsAt(task) ?? 0) + 1)] : []),
  },
  moves: slashMissed,
  next: 'The fallback arbitrator rules in time, or the rule for silence decides.',
  calls: ['DisputeCourt.escalate'],
  exit: encodeEscalate,
  build: async (_, { task, contracts }) => ({ encoded: encodeEscalate(task, contracts) }),
});
