// Verifies a deployment: its wiring, which never changes, and the settings of a fresh one.
import type { Deployment } from '@svc/sdk/chain';
import {
  type Address,
  protocolConstants as constants,
  hashCriteria,
  isSameAddress,
  type Market,
  marketParameters,
  markets,
  plans,
  tokDecimals,
  usdcDecimals,
  zeroAddress,
} from '@svc/sdk/domain';
import type { MarketAddresses } from '@svc/sdk/internal/chain/deployment';
import { planPeriodDays } from '@svc/sdk/internal/domain/parameters';
import { domainName, domainVersion, settlementTypeHash, termsTypeHash } from '@svc/sdk/internal/domain/terms';
import {
  type Abi,
  BaseError,
  CallExecutionError,
  type ContractFunctionName,
  erc20Abi,
  type PublicClient,
  stringToHex,
} from 'viem';
import { type AbiOf, type ContractName, contracts, type ownedContracts } from './contracts.ts';
import { findOtherCode, ownEdition } from './edition.ts';
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
  const [wiring, other] = await Promise.all([
    runChecks(publicClient, buildWiringChecks(deployment)),
    findOtherCode(publicClient, deployment),
  ]);
  const code = other.map((name) => ({
    subject: `${name} code`,
    expected: `that of edition ${ownEdition.name}`,
    found: 'other code',
  }));
  return [...wiring, ...code];
}

export function buildWiringChecks(deployment: Deployment): Check[] {
  return [
    ...buildSharedChecks(deployment),
    ...markets.flatMap((market) => buildMarketChecks(market, deployment)),
  ];
}

function buildSharedChecks(deployment: Deployment): Check[] {
  const { usdc, tokToken, priceFeed, usdOracle, marketLens, oracle, sequencerFeed, chainId } = deployment;
  return [
    ...expectGetters('usdc', usdc, erc20Abi, { decimals: usdcDecimals }),
    ...expectGetters('tokToken', tokToken, contracts.tokToken.abi, {
      name: 'Tok',
      symbol: 'TOK',
      decimals: tokDecimals,
      eip712Domain: describeDomain('Tok', '1', chainId, tokToken),
    }),
    ...expectGetters('priceFeed', priceFeed, contracts.postedPriceFeed.abi, {
      decimals: 8,
      maxStepBps: oracle.maxStepBps,
      minInterval: oracle.minIntervalSeconds,
    }),
    ...expectGetters('usdOracle', usdOracle, contracts.usdOracle.abi, {
      feed: priceFeed,
      sequencer: sequencerFeed,
      maxAge: oracle.maxAgeSeconds,
      minE8: oracle.minPriceE8,
      maxE8: oracle.maxPriceE8,
      GRACE: constants.sequencerGraceSeconds,
      LONGEST_OUTAGE: constants.longestOutageSeconds,
    }),
    // The lens has no getter; it is recognised by its hash.
    expectCall('marketLens.hashCriteria', marketLens, 'marketLens', ['wired'], hashCriteria('wired')),
  ];
}

type Getters<Contract extends Abi> = {
  readonly [Getter in ContractFunctionName<Contract, 'view' | 'pure'>]?: unknown;
};

type MarketContract = ContractName & keyof MarketAddresses;
type MarketGetters = { readonly [Name in MarketContract]?: Getters<AbiOf<Name>> };

/** Checks of the getters of contracts of one market. */
function expectMarket(market: Market, { markets: both }: Deployment, expected: MarketGetters): Check[] {
  return (Object.keys(expected) as MarketContract[]).flatMap((name) =>
    expectGetters<Abi>(`${market}.${name}`, both[market][name], contracts[name].abi, expected[name] ?? {}),
  );
}

function buildMarketChecks(market: Market, deployment: Deployment): Check[] {
  const { tokToken: tok, usdc, usdOracle, sequencerFeed, chainId, roles, markets: both } = deployment;
  const { treasury, fallbackArbitrator: fallback } = roles;
  const {
    parameters,
    pricingPolicy: policy,
    paymentGateway: gateway,
    taskRegistry: registry,
    depositVault: deposits,
    escrowVault: escrow,
    disputeCourt: court,
    stakingVault: staking,
    reputationRegistry: reputation,
  } = both[market];
  return [
    ...expectMarket(market, deployment, {
      pricingPolicy: {
        oracle: usdOracle,
        outageOracle: isSameAddress(sequencerFeed, zeroAddress) ? zeroAddress : usdOracle,
        accessFee: parameters.accessFeeTokWei,
        entryUsdc: parameters.entryUsdc,
        recommendedUsdc: parameters.recommendedUsdc,
        pauseUsdc: parameters.pauseUsdc,
        bondUsdc: parameters.bondUsdc,
        MAX_PLANS: constants.maxPlans,
        PERIOD_DAYS: planPeriodDays,
        MAX_DISCOUNT_BPS: constants.maxTokDiscountBps,
      },
      paymentGateway: {
        tok,
        usdc,
        policy,
        registry,
        staking,
        escrow,
        court,
        treasury,
        BURN_BPS: constants.burnBps,
        STAKE_BPS: constants.stakingBps,
        FLUSH_INTERVAL: constants.flushIntervalSeconds,
      },
      depositVault: { usdc, policy, registry },
      escrowVault: { tok, gateway, registry },
      taskRegistry: {
        gateway,
        deposits,
        escrow,
        court,
        reputation,
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
      },
      disputeCourt: {
        tok,
        gateway,
        registry,
        treasury,
        minBond: parameters.arbitratorMinBondTokWei,
        hearingTime: parameters.hearingSeconds,
        ANSWER_WINDOW: constants.answerWindowSeconds,
        PROPOSE_WINDOW: constants.proposeWindowSeconds,
        RESOLVE_WINDOW: constants.resolveWindowSeconds,
        FALLBACK_WINDOW: constants.fallbackWindowSeconds,
        UNBOND_DELAY: constants.unbondDelaySeconds,
        FALLBACK_DELAY: constants.fallbackDelaySeconds,
        MISS_SLASH_BPS: constants.missSlashBps,
      },
      stakingVault: {
        tok,
        gateway,
        creditCap: parameters.creditCapWei,
        creditRate: parameters.creditRateWei,
        perTokRate: parameters.creditPerTokRate,
        DRIP: constants.dripSeconds,
        MIN_STAKE: constants.minStakeTokWei,
        MIN_STAKE_TIME: constants.minStakeSeconds,
      },
      reputationRegistry: { registry },
    }),
    // A later fallback arbitrator does not change that of the first day.
    expectCall(`${market}.disputeCourt.fallbackOn(0)`, court, 'disputeCourt', [0], fallback),
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
  { tokHolder, tokSupply, priceE8 = 0n, activateStaking }: DeploymentOptions,
): Promise<Mismatch[]> {
  const { tokToken, priceFeed, deployer, roles } = deployment;
  const isOwn = isSameAddress(deployer, roles.owner);
  // The deployer stays owner until the new owner accepts.
  const owner = { owner: deployer, pendingOwner: isOwn ? zeroAddress : roles.owner };
  const expectPublisher = (who: string, address: Address, isAllowed: boolean): Check =>
    expectCall(`priceFeed.isPublisher(${who})`, priceFeed, 'postedPriceFeed', [address], isAllowed);
  const settings: Pick<Required<MarketGetters>, (typeof ownedContracts)[number]> = {
    pricingPolicy: { ...owner, getPlans: expectedPlans },
    taskRegistry: { ...owner, entriesPaused: false, maxTotal: marketParameters[markets[0]].launchCapTokWei },
    disputeCourt: { ...owner, scheduledFallback: zeroAddress },
    stakingVault: { ...owner, stakingActive: activateStaking },
  };
  return runChecks(publicClient, [
    ...expectGetters('tokToken', tokToken, contracts.tokToken.abi, { totalSupply: tokSupply }),
    expectCall('tokToken.balanceOf(holder)', tokToken, 'tokToken', [tokHolder], tokSupply),
    ...expectGetters('priceFeed', priceFeed, contracts.postedPriceFeed.abi, { ...owner, answer: priceE8 }),
    expectPublisher('publisher', roles.publisher, true),
    expectPublisher('deployer', deployer, isSameAddress(deployer, roles.publisher)),
    ...markets.flatMap((market) => expectMarket(market, deployment, settings)),
  ]);
}

const expectedPlans = [
  plans.map(({ id }) => stringToHex(id, { size: 32 })),
  plans.map(({ dailyLimit, priceUsdc, tokDiscountBps }) => [dailyLimit, priceUsdc, tokDiscountBps, true]),
];

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

/** The subject ends with the name of the function. */
function expectCall(
  subject: string,
  address: Address,
  contract: ContractName,
  args: readonly unknown[],
  expected: unknown,
): Check {
  const functionName = /(\w+)(\(.*\))?$/.exec(subject)?.[1] as string;
  return { subject, address, abi: contracts[contract].abi as Abi, functionName, args, expected };
}

/** One check for each getter and its expected value. */
export function expectGetters<const Contract extends Abi>(
  contract: string,
  address: Address,
  abi: Contract,
  expected: Getters<Contract>,
): Check[] {
  return Object.entries(expected).map(([functionName, value]) => ({
    subject: `${contract}.${functionName}`,
    address,
    abi,
    functionName,
    args: [],
    expected: value,
  }));
}

/** Throws where the chain cannot be reached; a contract that does not answer is a mismatch. */
export async function runChecks(publicClient: PublicClient, checks: readonly Check[]): Promise<Mismatch[]> {
  // Deployless, because the chain may have no multicall contract. A few requests answer all checks; the answer to one may not be
  // larger than the code of a contract.
  const answers = await publicClient.multicall({ contracts: checks, deployless: true, batchSize: 256 });
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
