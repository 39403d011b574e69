// The interfaces of a market's contracts, by the names that site-config and deployments have for their addresses.
import {
  depositVaultAbi,
  disputeCourtAbi,
  escrowVaultAbi,
  marketLensAbi,
  paymentGatewayAbi,
  postedPriceFeedAbi,
  pricingPolicyAbi,
  reputationRegistryAbi,
  stakingVaultAbi,
  taskRegistryAbi,
  tokTokenAbi,
  usdOracleAbi,
} from '@svc/contracts/abi';

export const contractAbis = {
  tokToken: tokTokenAbi,
  // The part of ERC-20 that is called here is the same in USDC.
  usdc: tokTokenAbi,
  taskRegistry: taskRegistryAbi,
  escrowVault: escrowVaultAbi,
  depositVault: depositVaultAbi,
  paymentGateway: paymentGatewayAbi,
  disputeCourt: disputeCourtAbi,
  stakingVault: stakingVaultAbi,
  reputationRegistry: reputationRegistryAbi,
  pricingPolicy: pricingPolicyAbi,
  usdOracle: usdOracleAbi,
  priceFeed: postedPriceFeedAbi,
  marketLens: marketLensAbi,
} as const;
