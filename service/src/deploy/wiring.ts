// Verifies that the contracts of a deployment point at each other and carry the figures that its file says.

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
import type { Deployment, MarketDeployment } from '@svc/sdk/chain';
import type { Address } from '@svc/sdk/domain';
import {
  protocolConstants as constants,
  domainName,
  domainVersion,
  hashCriteria,
  markets,
  settlementTypeHash,
  termsTypeHash,
  tokDecimals,
  usdcDecimals,
} from '@svc/sdk/domain';
import { erc20Abi, type PublicClient } from 'viem';
import { type Check, expectCall, expectGetters, type Mismatch, runChecks } from './checks.ts';

/** Everything that can never change; names each thing that is not so. Another chain is one mismatch, not hundreds. */
export async function verifyWiring(publicClient: PublicClient, deployment: Deployment): Promise<Mismatch[]> {
  const [chainId, genesis] = await Promise.all([
    publicClient.getChainId(),
    publicClient.getBlock({ blockNumber: 0n }),
  ]);
  if (chainId !== deployment.chainId)
    return [{ subject: 'chainId', expected: String(deployment.chainId), found: String(chainId) }];
  if (genesis.hash !== deployment.genesisHash.toLowerCase())
    return [{ subject: 'genesisHash', expected: deployment.genesisHash, found: genesis.hash }];
  return runChecks(publicClient, buildWiringChecks(deployment));
}

export function buildWiringChecks(deployment: Deployment): Check[] {
  return [
    ...buildSharedChecks(deployment),
    ...markets.flatMap((market) => buildMarketChecks(market, deployment.markets[market], deployment)),
  ];
}

function buildSharedChecks({
  usdc,
  tokToken,
  priceFeed,
  usdOracle,
  marketLens,
  ...rest
}: Deployment): Check[] {
  const { oracle, sequencerFeed, chainId } = rest;
  return [
    ...expectGetters('usdc', usdc, erc20Abi, { decimals: usdcDecimals }),
    ...expectGetters('tokToken', tokToken, tokTokenAbi, {
      name: 'Tok',
      symbol: 'TOK',
      decimals: tokDecimals,
      eip712Domain: describeDomain('Tok', '1', chainId, tokToken),
    }),
    ...expectGetters('priceFeed', priceFeed, postedPriceFeedAbi, {
      decimals: 8,
      maxStepBps: oracle.maxStepBps,
      minInterval: oracle.minIntervalSeconds,
    }),
    ...expectGetters('usdOracle', usdOracle, usdOracleAbi, {
      feed: priceFeed,
      sequencer: sequencerFeed,
      maxAge: oracle.maxAgeSeconds,
      minE8: oracle.minPriceE8,
      maxE8: oracle.maxPriceE8,
      GRACE: constants.sequencerGraceSeconds,
    }),
    // The lens has no getter; that it hashes as we do tells that it is one.
    expectCall(
      'marketLens.hashCriteria',
      marketLens,
      marketLensAbi,
      'hashCriteria',
      ['wired'],
      hashCriteria('wired'),
    ),
  ];
}

function buildMarketChecks(label: string, market: MarketDeployment, deployment: Deployment): Check[] {
  const { tokToken: tok, usdc, usdOracle, chainId, roles } = deployment;
  const { parameters } = market;
  const policy = market.pricingPolicy;
  const gateway = market.paymentGateway;
  const registry = market.taskRegistry;
  return [
    ...expectGetters(`${label}.pricingPolicy`, policy, pricingPolicyAbi, {
      oracle: usdOracle,
      accessFee: parameters.accessFeeTokWei,
      entryUsdc: parameters.entryUsdc,
      recommendedUsdc: parameters.recommendedUsdc,
      pauseUsdc: parameters.pauseUsdc,
      bondUsdc: parameters.bondUsdc,
      MAX_PLANS: constants.maxPlans,
      MAX_DISCOUNT_BPS: constants.maxTokDiscountBps,
    }),
    ...expectGetters(`${label}.paymentGateway`, gateway, paymentGatewayAbi, {
      tok,
      usdc,
      policy,
      registry,
      staking: market.stakingVault,
      escrow: market.escrowVault,
      court: market.disputeCourt,
      treasury: roles.treasury,
      BURN_BPS: constants.burnBps,
      STAKE_BPS: constants.stakingBps,
      FLUSH_INTERVAL: constants.flushIntervalSeconds,
    }),
    ...expectGetters(`${label}.depositVault`, market.depositVault, depositVaultAbi, {
      usdc,
      policy,
      registry,
    }),
    ...expectGetters(`${label}.escrowVault`, market.escrowVault, escrowVaultAbi, { tok, gateway, registry }),
    ...expectGetters(`${label}.taskRegistry`, registry, taskRegistryAbi, {
      gateway,
      deposits: market.depositVault,
      escrow: market.escrowVault,
      court: market.disputeCourt,
      reputation: market.reputationRegistry,
      minTotal: parameters.minTotalTokWei,
      MIN_REVIEW: parameters.minReviewSeconds,
      MAX_REVIEW: parameters.maxReviewSeconds,
      ACTIVATION_WINDOW: constants.activationWindowSeconds,
      DELIVERY_GRACE: constants.deliveryGraceSeconds,
      DISMISS_NOTICE: constants.dismissNoticeSeconds,
      MAX_DURATION: constants.maxDurationSeconds,
      MAX_MILESTONES: constants.maxMilestones,
      TERMS_TYPEHASH: termsTypeHash,
      SETTLE_TYPEHASH: settlementTypeHash,
      eip712Domain: describeDomain(domainName, domainVersion, chainId, registry),
    }),
    ...expectGetters(`${label}.disputeCourt`, market.disputeCourt, disputeCourtAbi, {
      tok,
      gateway,
      registry,
      treasury: roles.treasury,
      fallbackArbitrator: roles.fallbackArbitrator,
      minBond: parameters.arbitratorMinBondTokWei,
      PROPOSE_WINDOW: constants.proposeWindowSeconds,
      RESOLVE_WINDOW: constants.resolveWindowSeconds,
      FALLBACK_WINDOW: constants.fallbackWindowSeconds,
      UNBOND_DELAY: constants.unbondDelaySeconds,
      MISS_SLASH_BPS: constants.missSlashBps,
    }),
    ...expectGetters(`${label}.stakingVault`, market.stakingVault, stakingVaultAbi, {
      tok,
      gateway,
      creditCap: parameters.creditCapWei,
      creditRate: parameters.creditRateWei,
      perTokRate: parameters.creditPerTokRate,
      DRIP: constants.dripSeconds,
      MIN_STAKE: constants.minStakeTokWei,
      MIN_STAKE_TIME: constants.minStakeSeconds,
    }),
    ...expectGetters(`${label}.reputationRegistry`, market.reputationRegistry, reputationRegistryAbi, {
      registry,
    }),
  ];
}

/** As ERC-5267 answers it: which fields count, the fields, no salt, no extensions. */
function describeDomain(name: string, version: string, chainId: number, contract: Address) {
  return ['0x0f', name, version, chainId, contract, `0x${'0'.repeat(64)}`, []];
}
