// What the events of staking and of the access fees mean for a staker and for the vault.
import type { paymentGatewayAbi } from '#contracts/generated/abi/paymentGateway.ts';
import type { stakingVaultAbi } from '#contracts/generated/abi/stakingVault.ts';
import type { Address } from '#sdk/domain/address.ts';
import type { EventOf } from './event.ts';
import { at, blankStaker, type MarketModel, type StakerModel, type VaultModel } from './model.ts';

const scale = 10n ** 18n;

export function applyStaking(model: MarketModel, event: EventOf<typeof stakingVaultAbi>, time: bigint): void {
  const { vault } = model;
  switch (event.eventName) {
    case 'Accrued': {
      const { rewardReleased, creditsIssued, accReward, accCredit } = event.args;
      vault.rewardReserve -= rewardReleased;
      vault.rewardsAllocated += rewardReleased;
      vault.totalCreditsIssued += creditsIssued;
      Object.assign(vault, { accReward, accCredit });
      return;
    }
    case 'RewardAdded':
      vault.rewardReserve += event.args.amount;
      return;
    case 'Staked': {
      const { account, amount, total } = event.args;
      Object.assign(settle(model, account), { staked: total, stakedAt: Number(time) });
      vault.totalStaked += amount;
      return;
    }
    case 'Unstaked': {
      const { account, amount, total } = event.args;
      settle(model, account).staked = total;
      vault.totalStaked -= amount;
      return;
    }
    case 'RewardClaimed': {
      const { account, amount } = event.args;
      settle(model, account).rewards -= amount;
      vault.rewardsAllocated -= amount;
      return;
    }
    case 'CreditsConsumed': {
      const { account, amount } = event.args;
      settleForFee(model, account, amount).credits -= amount;
      return;
    }
  }
}

/** A fee that credits could not pay has still brought the payer's account up to date. */
export function applyGateway(model: MarketModel, event: EventOf<typeof paymentGatewayAbi>): void {
  if (event.eventName !== 'AccessFeePaid' || event.args.withCredits) return;
  const { payer, amount } = event.args;
  const { staked, credits } = at(model.stakers, payer, blankStaker);
  if (staked !== 0n || credits !== 0n) settleForFee(model, payer, amount);
}

/** What a staker has once everything accrued so far is counted in. */
export function countIn(staker: StakerModel, vault: VaultModel): StakerModel {
  const { staked, rewardPaid, creditPaid } = staker;
  return {
    ...staker,
    rewards: staker.rewards + (staked * (vault.accReward - rewardPaid)) / scale,
    credits: staker.credits + (staked * (vault.accCredit - creditPaid)) / scale,
    rewardPaid: vault.accReward,
    creditPaid: vault.accCredit,
  };
}

function settle({ stakers, vault }: MarketModel, account: Address): StakerModel {
  const staker = at(stakers, account, blankStaker);
  return Object.assign(staker, countIn(staker, vault));
}

/** The vault counts in only when the credits at hand do not cover the fee. */
function settleForFee(model: MarketModel, account: Address, amount: bigint): StakerModel {
  const staker = at(model.stakers, account, blankStaker);
  return staker.credits < amount ? settle(model, account) : staker;
}
