// What a side does in a running dispute: answering it, adding evidence, and giving in.
import { zeroHash } from 'viem';
import { encodeCall } from '../chain/encodeCall.ts';
import { isSameAddress } from '../domain/address.ts';
import { formatDays, formatPercent, formatTok } from '../domain/amount.ts';
import { protocolConstants } from '../domain/parameters.ts';
import { disputePhases, indexOf } from '../domain/state.ts';
import type { Dispute, Task } from '../domain/task.ts';
import { flagArgument, refuse } from '../rules/values.ts';
import { defineTaskAction, may } from './action.ts';
import { disputeCosts } from './costs.ts';
import { evidenceArguments, evidenceField, takeEvidence } from './evidence.ts';
import { endRuling, payDisputeBonds, slashMissed, splitEscrow } from './movements.ts';

const share = formatPercent(protocolConstants.disputeBps);
const fallbackTime = formatDays(protocolConstants.unbondedWindowSeconds);

export const answerDispute = defineTaskAction({
  name: 'answer-dispute',
  title: 'Answer the dispute',
  summary: 'answer a dispute for the worker’s side, with the same bond; the worker also without one',
  effect: `With a bond of ${share} of the milestone, both sides may agree on an arbitrator. Without one, the fallback arbitrator rules within ${fallbackTime}.`,
  by: ['worker', 'sponsor'],
  windows: {
    // After its time an answer is still taken, until somebody ends the dispute.
    DISPUTED: ({ dispute }) => (dispute?.phase === 'ANSWERING' ? [may('worker'), may('sponsor')] : []),
  },
  costs: disputeCosts,
  risk: () =>
    'The bond pays the arbitrator for the share that the poster wins; the rest returns to the wallet that paid it. ' +
    'Without a bond, a fee is taken from what the worker wins, and a silent fallback arbitrator leaves all to the poster. ' +
    'Only the worker speaks for its side: another wallet answers with a bond and without evidence.',
  undo: 'The worker may concede; half of the bond then goes to the poster, or all of it to an arbitrator in office.',
  next: 'With a bond both sides name an arbitrator; without one the fallback arbitrator rules.',
  calls: ['DisputeCourt.answerDispute'],
  fields: [
    evidenceField('Your answer', 'Answer what the poster says: the arbitrator will read it.'),
    {
      name: 'withoutBond',
      kind: 'flag',
      label: 'Answer without a bond (the worker only)',
      note: 'For a worker who lacks the TOK. The fallback arbitrator rules, and winning pays less.',
    },
  ],
  forms: (by) =>
    by === 'worker'
      ? [{ evidenceText: '<your answer>' }, { evidenceText: '<your answer>', withoutBond: true as const }]
      : [{}],
  input: {
    ...evidenceArguments,
    withoutBond: flagArgument.describe('answer without a bond; only the worker may'),
  },
  example: { evidenceText: 'All ten files open here.' },
  build: async ({ taskId: { number }, withoutBond, ...args }, { task, from, contracts }) => {
    const isWorker = task.worker !== null && isSameAddress(task.worker, from);
    if (withoutBond && !isWorker)
      refuse('answer-dispute', 'withoutBond: only the worker may answer without a bond');
    const { evidenceHash, evidenceText, artifacts = [], uri: given } = args;
    const speaks = (evidenceHash ?? evidenceText ?? given) !== undefined || artifacts.length > 0;
    if (speaks && !isWorker)
      refuse('answer-dispute', 'evidenceText: only the worker speaks for its side; answer without evidence');
    const { hash, uri, document, warnings } = isWorker
      ? takeEvidence('answer-dispute', args, task)
      : { ...noEvidence, warnings: [] };
    const call = [number, !withoutBond, hash, uri] as const;
    return {
      encoded: encodeCall(contracts, 'DisputeCourt', 'answerDispute', call),
      warnings: isWorker ? warnings : [sponsorWarning, ...warnings],
      result: { evidenceHash: hash, uri, document },
    };
  },
});

/** A hash of zero says that a side adds nothing. */
const noEvidence = { hash: zeroHash, uri: '', document: null } as const;

const sponsorWarning =
  'You pay for the worker’s side: the worker can concede and lose your bond, and you have no say.';

const unheard = 'Nobody is in office yet to hear this: it has no effect. Say it once an arbitrator is named.';

/** Until the dispute is closed. */
const bothSides = ({ dispute }: Task) =>
  dispute === null || dispute.phase === 'CLOSED' ? [] : [may('poster'), may('worker')];

export const submitEvidence = defineTaskAction({
  name: 'submit-evidence',
  title: 'Add evidence',
  summary: 'add evidence to a running dispute, as often as needed, or say that you have nothing to add',
  effect:
    'The hash of your evidence and its link are written on chain for the arbitrator and the other side, for an open task also its words. Once ' +
    'both sides have done this with an arbitrator in office, it may rule before the hearing ends.',
  by: ['poster', 'worker'],
  windows: { DISPUTED: bothSides },
  undo: 'It cannot be undone; you may add more.',
  next: 'The arbitrator and the other side can read it.',
  calls: ['DisputeCourt.submitEvidence'],
  fields: [
    evidenceField('Your evidence', 'Write what you want the arbitrator to know.'),
    {
      name: 'nothingToAdd',
      kind: 'flag',
      label: 'I have nothing to add',
      note: 'When both sides say so, the arbitrator need not wait for the end of the hearing.',
    },
  ],
  forms: (_, task) => [
    { evidenceText: '<what the arbitrator should know>' },
    ...(task?.dispute?.judge == null ? [] : [{ nothingToAdd: true as const }]),
  ],
  input: {
    ...evidenceArguments,
    nothingToAdd: flagArgument.describe('file nothing, so that the arbitrator need not wait for you'),
  },
  example: { evidenceText: 'The list of files, with their sizes.', uri: 'https://work.example/12-files.txt' },
  build: async ({ taskId: { number }, nothingToAdd, ...args }, { task, contracts }) => {
    const { hash, uri, document, warnings } = nothingToAdd
      ? { ...noEvidence, warnings: task.dispute?.judge == null ? [unheard] : [] }
      : takeEvidence('submit-evidence', args, task);
    return {
      encoded: encodeCall(contracts, 'DisputeCourt', 'submitEvidence', [number, hash, uri]),
      warnings,
      result: { evidenceHash: hash, uri, document },
    };
  },
});

export const concede = defineTaskAction({
  name: 'concede',
  title: 'Concede',
  summary: 'give in to the other side of a dispute; costs less the earlier you do it',
  effect: 'The other side gets the whole milestone and your collateral bond, and the task ends.',
  by: ['poster', 'worker'],
  windows: { DISPUTED: bothSides },
  risk: (task) => describeLoss(task?.dispute ?? null),
  calls: ['DisputeCourt.concede'],
  // Naming the phase keeps a pending concession out of a phase in which it costs more.
  build: async ({ taskId: { number } }, { task, contracts }) => {
    const phase = indexOf(disputePhases, task.dispute?.phase ?? 'NONE');
    return { encoded: encodeCall(contracts, 'DisputeCourt', 'concede', [number, phase]) };
  },
  moves: (facts) => {
    const { task, figures, sender, isLate = false } = facts;
    if (task?.dispute == null || sender === undefined) return [];
    const isPoster = isSameAddress(sender, task.poster);
    const { taker, lost } = findConcession(task, isPoster, isLate);
    const workerBps = isPoster ? 10_000 : 0;
    return [
      ...splitEscrow(task, workerBps),
      ...payDisputeBonds(task, taker, isPoster ? lost : 0n, isPoster ? 0n : lost),
      ...endRuling(task, figures, workerBps),
      ...(isLate ? slashMissed(facts) : []),
    ];
  },
  becomes: () => 'RESOLVED',
  next: 'The task is over.',
});

/** What the side that gives in loses of its dispute bond, and to whom. */
function findConcession({ dispute, poster, worker }: Task, isPoster: boolean, isLate: boolean) {
  const { phase, bond, judge, posterPayer, workerPayer } = dispute as Dispute;
  const hasOffice = phase === 'ASSIGNED' || phase === 'ESCALATED';
  const other = isPoster ? worker : poster;
  const taker = hasOffice && !isLate ? (judge ?? other) : other;
  const own = (isPoster ? posterPayer : workerPayer) === null ? 0n : bond;
  return { taker, lost: hasOffice ? own : own / 2n };
}

/** What giving in costs besides the milestone and the collateral bond. */
function describeLoss(dispute: Dispute | null): string {
  if (dispute === null)
    return 'You lose the milestone and your collateral bond; also half of your dispute bond to the other side, or all of it once an arbitrator is in office.';
  const always = 'You lose the milestone and your collateral bond';
  const { phase, judge, bond } = dispute;
  if (phase === 'ANSWERING' || phase === 'PROPOSING')
    return `${always}, and half of your dispute bond, ${formatTok(bond / 2n)} TOK if you put one up, to the other side.`;
  const to = judge === null ? 'the other side' : 'the arbitrator, or to the other side once its time is over';
  return `${always}, and your dispute bond of ${formatTok(bond)} TOK, if you put one up, to ${to}.`;
}
