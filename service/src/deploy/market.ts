// The eight contracts of one market, in the order in which they can be deployed.

import {
  depositVaultAbi,
  disputeCourtAbi,
  escrowVaultAbi,
  paymentGatewayAbi,
  pricingPolicyAbi,
  reputationRegistryAbi,
  stakingVaultAbi,
  taskRegistryAbi,
} from '@svc/contracts/abi';
import {
  depositVaultBytecode,
  disputeCourtBytecode,
  escrowVaultBytecode,
  paymentGatewayBytecode,
  pricingPolicyBytecode,
  reputationRegistryBytecode,
  stakingVaultBytecode,
  taskRegistryBytecode,
} from '@svc/contracts/bytecode';
import type { MarketAddresses } from '@svc/sdk/chain';
import type { Address, MarketParameters } from '@svc/sdk/domain';
import { encodeDeployData } from 'viem';
import type { Steps } from './steps.ts';

export type MarketPlan = {
  /** Prefix of the step names. */
  readonly label: string;
  readonly parameters: MarketParameters;
  readonly owner: Address;
  readonly tok: Address;
  readonly usdc: Address;
  readonly usdOracle: Address;
  readonly treasury: Address;
  readonly fallbackArbitrator: Address;
};

/** The policy comes first, because gateway and deposit vault copy its figures; all else needs only addresses. */
export function planMarket(plan: MarketPlan, steps: Steps): MarketAddresses {
  const { parameters, owner, tok, usdc, treasury } = plan;
  const label = (name: keyof MarketAddresses) => `${plan.label}.${name}`;
  const pricingPolicy = steps.create(
    label('pricingPolicy'),
    encodeDeployData({
      abi: pricingPolicyAbi,
      bytecode: pricingPolicyBytecode,
      args: [owner, plan.usdOracle, figuresOf(parameters)],
    }),
  );
  const wiring = {
    tok,
    usdc,
    treasury,
    policy: pricingPolicy,
    gateway: steps.predict(0),
    deposits: steps.predict(1),
    escrow: steps.predict(2),
    registry: steps.predict(3),
    court: steps.predict(4),
    staking: steps.predict(5),
    reputation: steps.predict(6),
  };
  return {
    pricingPolicy,
    paymentGateway: steps.create(
      label('paymentGateway'),
      encodeDeployData({ abi: paymentGatewayAbi, bytecode: paymentGatewayBytecode, args: [wiring] }),
    ),
    depositVault: steps.create(
      label('depositVault'),
      encodeDeployData({ abi: depositVaultAbi, bytecode: depositVaultBytecode, args: [wiring] }),
    ),
    escrowVault: steps.create(
      label('escrowVault'),
      encodeDeployData({ abi: escrowVaultAbi, bytecode: escrowVaultBytecode, args: [wiring] }),
    ),
    taskRegistry: steps.create(
      label('taskRegistry'),
      encodeDeployData({
        abi: taskRegistryAbi,
        bytecode: taskRegistryBytecode,
        args: [
          wiring,
          owner,
          parameters.minTotalTokWei,
          parameters.minReviewSeconds,
          parameters.maxReviewSeconds,
        ],
      }),
    ),
    disputeCourt: steps.create(
      label('disputeCourt'),
      encodeDeployData({
        abi: disputeCourtAbi,
        bytecode: disputeCourtBytecode,
        args: [wiring, plan.fallbackArbitrator, parameters.arbitratorMinBondTokWei],
      }),
    ),
    stakingVault: steps.create(
      label('stakingVault'),
      encodeDeployData({
        abi: stakingVaultAbi,
        bytecode: stakingVaultBytecode,
        args: [wiring, owner, parameters.creditCapWei, parameters.creditRateWei, parameters.creditPerTokRate],
      }),
    ),
    reputationRegistry: steps.create(
      label('reputationRegistry'),
      encodeDeployData({ abi: reputationRegistryAbi, bytecode: reputationRegistryBytecode, args: [wiring] }),
    ),
  };
}

function figuresOf(parameters: MarketParameters) {
  return {
    accessFee: parameters.accessFeeTokWei,
    entryUsdc: parameters.entryUsdc,
    recommendedUsdc: parameters.recommendedUsdc,
    pauseUsdc: parameters.pauseUsdc,
    bondUsdc: parameters.bondUsdc,
  };
}
