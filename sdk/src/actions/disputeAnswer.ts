// What a side does in a running dispute: answering it, adding evidence, and giving in.
import { encodeCall } from '#chain/encodeCall.ts';
import { isSameAddress } from '#domain/address.ts';
import { formatDays, formatPercent, formatTok } from '#domain/amount.ts';
import { protocolConstants } from '#domain/parameters.ts';
import { disputePhases, indexOf } from '#domain/state.ts';
import type { Dispute, Task } from '#domain/task.ts';
import { defineTaskAction, may } from './action.ts';
import { exampleWallets, flagArgument, refuse } from './arguments.ts';
import { costOfAmount, disputeBond, fromEscrow, toWorker } from './costs.ts';
import { evidenceArguments, evidenceField, evidenceForm, takeEvidence } from './evidence.ts';

const { worker, poster } = exampleWallets;
const share = formatPercent(protocolConstants.disputeBps);
const fallbackTime = formatDays(protocolConstants.fallbackWindowSeconds);

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
  costs: ({ task, amount }) =>
    costOfAmount('disputeBond', amount ?? (task === undefined ? undefined : disputeBond(task))),
  risk: () =>
    'The bond pays the arbitrator for the share that the poster wins; the rest returns to the wallet that paid it. ' +
    'Without a bond, a fee is taken from what the worker wins, and a silent fallback arbitrator leaves all to the poster.',
  undo: 'The worker may concede; half of the bond then goes to the poster, or all of it to an arbitrator in office.',
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
  forms: (by) => [
    evidenceForm('<your answer>'),
    ...(by === 'worker' ? [{ ...evidenceForm('<your answer>'), withoutBond: true as const }] : []),
  ],
  input: {
    ...evidenceArguments,
    withoutBond: flagArgument.describe('answer without a bond; only the worker may'),
  },
  example: { taskId: 'v2:standard:12', evidenceText: 'All ten files open here.', from: worker },
  build: async ({ taskId: { number }, withoutBond, ...args }, { task, from, contracts }) => {
    const { hash, uri, document, warnings } = takeEvidence('answer-dispute', args, task);
    const isWorker = task.worker !== null && isSameAddress(task.worker, from);
    if (withoutBond && !isWorker)
      refuse('answer-dispute', 'withoutBond: only the worker may answer without a bond');
    const call = [number, !withoutBond, hash, uri] as const;
    return {
      encoded: encodeCall(contracts, 'DisputeCourt', 'answerDispute', call),
      amount: withoutBond ? 0n : disputeBond(task),
      warnings: isWorker ? warnings : [sponsorWarning, ...warnings],
      result: { evidenceHash: hash, uri, document },
    };
  },
});

const sponsorWarning =
  'You pay for the worker’s side: the worker can concede and lose your bond, and you have no say.';

/** Until the dispute is closed. */
const bothSides = ({ dispute }: Task) =>
  dispute === null || dispute.phase === 'CLOSED' ? [] : [may('poster'), may('worker')];

export const submitEvidence = defineTaskAction({
  name: 'submit-evidence',
  title: 'Add evidence',
  summary: 'add evidence to a running dispute, as often as needed',
  effect:
    'The hash of your evidence and where it is found are written on chain for the arbitrator and the other side.',
  by: ['poster', 'worker'],
  windows: { DISPUTED: bothSides },
  undo: 'It cannot be undone; you may add more.',
  calls: ['DisputeCourt.submitEvidence'],
  fields: [evidenceField('Your evidence', 'Write what you want the arbitrator to know.')],
  forms: () => [evidenceForm('<what the arbitrator should know>')],
  input: { ...evidenceArguments },
  example: {
    taskId: 'v2:standard:12',
    evidenceText: 'The list of files, with their sizes.',
    uri: 'https://work.example/12-files.txt',
    from: poster,
  },
  build: async ({ taskId: { number }, ...args }, { task, contracts }) => {
    const { hash, uri, document, warnings } = takeEvidence('submit-evidence', args, task);
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
  example: { taskId: 'v2:standard:12', from: poster },
  // Naming the phase keeps a pending concession out of a phase in which it costs more.
  build: async ({ taskId: { number }, from }, { task, contracts }) => {
    const phase = indexOf(disputePhases, task.dispute?.phase ?? 'NONE');
    return {
      encoded: encodeCall(contracts, 'DisputeCourt', 'concede', [number, phase]),
      conceding: isSameAddress(from, task.poster) ? 'poster' : 'worker',
    };
  },
  moves: ({ task, conceding }) => {
    if (task?.dispute == null) return [];
    const { amount } = task.dispute;
    const note = 'the disputed milestone';
    return conceding === 'poster'
      ? [{ ...toWorker(task, amount), note }]
      : [fromEscrow('To the poster', amount, note)];
  },
});

/** What giving in costs besides the milestone and the collateral bond. */
function describeLoss(dispute: Dispute | null): string {
  if (dispute === null)
    return 'You lose the milestone and your collateral bond; after an answer also half of your dispute bond, and all of it once an arbitrator is in office.';
  const always = 'You lose the milestone and your collateral bond';
  const { phase, judge, bond } = dispute;
  if (phase === 'PROPOSING')
    return `${always}, and half of your dispute bond, ${formatTok(bond / 2n)} TOK, to the other side.`;
  if (judge === null) return `${always}; a dispute bond comes back.`;
  return `${always}, and your dispute bond of ${formatTok(bond)} TOK, if you put one up, to the arbitrator.`;
}
