// What the events of deposits and reputation mean for an agent.
import type { depositVaultAbi } from '#contracts/generated/abi/depositVault.ts';
import type { reputationRegistryAbi } from '#contracts/generated/abi/reputationRegistry.ts';
import type { Address } from '#sdk/domain/address.ts';
import type { EventOf } from './event.ts';
import { at, blankAccount, blankReputation, type MarketModel, type ReputationModel } from './model.ts';

/** In the order of RepKind. */
const counters = [
  'posted',
  'claimed',
  'completed',
  'disputesWon',
  'disputesLost',
  'left',
  'dismissed',
] as const satisfies (keyof ReputationModel)[];

export function applyDeposits(model: MarketModel, event: EventOf<typeof depositVaultAbi>): void {
  const accountOf = (agent: Address) => at(model.accounts, agent, blankAccount);
  switch (event.eventName) {
    case 'Deposited':
      accountOf(event.args.agent).balance += event.args.amount;
      return;
    case 'Withdrawn':
      accountOf(event.args.agent).balance -= event.args.amount;
      return;
    case 'BondLocked': {
      const account = accountOf(event.args.agent);
      account.locked = event.args.locked;
      account.engagements += 1;
      return;
    }
    case 'BondUnlocked': {
      const account = accountOf(event.args.agent);
      account.locked = event.args.locked;
      account.engagements -= 1;
      return;
    }
    case 'BondSlashed': {
      const { from, to, amount } = event.args;
      const loser = accountOf(from);
      loser.balance -= amount;
      loser.locked -= amount;
      loser.engagements -= 1;
      accountOf(to).balance += amount;
      return;
    }
  }
}

export function applyReputation(
  model: MarketModel,
  { args }: EventOf<typeof reputationRegistryAbi>,
  time: bigint,
): void {
  const record = at(model.reputations, args.agent, blankReputation);
  record[counters[args.kind] as (typeof counters)[number]] = args.count;
  record.lastActive = Number(time);
}
