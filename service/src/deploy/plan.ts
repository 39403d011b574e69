// Plans a deployment: predicts every address and builds every transaction before the first one is sent.

import type { Deployment } from '@svc/sdk/chain';
import {
  type Address,
  isSameAddress,
  type Market,
  marketParameters,
  markets,
  oracleParameters,
  parseAddress,
  plans,
  zeroAddress,
} from '@svc/sdk/domain';
import type { MarketAddresses, Roles } from '@svc/sdk/internal/chain/deployment';
import { mapMarkets } from '@svc/sdk/internal/domain/market';
import type { BoundCall } from '@svc/sdk/internal/send/keySender';
import {
  type Abi,
  type ContractConstructorArgs,
  type ContractFunctionName,
  type EncodeDeployDataParameters,
  type EncodeFunctionDataParameters,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  size,
  stringToHex,
} from 'viem';
import { OperatorError } from '../errors/operatorError.ts';
import { type AbiOf, type ContractName, contracts, ownedContracts } from './contracts.ts';
import { ownEdition } from './edition.ts';

export type DeploymentOptions = {
  /** `test` deploys a token that anyone may mint, for private chains. */
  readonly usdc: Address | 'test';
  readonly roles: Roles;
  readonly tokHolder: Address;
  readonly tokSupply: bigint;
  /** USD per TOK with 8 decimals; without it no plan can be paid in TOK until the publisher publishes a price. */
  readonly priceE8?: bigint | undefined;
  /** Opens staking on both markets; the owner can do so later, and nobody can undo it. */
  readonly activateStaking: boolean;
  /** A Chainlink sequencer uptime feed, where the chain has one. */
  readonly sequencerFeed?: Address | undefined;
};

export type ChainPoint = {
  readonly chainId: number;
  readonly genesisHash: Hex;
  readonly startBlock: number;
  readonly deployer: Address;
  /** The EIP-712 domain of USDC. */
  readonly usdcDomain: Deployment['usdcDomain'];
  /** Of the first transaction. */
  readonly nonce: number;
};

/** One transaction. `creates` is the predicted address of the contract that it deploys. */
export type Step = BoundCall & {
  readonly name: string;
  readonly data: Hex;
  readonly creates?: Address;
  readonly contract?: ContractName;
};

export type DeploymentPlan = {
  readonly options: DeploymentOptions;
  readonly nonce: number;
  readonly steps: readonly Step[];
  /** What is on the chain once every step is mined. */
  readonly deployment: Deployment;
};

export function planDeployment(given: DeploymentOptions, at: ChainPoint): DeploymentPlan {
  const steps = createSteps(at.deployer, at.nonce);
  const options = { ...parseOptions(given), usdc: planUsdc(given, steps) };
  const shared = planShared(options, at.deployer, steps);
  const plan = (market: Market) => planMarket(market, options, at.deployer, shared, steps);
  const deployment: Deployment = {
    chainId: at.chainId,
    genesisHash: at.genesisHash,
    startBlock: at.startBlock,
    deployer: at.deployer,
    roles: options.roles,
    usdc: options.usdc,
    usdcDomain: at.usdcDomain,
    tokSupplyWei: options.tokSupply,
    ...shared,
    oracle: oracleParameters,
    markets: mapMarkets(plan),
    edition: ownEdition,
  };
  planSettings(deployment, options, steps);
  planHandover(deployment, steps);
  return { options, nonce: at.nonce, steps: steps.list, deployment };
}

/** Callers may write addresses in any case; a deployment holds the checksummed form. */
function parseOptions(options: DeploymentOptions): DeploymentOptions {
  const { owner, treasury, fallbackArbitrator, publisher } = options.roles;
  return {
    ...options,
    roles: {
      owner: parseRole('owner', owner),
      treasury: parseRole('treasury', treasury),
      fallbackArbitrator: parseRole('fallback arbitrator', fallbackArbitrator),
      publisher: parseRole('publisher', publisher),
    },
    tokHolder: parseRole('holder of all TOK', options.tokHolder),
  };
}

/** The zero address has no key; a zero treasury would also make every split of fees revert. */
function parseRole(role: string, address: Address): Address {
  if (isSameAddress(address, zeroAddress)) throw new OperatorError('ROLE_EMPTY', { role });
  return parseAddress(address);
}

type Steps = ReturnType<typeof createSteps>;

/** An ordered list of transactions of one account. Its nonces, and hence the contract addresses, are known in advance. */
function createSteps(deployer: Address, firstNonce: number) {
  const list: Step[] = [];
  /** The address of the contract that the step `ahead` steps from now would deploy. */
  const predict = (ahead: number) =>
    getContractAddress({ from: deployer, nonce: BigInt(firstNonce + list.length + ahead) });
  return {
    list,
    predict,
    /** Appends the deployment of a contract and returns its address. */
    create: <Name extends ContractName>(
      name: string,
      contract: Name,
      args: ContractConstructorArgs<AbiOf<Name>>,
    ): Address => {
      const creates = predict(0);
      const data = encodeDeployData({ ...contracts[contract], args } as EncodeDeployDataParameters);
      list.push({ name, data, gas: boundCreationGas(size(data)), creates, contract });
      return creates;
    },
    call: <const Contract extends Abi, Name extends ContractFunctionName<Contract>>(
      name: string,
      to: Address,
      call: EncodeFunctionDataParameters<Contract, Name>,
    ): void => {
      list.push({ name, to, data: encodeFunctionData(call as EncodeFunctionDataParameters), gas: 200_000n });
    },
  };
}

/**
 * Gas is bounded, not estimated: a step cannot be estimated before the steps it depends on are mined. Intrinsic cost, 16
 * per byte of data, 2 per word and 200 per byte of stored code, plus what a constructor may spend.
 */
function boundCreationGas(bytes: number): bigint {
  return BigInt(53_000 + 16 * bytes + 2 * Math.ceil(bytes / 32) + 200 * bytes + 300_000);
}

function planUsdc({ usdc }: DeploymentOptions, steps: Steps): Address {
  return usdc === 'test' ? steps.create('testUsdc', 'testUsdc', []) : parseAddress(usdc);
}

function planShared(options: DeploymentOptions, owner: Address, steps: Steps) {
  const { maxStepBps, minIntervalSeconds, maxAgeSeconds, minPriceE8, maxPriceE8 } = oracleParameters;
  const sequencerFeed = options.sequencerFeed ?? zeroAddress;
  const tokToken = steps.create('tokToken', 'tokToken', [options.tokHolder, options.tokSupply]);
  const feed = [owner, maxStepBps, BigInt(minIntervalSeconds)] as const;
  const priceFeed = steps.create('priceFeed', 'postedPriceFeed', feed);
  const oracle = [priceFeed, sequencerFeed, BigInt(maxAgeSeconds), minPriceE8, maxPriceE8] as const;
  const usdOracle = steps.create('usdOracle', 'usdOracle', oracle);
  const marketLens = steps.create('marketLens', 'marketLens', []);
  return { tokToken, priceFeed, usdOracle, sequencerFeed, marketLens };
}

/**
 * The eight contracts of one market. The policy comes first, because gateway and deposit vault copy its figures; the
 * others need only addresses.
 */
function planMarket(
  market: Market,
  { usdc, roles }: Pick<Deployment, 'usdc' | 'roles'>,
  owner: Address,
  { tokToken, usdOracle }: ReturnType<typeof planShared>,
  steps: Steps,
) {
  const parameters = marketParameters[market];
  const { accessFeeTokWei, entryUsdc, recommendedUsdc, pauseUsdc, bondUsdc } = parameters;
  const create = <Name extends keyof MarketAddresses>(
    name: Name,
    args: ContractConstructorArgs<AbiOf<Name>>,
  ) => steps.create(`${market}.${name}`, name, args);
  const figures = { accessFee: accessFeeTokWei, entryUsdc, recommendedUsdc, pauseUsdc, bondUsdc };
  const pricingPolicy = create('pricingPolicy', [owner, usdOracle, figures]);
  const wiring = {
    tok: tokToken,
    usdc,
    treasury: roles.treasury,
    policy: pricingPolicy,
    gateway: steps.predict(0),
    deposits: steps.predict(1),
    escrow: steps.predict(2),
    registry: steps.predict(3),
    court: steps.predict(4),
    staking: steps.predict(5),
    reputation: steps.predict(6),
  };
  const { minTotalTokWei, launchCapTokWei, minReviewSeconds, maxReviewSeconds } = parameters;
  const { arbitratorMinBondTokWei, hearingSeconds } = parameters;
  const { creditCapWei, creditRateWei, creditPerTokRate } = parameters;
  // In the order of the predicted addresses.
  return {
    pricingPolicy,
    paymentGateway: create('paymentGateway', [wiring]),
    depositVault: create('depositVault', [wiring]),
    escrowVault: create('escrowVault', [wiring]),
    taskRegistry: create('taskRegistry', [
      wiring,
      owner,
      minTotalTokWei,
      launchCapTokWei,
      minReviewSeconds,
      maxReviewSeconds,
    ]),
    disputeCourt: create('disputeCourt', [
      wiring,
      owner,
      roles.fallbackArbitrator,
      arbitratorMinBondTokWei,
      hearingSeconds,
    ]),
    stakingVault: create('stakingVault', [wiring, owner, creditCapWei, creditRateWei, creditPerTokRate]),
    reputationRegistry: create('reputationRegistry', [wiring]),
    parameters,
  };
}

function planSettings(deployment: Deployment, options: DeploymentOptions, steps: Steps): void {
  const { priceFeed, deployer, roles } = deployment;
  const { priceE8, activateStaking } = options;
  const feed = contracts.postedPriceFeed.abi;
  const setPublisher = (publisher: Address, isAllowed: boolean) =>
    steps.call(`priceFeed.setPublisher(${publisher}, ${isAllowed})`, priceFeed, {
      abi: feed,
      functionName: 'setPublisher',
      args: [publisher, isAllowed],
    });
  if (priceE8 !== undefined) {
    setPublisher(deployer, true);
    const publish = { abi: feed, functionName: 'publish', args: [priceE8] } as const;
    steps.call(`priceFeed.publish(${priceE8})`, priceFeed, publish);
    if (!isSameAddress(deployer, roles.publisher)) setPublisher(deployer, false);
  }
  if (priceE8 === undefined || !isSameAddress(deployer, roles.publisher)) setPublisher(roles.publisher, true);
  for (const market of markets) {
    const { pricingPolicy, stakingVault } = deployment.markets[market];
    for (const { id, dailyLimit, priceUsdc, tokDiscountBps } of plans)
      steps.call(`${market}.pricingPolicy.setPlan(${id})`, pricingPolicy, {
        abi: contracts.pricingPolicy.abi,
        functionName: 'setPlan',
        args: [stringToHex(id, { size: 32 }), dailyLimit, priceUsdc, tokDiscountBps, true],
      });
    const activate = { abi: contracts.stakingVault.abi, functionName: 'activate' } as const;
    if (activateStaking) steps.call(`${market}.stakingVault.activate()`, stakingVault, activate);
  }
}

/** Offers ownership to the owner, who accepts it with `acceptOwnership`, so that a mistyped address loses nothing. */
function planHandover({ deployer, roles, priceFeed, markets: both }: Deployment, steps: Steps): void {
  if (isSameAddress(deployer, roles.owner)) return;
  const offer = (name: string, contract: Address) =>
    steps.call(`${name}.transferOwnership`, contract, {
      abi: contracts.pricingPolicy.abi,
      functionName: 'transferOwnership',
      args: [roles.owner],
    });
  offer('priceFeed', priceFeed);
  for (const market of markets)
    for (const name of ownedContracts) offer(`${market}.${name}`, both[market][name]);
}
