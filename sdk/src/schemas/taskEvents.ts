// The arguments of each event of a task: names of states instead of numbers, times in Unix seconds, amounts as decimal strings.
import * as z from 'zod';
import { disputePhases, feeActions, scopes, settlementKinds, taskStates } from '../domain/state.ts';
import { addressSchema, hashSchema, timeSchema, weiSchema } from './primitives.ts';

const task = { taskId: z.string().describe('The number of the task in its market.') };
const round = z.int().nonnegative();
const milestone = z.int().nonnegative().describe('Its index, from 0.');
const workerBps = z.int().min(0).max(10_000).describe('The worker’s share, in hundredths of a percent.');
const uri = z.string();
const phase = z.enum(disputePhases);

const of = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.object({ ...task, ...shape });

export const taskEvents = {
  AccessFeePaid: of({
    payer: addressSchema,
    action: z.enum(feeActions),
    amount: weiSchema,
    withCredits: z.boolean(),
  }),
  ArbitratorAssigned: of({ arbitrator: addressSchema, phaseEnds: timeSchema }),
  ArbitratorProposed: of({ by: addressSchema, arbitrator: addressSchema }),
  ArbitratorSlashed: of({ arbitrator: addressSchema, amount: weiSchema, bond: weiSchema }),
  DeadlineMoved: of({ deadline: timeSchema }),
  DismissalNoticed: of({ effectiveAt: timeSchema }),
  DisputeAnswered: of({
    by: addressSchema,
    withBond: z.boolean(),
    phaseEnds: timeSchema,
    evidenceHash: hashSchema,
    uri,
  }),
  DisputeBond: of({ payer: addressSchema, amount: weiSchema }),
  DisputeBondPaid: of({ to: addressSchema, amount: weiSchema }),
  DisputeConceded: of({ by: addressSchema, phase }),
  DisputeCreated: of({ phase, phaseEnds: timeSchema }),
  DisputeEscalated: of({ by: addressSchema, phaseEnds: timeSchema }),
  DisputeOpened: of({ opener: addressSchema, evidenceHash: hashSchema, uri }),
  DisputeResolved: of({
    arbitrator: addressSchema,
    workerBps,
    reasonHash: hashSchema,
    fee: weiSchema,
    reasonUri: uri,
  }),
  DisputeSettled: of({
    kind: z.enum(settlementKinds),
    workerBps,
    workerAmount: weiSchema,
    posterAmount: weiSchema,
    protocolFee: weiSchema,
  }),
  DisputeTimedOut: of({ phase, workerBps }),
  EvidenceSubmitted: of({ by: addressSchema, evidenceHash: hashSchema, uri }),
  FeePaid: of({ to: addressSchema, amount: weiSchema }),
  Funded: of({ payer: addressSchema, amount: weiSchema, fundedTotal: weiSchema }),
  MilestoneAccepted: of({ milestone, amount: weiSchema, byTimeout: z.boolean() }),
  MutuallySettled: of({ workerBps }),
  NoticeAnswered: of({ worker: addressSchema }),
  ProofSubmitted: of({ worker: addressSchema, milestone, proofHash: hashSchema, uri }),
  Refunded: of({ to: addressSchema, amount: weiSchema }),
  Released: of({ to: addressSchema, amount: weiSchema, releasedTotal: weiSchema }),
  TaskClaimed: of({ worker: addressSchema, round, settlementDigest: hashSchema }),
  TaskCompleted: of({ worker: addressSchema, amount: weiSchema }),
  TaskPosted: of({
    poster: addressSchema,
    scope: z.enum(scopes),
    totalAmount: weiSchema,
    deadline: timeSchema,
    reviewPeriod: z.int().nonnegative().describe('Seconds.'),
    criteriaHash: hashSchema,
    milestones: z.array(weiSchema),
    uri,
  }),
  TaskState: of({ state: z.enum(taskStates), round, milestone }),
  WorkStarted: of({ round }),
  WorkerDismissed: of({ worker: addressSchema, round }),
  WorkerLeft: of({ worker: addressSchema, round }),
};

/** One event by its name, with its arguments. */
export type TaskEvent = {
  [Name in keyof typeof taskEvents]: {
    readonly name: Name;
    readonly args: z.output<(typeof taskEvents)[Name]>;
  };
}[keyof typeof taskEvents];

export const taskEventSchema = z.union(
  Object.entries(taskEvents).map(([name, args]) => z.object({ name: z.literal(name), args })),
) as unknown as z.ZodType<TaskEvent, TaskEvent>;
