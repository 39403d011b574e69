// Every way in which a task, the work on it or a dispute ends is told to those who lose or gain by it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disputeCourtAbi, escrowVaultAbi, taskRegistryAbi } from '@svc/contracts/abi';
import { type Address, disputePhases, type Task, taskStates } from '@svc/sdk/domain';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { noFacts } from '@svc/sdk/internal/domain/task';
import type { StoredConcern } from '#store/concerns.ts';
import type { Notice } from '#store/noticeRows.ts';
import { listEventNotices, listFormer, namingEvents, readEvents, toldEvents } from './episodes.ts';
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
const dispute = { posterPayer: poster, workerPayer: payer, judge } as unknown as Task['dispute'];

/** `end` is one transaction; `told` are those who get notices, each with their kinds. */
const endings: readonly {
  readonly name: string;
  readonly before: readonly Step[];
  readonly end: readonly Step[];
  readonly told: Partial<Record<Role, readonly string[]>>;
  readonly task?: Partial<Task>;
  readonly isLate?: boolean;
}[] = [
  {
    name: 'accepted',
    before: active,
    end: [accepted(false), paid, state('COMPLETED')],
    told: { worker: ['paid'] },
  },
  {
    name: 'not reviewed',
    before: active,
    end: [accepted(true), paid, state('COMPLETED')],
    told: { worker: ['paid'], poster: ['paid'] },
  },
  {
    name: 'withdrawn by its poster',
    before: [state('POSTED')],
    end: [state('CANCELLED'), returned],
    told: {},
    task: { worker: null },
  },
  {
    name: 'nobody claimed it',
    before: [state('POSTED')],
    end: [state('CANCELLED'), returned],
    told: { poster: ['refunded'] },
    task: { worker: null },
    isLate: true,
  },
  {
    name: 'nobody claimed it, and nobody funded it',
    before: [state('POSTED')],
    end: [state('CANCELLED')],
    told: { poster: ['ended'] },
    task: { worker: null },
    isLate: true,
  },
  {
    name: 'not started, listed again',
    before: claimed,
    end: [state('POSTED')],
    told: { poster: ['ended'], worker: ['ended'] },
    task: { worker: null },
  },
  {
    name: 'not started, and over',
    before: claimed,
    end: [state('CANCELLED'), returned],
    told: { poster: ['refunded'], worker: ['ended'] },
  },
  {
    name: 'not delivered',
    before: active,
    end: [state('CANCELLED'), returned],
    told: { poster: ['refunded'], worker: ['ended'] },
    isLate: true,
  },
  {
    name: 'the worker left',
    before: active,
    end: [['WorkerLeft', { worker }], state('POSTED')],
    told: { poster: ['ended'] },
    task: { worker: null },
  },
  {
    name: 'the worker was dismissed',
    before: active,
    end: [['WorkerDismissed', { worker }], state('POSTED')],
    told: { worker: ['dismissed'] },
    task: { worker: null },
  },
  {
    name: 'ruled',
    before: disputed,
    end: [['DisputeResolved', { arbitrator: judge, workerBps: 4_000 }], paid, returned, state('COMPLETED')],
    told: { poster: ['ruled'], worker: ['ruled', 'paid'], payer: ['ruled'] },
  },
  {
    name: 'not answered',
    before: [...active, state('DISPUTED')],
    end: [['DisputeTimedOut', { phase: phaseOf('ANSWERING'), workerBps: 0 }], returned, state('CANCELLED')],
    told: { poster: ['ruled'], worker: ['ruled'] },
    task: { dispute: { ...dispute, workerPayer: null, judge: null } as Task['dispute'] },
  },
  {
    name: 'the arbitrator was silent',
    before: disputed,
    end: [
      ['ArbitratorSlashed', { arbitrator: judge, amount }],
      ['DisputeTimedOut', { phase: phaseOf('ASSIGNED'), workerBps: 10_000 }],
      paid,
      state('COMPLETED'),
    ],
    told: { poster: ['ruled'], worker: ['ruled', 'paid'], payer: ['ruled'], judge: ['ended', 'ruled'] },
  },
  {
    name: 'the worker gave up',
    before: disputed,
    end: [['DisputeConceded', { by: worker, phase: phaseOf('ASSIGNED') }], returned, state('CANCELLED')],
    told: { poster: ['ruled'], payer: ['ruled'], judge: ['ruled'] },
  },
  {
    name: 'the poster gave up',
    before: disputed,
    end: [['DisputeConceded', { by: poster, phase: phaseOf('ASSIGNED') }], paid, state('COMPLETED')],
    told: { worker: ['ruled', 'paid'], payer: ['ruled'], judge: ['ruled'] },
  },
  {
    name: 'settled in a dispute',
    before: disputed,
    end: [['MutuallySettled', { workerBps: 5_000 }], paid, returned, state('COMPLETED')],
    told: { poster: ['ruled'], worker: ['ruled', 'paid'], payer: ['ruled'], judge: ['ruled'] },
  },
];

for (const { name, before, end, told, task: changed = {}, isLate = false } of endings)
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
      assert.deepEqual(notices.map(({ kind }) => kind).sort(), [...(told[role] ?? [])].sort(), role);
      for (const notice of notices) {
        const [event, ordinal] = notice.episode.split('.');
        const about = read.filter((one) => one.name === event)[Number(ordinal) - 1] ?? assert.fail();
        const stored = {
          task,
          facts: noFacts,
          words: null,
          part: 3,
          due: 0,
          roles: 0,
        };
        const letter = writeEvent(
          { ...notice, id: 1, channelId: 'c', wallet: wallets[role] } as unknown as Notice,
          stored as unknown as StoredConcern,
          about,
        );
        assert.match(letter.subject, /^\w.* · v2:standard:7$/);
        assert.doesNotMatch(`${letter.subject} ${letter.about}`, /undefined|NaN|null/);
      }
    }
    const named = events.filter((event) => (namingEvents as readonly string[]).includes(event.name));
    const reached = [poster, task.worker, payer, ...listFormer(named)];
    for (const role of Object.keys(told) as Role[]) assert.ok(reached.includes(wallets[role]), role);
  });
