// What the events of the court mean for a dispute and for an arbitrator.
import type { disputeCourtAbi } from '#contracts/generated/abi/disputeCourt.ts';
import { type Address, zeroAddress } from '#sdk/domain/address.ts';
import { type DisputePhase, disputePhases, indexOf } from '#sdk/domain/state.ts';
import type { EventOf } from './event.ts';
import { at, blankArbitrator, blankDispute, type DisputeModel, type MarketModel, taskOf } from './model.ts';

const phase = (name: DisputePhase) => indexOf(disputePhases, name);

export function applyCourt(model: MarketModel, event: EventOf<typeof disputeCourtAbi>): void {
  const arbitratorOf = (address: Address) => at(model.arbitrators, address, blankArbitrator);
  const disputeOf = (id: bigint) => at(model.disputes, id, blankDispute);
  switch (event.eventName) {
    case 'ArbitratorRegistered': {
      const { arbitrator, bond, minHeld } = event.args;
      Object.assign(arbitratorOf(arbitrator), { bond, minHeld, unbondAt: 0n });
      return;
    }
    case 'ArbitratorUnbonding':
      arbitratorOf(event.args.arbitrator).unbondAt = event.args.freeAfter;
      return;
    case 'ArbitratorWithdrawn':
      arbitratorOf(event.args.arbitrator).bond = 0n;
      return;
    case 'ArbitratorSlashed': {
      const record = arbitratorOf(event.args.arbitrator);
      record.bond = event.args.bond;
      record.missed += 1;
      record.openCases -= 1;
      return;
    }
    case 'DisputeCreated': {
      const { taskId, phaseEnds } = event.args;
      const { poster, worker } = taskOf(model, taskId);
      const amount = amountInDispute(model, taskId);
      Object.assign(disputeOf(taskId), { poster, worker, amount, phase: phase('ANSWERING'), phaseEnds });
      return;
    }
    case 'DisputeBond': {
      const { taskId, payer, amount } = event.args;
      const dispute = disputeOf(taskId);
      const side = payer === dispute.poster ? 'posterPayer' : 'workerPayer';
      Object.assign(dispute, { [side]: payer, bond: amount });
      return;
    }
    case 'DisputeAnswered': {
      const { taskId, withBond, phaseEnds } = event.args;
      const dispute = disputeOf(taskId);
      Object.assign(dispute, { phase: phase(withBond ? 'PROPOSING' : 'ESCALATED'), phaseEnds });
      if (!withBond) dispute.judge = fallbackOf(model, taskId);
      return;
    }
    case 'FallbackAccepted':
      model.fallbacks.push({ arbitrator: event.args.arbitrator, since: event.args.inForceAt });
      return;
    case 'ArbitratorProposed': {
      const { taskId, by, arbitrator } = event.args;
      const dispute = disputeOf(taskId);
      dispute[by === dispute.poster ? 'posterPick' : 'workerPick'] = arbitrator;
      return;
    }
    case 'ArbitratorAssigned': {
      const { taskId, arbitrator, phaseEnds } = event.args;
      Object.assign(disputeOf(taskId), { judge: arbitrator, phase: phase('ASSIGNED'), phaseEnds });
      arbitratorOf(arbitrator).openCases += 1;
      return;
    }
    case 'DisputeEscalated':
      Object.assign(disputeOf(event.args.taskId), {
        phase: phase('ESCALATED'),
        phaseEnds: event.args.phaseEnds,
        judge: fallbackOf(model, event.args.taskId),
      });
      return;
    case 'DisputeResolved':
    case 'DisputeConceded':
    case 'MutuallySettled': {
      // A task can be settled by both without ever having been disputed.
      const dispute = model.disputes.get(event.args.taskId);
      if (dispute === undefined) return;
      if (dispute.phase === phase('ASSIGNED')) {
        const record = arbitratorOf(dispute.judge);
        record.openCases -= 1;
        if (event.eventName === 'DisputeResolved') record.resolved += 1;
      }
      close(dispute);
      return;
    }
    case 'DisputeTimedOut':
      close(disputeOf(event.args.taskId));
      return;
  }
}

function close(dispute: DisputeModel): void {
  dispute.phase = phase('CLOSED');
  dispute.judge = zeroAddress;
}

/** In force at the beginning of the day of the claim; nobody judges its own task. */
function fallbackOf(model: MarketModel, id: bigint): Address {
  const dayBegan = (model.claimedDays.get(id) ?? 0n) * 86_400n;
  const { poster, worker } = taskOf(model, id);
  const found = model.fallbacks.findLast(({ since }) => since <= dayBegan)?.arbitrator ?? zeroAddress;
  return found === poster || found === worker ? zeroAddress : found;
}

function amountInDispute(model: MarketModel, id: bigint): bigint {
  const { milestone, totalAmount } = taskOf(model, id);
  return model.milestones.get(id)?.[milestone] ?? totalAmount;
}
