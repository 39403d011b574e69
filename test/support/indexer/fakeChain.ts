// A chain in memory that can be forked at will: tasks change, events report it, and any block can be read. The same
// steps make the same chain, hash by hash.

import type { Hex } from 'viem';
import { buildTaskDocument } from '#sdk/documents/buildDocument.ts';
import { type Address, zeroAddress } from '#sdk/domain/address.ts';
import { SvcError } from '#sdk/domain/errors.ts';
import type { ChainEvent, EventValue } from '#sdk/domain/event.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import { indexOf, type TaskState, taskStates } from '#sdk/domain/state.ts';
import type { Dispute, Task } from '#sdk/domain/task.ts';
import type { ChainSource, SourceBlock } from '#service/chain/source.ts';
import type { BlockRef } from '#service/store/chainRow.ts';

/** What happens to one task in one block. */
export type ChainStep =
  | {
      readonly kind: 'post';
      readonly market: Market;
      readonly poster: number;
      readonly isPrivate?: boolean;
      /** In a document in its uri; no words are known without one. */
      readonly title?: string;
      /** Until the deadline; one unless given. */
      readonly days?: number;
    }
  | {
      readonly kind:
        | 'claim'
        /** The work does not start. */
        | 'reserve'
        | 'deliver'
        | 'redeliver'
        | 'announceDismissal'
        | 'moveDeadline'
        | 'complete'
        | 'relist'
        | 'dispute'
        /** The poster has nothing to add. */
        | 'evidence'
        | 'escalate'
        | 'rule'
        | 'settle'
        | 'miss';
      readonly market: Market;
      readonly task: number;
      /** Of a claim: terms that both parties signed. */
      readonly digest?: Hex;
      readonly worker?: Address;
    };

type FakeBlock = SourceBlock & {
  readonly events: readonly ChainEvent[];
  readonly tasks: ReadonlyMap<string, Task>;
};

export type FakeChain = ReturnType<typeof createFakeChain>;

export type FakeChainOptions = {
  /** Longer ranges of logs are refused, as providers do. */
  readonly maxRange?: number;
  /** How many blocks' logs count as proven. */
  readonly provenBlocks?: number;
};

const transitions: Record<Exclude<ChainStep['kind'], 'post'>, readonly [from: TaskState, to: TaskState]> = {
  claim: ['POSTED', 'ACTIVE'],
  reserve: ['POSTED', 'CLAIMED'],
  deliver: ['ACTIVE', 'DELIVERED'],
  redeliver: ['DELIVERED', 'DELIVERED'],
  announceDismissal: ['ACTIVE', 'ACTIVE'],
  moveDeadline: ['ACTIVE', 'ACTIVE'],
  complete: ['DELIVERED', 'COMPLETED'],
  relist: ['ACTIVE', 'POSTED'],
  dispute: ['DELIVERED', 'DISPUTED'],
  evidence: ['DISPUTED', 'DISPUTED'],
  escalate: ['DISPUTED', 'DISPUTED'],
  rule: ['DISPUTED', 'RESOLVED'],
  settle: ['DISPUTED', 'RESOLVED'],
  miss: ['ACTIVE', 'CANCELLED'],
};

export function addressOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}`;
}

export function createFakeChain(options: FakeChainOptions = {}) {
  const { maxRange = 1_000, provenBlocks = 4 } = options;
  let hashes = 0;
  const nextHash = (): Hex => `0x${(++hashes).toString(16).padStart(64, '0')}`;
  const blocks: FakeBlock[] = [
    { number: 0n, hash: nextHash(), parentHash: nextHash(), time: 1_000, events: [], tasks: new Map() },
  ];
  const head = () => blocks.at(-1) as FakeBlock;

  function find(blockHash: Hex): FakeBlock {
    const block = blocks.find(({ hash }) => hash === blockHash);
    if (block === undefined) throw new SvcError('CHAIN_CHANGED', {});
    return block;
  }

  /** A step that does not fit the state of its task is ignored. */
  function mine(steps: readonly ChainStep[] = []): void {
    const parent = head();
    const block = { number: parent.number + 1n, hash: nextHash(), time: parent.time + 2 };
    const tasks = new Map(parent.tasks);
    const events: ChainEvent[] = [];
    // Each step is a transaction.
    let txHash = nextHash();
    const emit = (task: Task, name: string, args: Record<string, EventValue>, contract = 'taskRegistry') =>
      events.push({
        market: task.market,
        contract: contract as ChainEvent['contract'],
        name,
        args: { taskId: String(task.number), ...args },
        taskNumber: task.number,
        blockNumber: block.number,
        blockHash: block.hash,
        blockTime: block.time,
        txHash,
        logIndex: events.length,
        address: addressOf(1),
      });
    for (const step of steps) {
      txHash = nextHash();
      act(tasks, step, block.time, emit);
    }
    blocks.push({ ...block, parentHash: parent.hash, events, tasks });
  }

  const source: ChainSource = {
    startBlock: 0n,
    provenBlocks: BigInt(provenBlocks),
    distrust: () => {},
    blame: () => {},
    readHead: async () => head(),
    readBlock: async (number) => blocks[Number(number)] ?? null,
    readEvents: async (from: bigint, to: BlockRef) => {
      const length = Number(to.number - from) + 1;
      if (length > maxRange) throw new SvcError('CHAIN_REFUSED', { reason: 'too many blocks' });
      find(to.hash);
      const first = blocks[Number(from)] as FakeBlock;
      const events = blocks.slice(Number(from), Number(to.number) + 1).flatMap((block) => block.events);
      return { events, parentHash: first.parentHash, isProven: length <= provenBlocks };
    },
    readBlocks: async (from, to) => {
      if (Number(to - from) + 1 > maxRange)
        throw new SvcError('CHAIN_REFUSED', { reason: 'too many blocks' });
      const read = blocks.slice(Number(from), Number(to) + 1);
      const [first, end] = [read[0], read.at(-1)];
      if (first === undefined || end === undefined || end.number !== to)
        throw new SvcError('CHAIN_CHANGED', {});
      return {
        events: read.flatMap(({ events }) => events),
        parentHash: first.parentHash,
        blocks: read.map(({ number, hash }) => ({ number, hash })),
        end: { number: end.number, hash: end.hash, time: end.time },
      };
    },
    readRange: async (from, to) => {
      if (Number(to - from) + 1 > maxRange)
        throw new SvcError('CHAIN_REFUSED', { reason: 'too many blocks' });
      return blocks.slice(Number(from), Number(to) + 1).flatMap(({ events }) => events);
    },
    readTaskEvents: async (market, number, from, to) =>
      blocks
        .slice(Number(from), Number(to) + 1)
        .flatMap(({ events }) => events)
        .filter((event) => event.market === market && event.taskNumber === number),
    readFinal: async () => null,
    readTasks: async (market, numbers, blockHash) => {
      const { tasks } = find(blockHash);
      return numbers.flatMap((number) => tasks.get(`${market}:${number}`) ?? []);
    },
    readTaskCounts: async (blockHash) => {
      const { tasks } = find(blockHash);
      return { standard: countOf(tasks, 'standard'), micro: countOf(tasks, 'micro') };
    },
  };

  return {
    source,
    head: (): SourceBlock => head(),
    mine,
    /** Takes the newest blocks away; what is mined next makes another branch. The first block stays. */
    revert: (depth: number) => {
      blocks.length = Math.max(1, blocks.length - depth);
    },
    tasks: () => [...head().tasks.values()],
    events: () => blocks.flatMap(({ events }) => events),
  };
}

/** Somebody else, so that what a poster moved is what the steps say. */
const payerOfTasks = addressOf(98);

type EmitEvent = (task: Task, name: string, args: Record<string, EventValue>, contract?: string) => void;

function act(tasks: Map<string, Task>, step: ChainStep, time: number, emit: EmitEvent): void {
  if (step.kind === 'post') {
    const number = countOf(tasks, step.market) + 1n;
    const made = buildTask(step.market, number, step.poster, time, step.isPrivate);
    const task = { ...made, deadline: time + 86_400 * (step.days ?? 1) };
    tasks.set(`${task.market}:${number}`, task);
    const { title } = step;
    const uri =
      title === undefined
        ? `https://tasks.example/${task.market}/${number}/${time}`
        : buildTaskDocument({ title, description: '', criteria: 'Any.', tags: [] }).uri;
    emit(task, 'TaskPosted', { uri });
    emit(task, 'Funded', { payer: payerOfTasks, amount: String(task.funded) }, 'escrowVault');
    return;
  }
  const task = tasks.get(`${step.market}:${step.task}`);
  const [from, to] = transitions[step.kind];
  if (task === undefined || task.state !== from) return;
  const worker = step.kind === 'relist' ? null : (task.worker ?? step.worker ?? addressOf(100 + (time % 7)));
  const isDone = to === 'COMPLETED';
  const moved = {
    ...task,
    state: to,
    worker,
    settlementDigest: step.digest ?? task.settlementDigest,
    updatedAt: to === from && to === 'ACTIVE' ? task.updatedAt : time,
    deadline: task.deadline + (step.kind === 'moveDeadline' ? 86_400 : 0),
    dismissAt: step.kind === 'announceDismissal' ? time + 6 * 3_600 : task.dismissAt,
    released: isDone ? task.totalAmount : 0n,
    refunded: step.kind === 'miss' ? task.totalAmount : task.refunded,
    round: task.round + (step.kind === 'relist' ? 1 : 0),
    dispute: disputeAfter(task, step.kind, time),
  };
  tasks.set(`${task.market}:${task.number}`, moved);
  if (task.worker === null && worker !== null) emit(moved, 'TaskClaimed', { worker });
  if (to === 'DELIVERED') emit(moved, 'ProofSubmitted', { milestone: 0, proofHash: `0x${'11'.repeat(32)}` });
  if (step.kind === 'announceDismissal') emit(moved, 'DismissalNoticed', {});
  if (isDone)
    emit(moved, 'Released', { to: worker ?? zeroAddress, amount: String(task.totalAmount) }, 'escrowVault');
  if (step.kind === 'rule') {
    emit(
      moved,
      'DisputeBondPaid',
      { to: fakeJudge, amount: String(task.dispute?.bond ?? 0n) },
      'disputeCourt',
    );
    emit(moved, 'DisputeResolved', { arbitrator: fakeJudge, workerBps: 10_000 }, 'disputeCourt');
    const paid = { workerAmount: String(task.totalAmount), posterAmount: '0', protocolFee: '0' };
    emit(moved, 'DisputeSettled', { kind: 2, workerBps: 10_000, ...paid });
  }
  if (step.kind === 'evidence')
    emit(
      moved,
      'EvidenceSubmitted',
      { by: task.poster, evidenceHash: `0x${'0'.repeat(64)}`, uri: '' },
      'disputeCourt',
    );
  if (step.kind === 'escalate') emit(moved, 'DisputeEscalated', { by: task.poster }, 'disputeCourt');
  if (step.kind === 'settle') {
    const bond = task.dispute?.bond ?? 0n;
    const pay = (to: Address | null | undefined, amount: bigint) =>
      emit(moved, 'DisputeBondPaid', { to: to ?? zeroAddress, amount: String(amount) }, 'disputeCourt');
    emit(moved, 'MutuallySettled', { workerBps: 5_000 }, 'disputeCourt');
    pay(task.dispute?.judge, bond);
    for (const party of [task.poster, task.worker]) pay(party, bond / 2n);
  }
  if (step.kind === 'miss')
    emit(moved, 'Refunded', { to: task.poster, amount: String(task.totalAmount) }, 'escrowVault');
  emit(moved, 'TaskState', {
    state: indexOf(taskStates, to),
    round: moved.round,
    milestone: moved.milestone,
  });
}

/** The arbitrator of every dispute on a fake chain, and the one after an escalation. */
export const fakeJudge = addressOf(200);
export const fakeFallback = addressOf(201);

/** As on the real chain: a closed case names its judge no more. */
function disputeAfter(task: Task, kind: ChainStep['kind'], time: number): Dispute | null {
  if (kind === 'dispute') return buildDispute(task, time);
  if (task.dispute === null || kind === 'evidence') return task.dispute;
  if (kind === 'escalate') return { ...task.dispute, phase: 'ESCALATED', judge: fakeFallback };
  return kind === 'rule' || kind === 'settle' ? { ...task.dispute, phase: 'CLOSED', judge: null } : null;
}

function buildDispute({ poster, worker, totalAmount }: Task, time: number): Dispute {
  return {
    phase: 'ASSIGNED',
    phaseEndsAt: time + 5 * 86_400,
    judge: fakeJudge,
    posterPick: fakeJudge,
    workerPick: fakeJudge,
    posterPayer: poster,
    workerPayer: worker,
    amount: totalAmount,
    bond: totalAmount / 20n,
    rulingFrom: time + 86_400,
  };
}

export function buildTask(
  market: Market,
  number: bigint,
  poster: number,
  time: number,
  isPrivate = false,
): Task {
  const amount = 10n ** 18n * (number + 1n);
  return {
    market,
    number,
    registryAddress: addressOf(markets.indexOf(market) + 10),
    poster: addressOf(poster),
    worker: null,
    state: 'POSTED',
    scope: isPrivate ? 'private' : 'open',
    milestones: [amount],
    milestone: 0,
    round: 0,
    reviewPeriod: 3_600,
    deadline: time + 86_400,
    createdAt: time,
    updatedAt: time,
    dismissAt: null,
    noticeAnswered: false,
    totalAmount: amount,
    funded: amount,
    released: 0n,
    refunded: 0n,
    fees: 0n,
    criteriaHash: `0x${'22'.repeat(32)}`,
    settlementDigest: null,
    dispute: null,
  };
}

function countOf(tasks: ReadonlyMap<string, Task>, market: Market): bigint {
  return BigInt([...tasks.values()].filter((task) => task.market === market).length);
}
