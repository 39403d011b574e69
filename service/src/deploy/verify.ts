// Verifies a deployment: its wiring, which never changes, and the settings of a fresh one.
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
import {
  type Address,
  protocolConstants as constants,
  domainName,
  domainVersion,
  hashCriteria,
  isSameAddress,
  markets,
  planPeriodDays,
  plans,
  settlementTypeHash,
  termsTypeHash,
  tokDecimals,
  usdcDecimals,
  zeroAddress,
} from '@svc/sdk/domain';
import {
  type Abi,
  BaseError,
  CallExecutionError,
  type ContractFunctionName,
  erc20Abi,
  type PublicClient,
  stringToHex,
} from 'viem';
import type { DeploymentOptions } from './plan.ts';

/** Compares everything that can never change with the deployment file. A wrong chain is one mismatch, not hundreds. */
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
    // The lens has no getter; it is recognised by its hash.
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
      PERIOD_DAYS: planPeriodDays,
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
      DISMISS_WINDOW: constants.dismissWindowSeconds,
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
      minBond: parameters.arbitratorMinBondTokWei,
      ANSWER_WINDOW: constants.answerWindowSeconds,
      PROPOSE_WINDOW: constants.proposeWindowSeconds,
      RESOLVE_WINDOW: constants.resolveWindowSeconds,
      FALLBACK_WINDOW: constants.fallbackWindowSeconds,
      UNBOND_DELAY: constants.unbondDelaySeconds,
      FALLBACK_DELAY: constants.fallbackDelaySeconds,
      MISS_SLASH_BPS: constants.missSlashBps,
    }),
    // Later fallback arbitrators leave the first day's alone.
    expectCall(
      `${label}.disputeCourt.fallbackOn(0)`,
      market.disputeCourt,
      disputeCourtAbi,
      'fallbackOn',
      [0],
      roles.fallbackArbitrator,
    ),
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

/** The ERC-5267 reply: which fields are used, the fields, no salt, no extensions. */
function describeDomain(name: string, version: string, chainId: number, contract: Address) {
  return ['0x0f', name, version, chainId, contract, `0x${'0'.repeat(64)}`, []];
}

/** Compares owners, publisher, price, plans, staking and supply, which hold right after deploying and may change later. */
export function verifySettings(
  publicClient: PublicClient,
  deployment: Deployment,
  options: DeploymentOptions,
): Promise<Mismatch[]> {
  return runChecks(publicClient, [
    ...buildTokenChecks(deployment, options),
    ...buildFeedChecks(deployment, options),
    ...markets.flatMap((market) => {
      const { pricingPolicy, taskRegistry, disputeCourt, stakingVault } = deployment.markets[market];
      const owner = ownerOf(deployment);
      return [
        ...expectGetters(`${market}.pricingPolicy`, pricingPolicy, pricingPolicyAbi, {
          ...owner,
          getPlans: expectedPlans,
        }),
        ...expectGetters(`${market}.taskRegistry`, taskRegistry, taskRegistryAbi, {
          ...owner,
          entriesPaused: false,
        }),
        ...expectGetters(`${market}.disputeCourt`, disputeCourt, disputeCourtAbi, {
          ...owner,
          scheduledFallback: zeroAddress,
        }),
        ...expectGetters(`${market}.stakingVault`, stakingVault, stakingVaultAbi, {
          ...owner,
          stakingActive: options.activateStaking,
        }),
      ];
    }),
  ]);
}

const expectedPlans = [
  plans.map(({ id }) => stringToHex(id, { size: 32 })),
  plans.map(({ dailyLimit, priceUsdc, tokDiscountBps }) => [dailyLimit, priceUsdc, tokDiscountBps, true]),
];

function buildTokenChecks({ tokToken }: Deployment, { tokHolder, tokSupply }: DeploymentOptions): Check[] {
  return [
    ...expectGetters('tokToken', tokToken, tokTokenAbi, { totalSupply: tokSupply }),
    expectCall('tokToken.balanceOf(holder)', tokToken, tokTokenAbi, 'balanceOf', [tokHolder], tokSupply),
  ];
}

function buildFeedChecks(deployment: Deployment, { priceE8 = 0n }: DeploymentOptions): Check[] {
  const { priceFeed, deployer, roles } = deployment;
  const expectPublisher = (who: string, address: string, isAllowed: boolean) =>
    expectCall(
      `priceFeed.isPublisher(${who})`,
      priceFeed,
      postedPriceFeedAbi,
      'isPublisher',
      [address],
      isAllowed,
    );
  return [
    ...expectGetters('priceFeed', priceFeed, postedPriceFeedAbi, { ...ownerOf(deployment), answer: priceE8 }),
    expectPublisher('publisher', roles.publisher, true),
    expectPublisher('deployer', deployer, isSameAddress(deployer, roles.publisher)),
  ];
}

/** The deployer stays owner until the new owner accepts. */
function ownerOf({ deployer, roles }: Deployment) {
  const isOwn = isSameAddress(deployer, roles.owner);
  return { owner: deployer, pendingOwner: isOwn ? zeroAddress : roles.owner };
}

export type Check = {
  /** Such as `standard.escrowVault.registry`. */
  readonly subject: string;
  readonly address: Address;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
  readonly expected: unknown;
};

export type Mismatch = { readonly subject: string; readonly expected: string; readonly found: string };

/** One check for each getter and its expected value. */
export function expectGetters<const Contract extends Abi>(
  contract: string,
  address: Address,
  abi: Contract,
  expected: { readonly [Getter in ContractFunctionName<Contract, 'view' | 'pure'>]?: unknown },
): Check[] {
  return Object.entries(expected).map(([functionName, value]) =>
    expectCall(`${contract}.${functionName}`, address, abi, functionName, [], value),
  );
}

export function expectCall(
  subject: string,
  address: Address,
  abi: Abi,
  functionName: string,
  args: readonly unknown[],
  expected: unknown,
): Check {
  return { subject, address, abi, functionName, args, expected };
}

/** Throws where the chain cannot be reached; a contract that does not answer is a mismatch. */
export async function runChecks(publicClient: PublicClient, checks: readonly Check[]): Promise<Mismatch[]> {
  // Deployless, because the chain may have no multicall contract. A few requests answer all checks.
  const answers = await publicClient.multicall({ contracts: checks, deployless: true, batchSize: 2_048 });
  return checks.flatMap(({ subject, expected }, index) => {
    const answer = answers[index];
    const found = answer?.status === 'success' ? print(answer.result) : explain(answer?.error);
    return found === print(expected) ? [] : [{ subject, expected: print(expected), found }];
  });
}

export function describeMismatch({ subject, expected, found }: Mismatch): string {
  return `${subject}: expected ${expected}, found ${found}`;
}

/** A failure of the request itself says nothing about the contracts. */
function explain(error: unknown): string {
  if (!(error instanceof BaseError) || error.walk((cause) => cause instanceof CallExecutionError))
    throw error;
  return 'no answer';
}

/** One spelling for each value, so that equal values compare equal: addresses and hashes in lower case. */
function print(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return print(Object.values(value));
  return typeof value === 'string' && value.startsWith('0x') ? value.toLowerCase() : String(value);
}
