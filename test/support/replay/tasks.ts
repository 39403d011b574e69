// What the events of registry and escrow mean for a task.
import { zeroHash } from 'viem';
import type { escrowVaultAbi } from '#contracts/generated/abi/escrowVault.ts';
import type { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import { zeroAddress } from '#sdk/domain/address.ts';
import { indexOf, taskStates } from '#sdk/domain/state.ts';
import type { EventOf } from './event.ts';
import { type MarketModel, taskOf } from './model.ts';

export function applyRegistry(
  model: MarketModel,
  event: EventOf<typeof taskRegistryAbi>,
  time: bigint,
): void {
  switch (event.eventName) {
    case 'TaskPosted': {
      const { taskId, uri: _, milestones, ...terms } = event.args;
      model.milestones.set(taskId, milestones);
      model.tasks.set(taskId, {
        ...terms,
        id: taskId,
        worker: zeroAddress,
        state: 0,
        milestoneCount: Math.max(milestones.length, 1),
        milestone: 0,
        round: 0,
        createdAt: time,
        updatedAt: time,
        funded: 0n,
        released: 0n,
        refunded: 0n,
        fees: 0n,
        dismissAt: 0,
        settlementDigest: zeroHash,
      });
      return;
    }
    case 'TaskState': {
      const { taskId, state, round, milestone } = event.args;
      const isListedAgain = state === indexOf(taskStates, 'POSTED') && round > 0;
      const freed = { worker: zeroAddress, settlementDigest: zeroHash, dismissAt: 0 };
      Object.assign(
        taskOf(model, taskId),
        { state, round, milestone, updatedAt: time },
        isListedAgain && freed,
      );
      return;
    }
    case 'TaskClaimed': {
      const { taskId, worker, settlementDigest } = event.args;
      Object.assign(taskOf(model, taskId), { worker, settlementDigest });
      model.claimedDays.set(taskId, time / 86_400n);
      return;
    }
    case 'DeadlineMoved':
      taskOf(model, event.args.taskId).deadline = event.args.deadline;
      return;
    case 'DismissalNoticed':
      taskOf(model, event.args.taskId).dismissAt = event.args.effectiveAt;
      return;
    case 'ProofSubmitted':
      taskOf(model, event.args.taskId).dismissAt = 0;
      return;
  }
}

export function applyEscrow(model: MarketModel, event: EventOf<typeof escrowVaultAbi>): void {
  const task = taskOf(model, event.args.taskId);
  switch (event.eventName) {
    case 'Funded':
      task.funded += event.args.amount;
      return;
    case 'Released':
      task.released += event.args.amount;
      return;
    case 'Refunded':
      task.refunded += event.args.amount;
      return;
    case 'FeePaid':
      task.fees += event.args.amount;
      return;
  }
}
