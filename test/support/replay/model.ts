// A market as plain values, in the shapes that the contracts return.
import { type Address, zeroAddress } from '#sdk/domain/address.ts';

export type Bytes32 = `0x${string}`;

export type TaskModel = {
  id: bigint;
  poster: Address;
  worker: Address;
  state: number;
  scope: number;
  milestoneCount: number;
  milestone: number;
  round: number;
  reviewPeriod: number;
  deadline: bigint;
  createdAt: bigint;
  updatedAt: bigint;
  totalAmount: bigint;
  funded: bigint;
  released: bigint;
  refunded: bigint;
  fees: bigint;
  dismissAt: number;
  criteriaHash: Bytes32;
  settlementDigest: Bytes32;
};

export type AccountModel = { balance: bigint; locked: bigint; engagements: number };

export type DisputeModel = {
  poster: Address;
  phase: number;
  phaseEnds: bigint;
  worker: Address;
  judge: Address;
  posterPick: Address;
  workerPick: Address;
  posterPayer: Address;
  workerPayer: Address;
  amount: bigint;
  bond: bigint;
};

export type ArbitratorModel = {
  bond: bigint;
  minHeld: bigint;
  openCases: number;
  resolved: number;
  missed: number;
  unbondAt: bigint;
};

export type StakerModel = {
  staked: bigint;
  credits: bigint;
  stakedAt: number;
  rewards: bigint;
  rewardPaid: bigint;
  creditPaid: bigint;
};

export type VaultModel = {
  totalStaked: bigint;
  rewardReserve: bigint;
  rewardsAllocated: bigint;
  totalCreditsIssued: bigint;
  accReward: bigint;
  accCredit: bigint;
};

export type ReputationModel = {
  posted: number;
  claimed: number;
  completed: number;
  disputesWon: number;
  disputesLost: number;
  left: number;
  dismissed: number;
  lastActive: number;
};

export type MarketModel = {
  readonly tasks: Map<bigint, TaskModel>;
  /** As posted; empty for a task of one milestone. */
  readonly milestones: Map<bigint, readonly bigint[]>;
  readonly accounts: Map<Address, AccountModel>;
  readonly disputes: Map<bigint, DisputeModel>;
  readonly arbitrators: Map<Address, ArbitratorModel>;
  /** The fallback arbitrators with the time from which each is in force, oldest first. */
  readonly fallbacks: { readonly arbitrator: Address; readonly since: bigint }[];
  /** The day of each task's claim; it decides which fallback arbitrator judges. */
  readonly claimedDays: Map<bigint, bigint>;
  readonly stakers: Map<Address, StakerModel>;
  readonly vault: VaultModel;
  readonly reputations: Map<Address, ReputationModel>;
};

export function createModel(): MarketModel {
  return {
    tasks: new Map(),
    milestones: new Map(),
    accounts: new Map(),
    disputes: new Map(),
    arbitrators: new Map(),
    fallbacks: [],
    claimedDays: new Map(),
    stakers: new Map(),
    vault: {
      totalStaked: 0n,
      rewardReserve: 0n,
      rewardsAllocated: 0n,
      totalCreditsIssued: 0n,
      accReward: 0n,
      accCredit: 0n,
    },
    reputations: new Map(),
  };
}

/** The value at a key, made from `blank` where it is not there yet: storage that was never written is zero. */
export function at<Key, Value>(map: Map<Key, Value>, key: Key, blank: Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = structuredClone(blank);
  map.set(key, made);
  return made;
}

/** A task that must be there already, since no event of it comes before its posting. */
export function taskOf(model: MarketModel, id: bigint): TaskModel {
  const task = model.tasks.get(id);
  if (task === undefined) throw new Error(`An event speaks of task ${id} before it was posted.`);
  return task;
}

export const blankAccount: AccountModel = { balance: 0n, locked: 0n, engagements: 0 };

export const blankArbitrator: ArbitratorModel = {
  bond: 0n,
  minHeld: 0n,
  openCases: 0,
  resolved: 0,
  missed: 0,
  unbondAt: 0n,
};

export const blankStaker: StakerModel = {
  staked: 0n,
  credits: 0n,
  stakedAt: 0,
  rewards: 0n,
  rewardPaid: 0n,
  creditPaid: 0n,
};

export const blankDispute: DisputeModel = {
  poster: zeroAddress,
  phase: 0,
  phaseEnds: 0n,
  worker: zeroAddress,
  judge: zeroAddress,
  posterPick: zeroAddress,
  workerPick: zeroAddress,
  posterPayer: zeroAddress,
  workerPayer: zeroAddress,
  amount: 0n,
  bond: 0n,
};

export const blankReputation: ReputationModel = {
  posted: 0,
  claimed: 0,
  completed: 0,
  disputesWon: 0,
  disputesLost: 0,
  left: 0,
  dismissed: 0,
  lastActive: 0,
};
