// Every way in which a task, the work on it or a dispute ends is told to those who lose or gain by it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disputeCourtAbi, escrowVaultAbi, taskRegistryAbi } from '@svc/contracts/abi';
import { type Address, disputePhases, type Task, taskStates } from '@svc/sdk/domain';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { noFacts } from '@svc/sdk/internal/domain/task';
import type { StoredConcern } from '../store/concerns.ts';
import type { Notice } from '../store/noticeRows.ts';
import {
  findOwnTime,
  listEventNotices,
  listFormer,
  namingEvents,
  readEvents,
  toldEvents,
} from './episodes.ts';
import { writeEvent } from './letters.ts';

const addressAt = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`;
const wallets = {
  poster: addressAt(1),
  worker: addressAt(2),
  judge: addressAt(3),
  payer: addressAt(4),
  stranger: addressAt(5),
};
type Role = keyof typeof wallets;
const { poster, worker, judge, payer } = wallets;
const amount = String(10n ** 18n);

/** Events that end nothing: the turn that they begin is told, or they say nothing that a wallet has to know. */
const untold = [
  ...['DismissalNoticed', 'DisputeOpened', 'DeadlineMoved', 'ProofSubmitted', 'TaskClaimed', 'WorkStarted'],
  ...['ArbitratorAssigned', 'ArbitratorProposed', 'DisputeAnswered', 'DisputeCreated', 'DisputeEscalated'],
  ...['EvidenceSubmitted', 'NoticeAnswered', 'TaskPosted', 'Funded', 'DisputeBond', 'TermsRevoked'],
  // Beside one that is told.
  ...['DisputeSettled', 'TaskCompleted', 'FeePaid', 'DisputeBondPaid'],
  // About no task, by the wallet itself or by the owner of the contracts.
  ...['ArbitratorRegistered', 'ArbitratorUnbonding', 'ArbitratorWithdrawn', 'FallbackAccepted'],
  ...['FallbackScheduled', 'EntriesPaused', 'MaxTotalRaised', 'EIP712DomainChanged'],
  ...['OwnershipTransferStarted', 'OwnershipTransferred'],
];

test('every event of the contracts that hold tasks sends a notice, or is known to end nothing', () => {
  const names = [...taskRegistryAbi, ...disputeCourtAbi, ...escrowVaultAbi].flatMap((item) =>
    item.type === 'event' ? [item.name as string] : [],
  );
  const told: readonly string[] = toldEvents;
  for (const name of names)
    assert.notEqual(told.includes(name), untold.includes(name), `${name}: told, or known to end nothing`);
  for (const name of toldEvents) assert.ok(names.includes(name), name);
});

type Step = readonly [name: string, args?: Readonly<Record<string, unknown>>];
const state = (name: Task['state']): Step => ['TaskState', { state: taskStates.indexOf(name), round: 0 }];
const phaseOf = (name: (typeof disputePhases)[number]) => disputePhases.indexOf(name);
const claimed: Step[] = [state('POSTED'), ['TaskClaimed', { worker }], state('CLAIMED')];
const active: Step[] = [...claimed, state('ACTIVE')];
const disputed: Step[] = [
  ...active,
  state('DELIVERED'),
  state('DISPUTED'),
  ['ArbitratorAssigned', { arbitrator: judge }],
];
const paid: Step = ['Released', { to: worker, amount }];
const returned: Step = ['Refunded', { to: poster, amount }];
const accepted = (byTimeout: boolean): Step => ['MilestoneAccepted', { milestone: 0, amount, byTimeout }];
const dispute = {
  posterPayer: poster,
  workerPayer: payer,
  judge,
  amount: 3n * 10n ** 18n,
} as unknown as Task['dispute'];

type Ending = readonly [
  name: string,
  before: readonly Step[],
  end: readonly Step[],
  told: string,
  more?: { readonly task?: Partial<Task>; readonly isLate?: boolean; readonly missed?: RegExp },
];
const noWorker = { task: { worker: null } };
const late = { isLate: true };
const unclaimed = { ...noWorker, ...late, missed: /^Nobody claimed the task in time\./ };
const unstarted = /^The work was not started in time, so the worker got its bond back\./;
const unfunded = /^The poster did not fund the rest in time/;
const undelivered = /^The work was not delivered in time, so the worker’s bond went to the poster\./;
const unanswered = { task: { dispute: { ...dispute, workerPayer: null, judge: null } as Task['dispute'] } };
const [posted, completed, cancelled] = [state('POSTED'), state('COMPLETED'), state('CANCELLED')];
const conceded = (by: Address): Step => ['DisputeConceded', { by, phase: phaseOf('ASSIGNED') }];
const timedOut = (phase: (typeof disputePhases)[number], workerBps: number): Step => [
  'DisputeTimedOut',
  { phase: phaseOf(phase), workerBps },
];
const left: Step = ['WorkerLeft', { worker }];
const dismissed: Step = ['WorkerDismissed', { worker }];
const slashed: Step = ['ArbitratorSlashed', { arbitrator: judge, amount }];
const ruled: Step = ['DisputeResolved', { arbitrator: judge, workerBps: 4_000 }];
const settled: Step = ['MutuallySettled', { workerBps: 5_000 }];
const all = 'poster ruled, worker ruled, worker paid, payer ruled';

/** `end` is one transaction; `told` are those who get notices, each with its kind. */
const endings: readonly Ending[] = [
  ['accepted', active, [accepted(false), paid, completed], 'worker paid'],
  [
    'disputed with more milestones',
    active,
    [['DisputeOpened', { opener: poster }], returned, state('DISPUTED')],
    '',
  ],
  ['not reviewed', active, [accepted(true), paid, completed], 'worker paid, poster paid'],
  ['withdrawn by its poster', [posted], [cancelled, returned], '', noWorker],
  ['nobody claimed it', [posted], [cancelled, returned], 'poster refunded', unclaimed],
  ['nobody claimed it, and nobody funded it', [posted], [cancelled], 'poster ended', unclaimed],
  [
    'not started, listed again',
    claimed,
    [posted],
    'poster ended, worker ended',
    { ...noWorker, missed: unstarted },
  ],
  [
    'not started, and over',
    claimed,
    [cancelled, returned],
    'poster refunded, worker ended',
    { missed: unstarted },
  ],
  [
    'not funded',
    claimed,
    [cancelled, returned],
    'poster refunded, worker ended',
    { task: { funded: 1n }, missed: unfunded },
  ],
  [
    'not delivered',
    active,
    [cancelled, returned],
    'poster refunded, worker ended',
    { ...late, missed: undelivered },
  ],
  ['the worker left', active, [left, posted], 'poster ended', noWorker],
  ['the worker was dismissed', active, [dismissed, posted], 'worker dismissed', noWorker],
  ['ruled', disputed, [ruled, paid, returned, completed], all],
  [
    'not answered',
    [...active, state('DISPUTED')],
    [timedOut('ANSWERING', 0), returned, cancelled],
    'poster ruled, worker ruled',
    unanswered,
  ],
  [
    'the arbitrator was silent',
    disputed,
    [slashed, timedOut('ASSIGNED', 10_000), paid, completed],
    `${all}, judge ended, judge ruled`,
  ],
  [
    'the worker gave up',
    disputed,
    [conceded(worker), returned, cancelled],
    'poster ruled, payer ruled, judge ruled',
  ],
  [
    'the poster gave up',
    disputed,
    [conceded(poster), paid, completed],
    'worker ruled, worker paid, payer ruled, judge ruled',
  ],
  ['settled in a dispute', disputed, [settled, paid, returned, completed], `${all}, judge ruled`],
];

function writeAbout(task: Task, event: ChainEvent, wallet: Address, events = [event], title?: string) {
  const notice = { id: 1, channelId: 'c', wallet } as unknown as Notice;
  const words = title === undefined ? null : { title };
  const stored = { task, facts: noFacts, words, part: 3, due: 0, roles: 0 };
  return writeEvent(notice, stored as unknown as StoredConcern, events, event);
}

for (const [name, before, end, told, { task: changed = {}, isLate = false, missed } = {}] of endings)
  test(`${name}: told to those who have to know, in words`, () => {
    const isDisputed = before.some(([event]) => event === 'ArbitratorAssigned');
    const task = {
      market: 'standard',
      number: 7n,
      poster,
      worker,
      deadline: 1_000,
      state: 'COMPLETED',
      milestones: [10n ** 18n],
      milestone: 0,
      round: 0,
      totalAmount: 10n ** 18n,
      funded: 10n ** 18n,
      dispute: isDisputed ? dispute : null,
      ...changed,
    } as unknown as Task;
    const last = before.length + 1;
    const events = [...before, ...end].map(
      ([event, args = {}], at): ChainEvent =>
        ({
          name: event,
          args,
          // Everything of the end is in one transaction.
          txHash: `0x${Math.min(at + 1, last)}`,
          blockNumber: BigInt(Math.min(at + 1, last)),
          blockTime: at < before.length ? at : isLate ? 2_000 : 500,
        }) as unknown as ChainEvent,
    );
    const read = events.filter((event) => (readEvents as readonly string[]).includes(event.name));
    for (const role of Object.keys(wallets) as Role[]) {
      const notices = listEventNotices(task, read, wallets[role], last - 1);
      const kinds = told.split(', ').filter((one) => one.startsWith(`${role} `));
      assert.deepEqual(notices.map(({ kind }) => `${role} ${kind}`).sort(), kinds.sort());
      for (const notice of notices) {
        const [event, ordinal] = notice.episode.split('.');
        const about = read.filter((one) => one.name === event)[Number(ordinal) - 1] ?? assert.fail();
        const letter = writeAbout(task, about, wallets[role], read);
        assert.match(letter.subject, /^\w.* · task 7, standard market$/);
        assert.doesNotMatch(`${letter.subject} ${letter.about}`, /undefined|NaN|null/);
        // Where nobody did anything, a letter says what was missed.
        if (missed !== undefined) assert.match(letter.about, missed);
      }
    }
    const named = events.filter((event) => (namingEvents as readonly string[]).includes(event.name));
    const reached = [poster, task.worker, payer, ...listFormer(named)];
    for (const role of (told.match(/\w+(?= )/g) ?? []) as Role[])
      assert.ok(reached.includes(wallets[role]), role);
  });

test('the newest transaction is the wallet’s own where its events name it', () => {
  const task = { poster, worker } as unknown as Task;
  const own = (wallet: Address, ...steps: readonly Step[]) =>
    findOwnTime(
      task,
      steps.map(
        ([name, args = {}]) => ({ name, args, txHash: '0x1', blockTime: 7 }) as unknown as ChainEvent,
      ),
      wallet,
    );
  const claim: Step = ['TaskClaimed', { worker }];
  assert.equal(own(worker, claim), 7);
  assert.equal(
    own(worker, ['WorkStarted'], claim, ['TaskPosted']),
    null,
    'the poster sends what both signed',
  );
  const moved: Step = ['DeadlineMoved', { deadline: 9 }];
  assert.equal(own(poster, moved), 7);
  const again: Step[] = [state('DELIVERED'), ['ProofSubmitted', { worker }], moved];
  assert.equal(own(poster, ...again), null, 'a second delivery is of the worker');
  assert.equal(own(worker, ...again), 7);
  assert.equal(own(poster, accepted(true)), null);
  assert.equal(own(poster), null);
});

test('a letter says what was shared out, and how much was paid', () => {
  const about = ([name, args = {}]: Step, changed: Partial<Task>, fee = '0') => {
    const task = { market: 'standard', number: 7n, poster, worker, state: 'RESOLVED', ...changed };
    const event = { name, args, txHash: '0x1' } as unknown as ChainEvent;
    const paidOut = { workerAmount: String(57n * 10n ** 18n), posterAmount: amount, protocolFee: fee };
    const shared = { ...event, name: 'DisputeSettled', args: paidOut } as ChainEvent;
    const events = [{ ...shared, args: {}, txHash: '0x0' } as const, event, shared];
    return writeAbout(task as unknown as Task, event, worker, events).about;
  };
  const worked = 'The worker gets 57 TOK of ';
  assert.equal(about(settled, { dispute }), `${worked}the disputed milestone (3 TOK), the poster 1 TOK.`);
  assert.equal(about(settled, { dispute: null }), `${worked}what was in escrow, the poster 1 TOK.`);
  const charged = 'the poster 1 TOK; 3 TOK of it are the fee, as one side has no bond.';
  assert.equal(
    about(ruled, { dispute }, String(3n * 10n ** 18n)),
    `${worked}the disputed milestone (3 TOK), ${charged}`,
  );
  assert.match(about(accepted(true), { dispute: null }), /the worker was paid 1 TOK\.$/);
  assert.equal(
    about(dismissed, { dispute: null, state: 'POSTED' }),
    'The poster ended your part in this task. The task is open for others again.',
  );
});

test('no title breaks a letter: half of a character, a line, a link, a change of the reading direction', () => {
  const task = {
    market: 'standard',
    number: 7n,
    poster,
    worker,
    scope: 'open',
    state: 'COMPLETED',
    dispute: null,
  };
  const event = { name: 'Released', args: { to: worker, amount } } as unknown as ChainEvent;
  const subjectOf = (title: string) =>
    writeAbout(task as unknown as Task, event, worker, [event], title).subject;
  assert.ok(subjectOf(`${'a'.repeat(79)}🦊 and more`).isWellFormed());
  const subject = subjectOf('A\r\nBcc: eve@evil.example\u202e https://evil.example');
  assert.doesNotMatch(subject, /[\r\n\u202e]|@evil|evil\.example|https:\/\//);
});

test('a task that is delivered all the time is looked through once', () => {
  let reads = 0;
  const events = Array.from({ length: 500 }, (_, at) => ({
    ...{ name: 'TaskState', args: state('DELIVERED')[1], blockNumber: BigInt(at) },
    get txHash() {
      reads++;
      return `0x${at}`;
    },
  })) as unknown as ChainEvent[];
  const task = { poster, worker, dispute: null, deadline: 1_000 } as unknown as Task;
  assert.deepEqual(listEventNotices(task, events, poster, 0), []);
  assert.ok(reads <= 10 * events.length, `${reads} reads`);
});
