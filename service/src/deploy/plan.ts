// Plans a deployment: predicts every address and builds every transaction before the first one is sent.

import {
  marketLensAbi,
  postedPriceFeedAbi,
  pricingPolicyAbi,
  stakingVaultAbi,
  tokTokenAbi,
  usdOracleAbi,
} from '@svc/contracts/abi';
import {
  marketLensBytecode,
  postedPriceFeedBytecode,
  tokTokenBytecode,
  usdOracleBytecode,
} from '@svc/contracts/bytecode';
import type { Deployment, Roles } from '@svc/sdk/chain';
import type { Hash } from '@svc/sdk/domain';
import {
  type Address,
  isSameAddress,
  type Market,
  marketParameters,
  markets,
  oracleParameters,
  parseAddress,
  plans,
  SvcError,
  zeroAddress,
} from '@svc/sdk/domain';
import { encodeDeployData, encodeFunctionData, stringToHex } from 'viem';
import { planMarket } from './market.ts';
import { createSteps, type Step, type Steps } from './steps.ts';

export type DeploymentOptions = {
  readonly usdc: Address;
  readonly roles: Roles;
  readonly tokHolder: Address;
  readonly tokSupply: bigint;
  /** USD per TOK with 8 decimals; without one no plan can be paid in TOK until the publisher publishes. */
  readonly priceE8?: bigint | undefined;
  /** Opens staking on both markets; the owner can do so later, and nobody can undo it. */
  readonly activateStaking: boolean;
  /** A Chainlink sequencer uptime feed, where the chain has one. */
  readonly sequencerFeed?: Address | undefined;
};

export type ChainPoint = {
  readonly chainId: number;
  readonly genesisHash: Hash;
  readonly startBlock: number;
  readonly deployer: Address;
  /** Of the first transaction. */
  readonly nonce: number;
};

export type DeploymentPlan = {
  readonly options: DeploymentOptions;
  readonly nonce: number;
  readonly steps: readonly Step[];
  /** What stands on the chain once every step is mined. */
  readonly deployment: Deployment;
};

export function planDeployment(given: DeploymentOptions, at: ChainPoint): DeploymentPlan {
  const options = parseOptions(given);
  const steps = createSteps(at.deployer, at.nonce);
  const shared = planShared(options, at.deployer, steps);
  const plan = (market: Market) => {
    const parameters = marketParameters[market];
    const addresses = planMarket(
      {
        label: market,
        parameters,
        owner: at.deployer,
        tok: shared.tokToken,
        usdc: options.usdc,
        usdOracle: shared.usdOracle,
        treasury: options.roles.treasury,
        fallbackArbitrator: options.roles.fallbackArbitrator,
      },
      steps,
    );
    return { ...addresses, parameters };
  };
  const deployment: Deployment = {
    chainId: at.chainId,
    genesisHash: at.genesisHash,
    startBlock: at.startBlock,
    deployer: at.deployer,
    roles: options.roles,
    usdc: options.usdc,
    tokSupplyWei: options.tokSupply,
    ...shared,
    oracle: oracleParameters,
    markets: { standard: plan('standard'), micro: plan('micro') },
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
    usdc: parseAddress(options.usdc),
    roles: {
      owner: parseRole('owner', owner),
      treasury: parseRole('treasury', treasury),
      fallbackArbitrator: parseRole('fallback arbitrator', fallbackArbitrator),
      publisher: parseRole('publisher', publisher),
    },
    tokHolder: parseRole('holder of all TOK', options.tokHolder),
  };
}

/** Nobody has the zero address: as treasury, for one, it would make every split of fees revert. */
function parseRole(role: string, address: Address): Address {
  if (isSameAddress(address, zeroAddress)) throw new SvcError('ROLE_EMPTY', { role });
  return parseAddress(address);
}

function planShared(options: DeploymentOptions, owner: Address, steps: Steps) {
  const { maxStepBps, minIntervalSeconds, maxAgeSeconds, minPriceE8, maxPriceE8 } = oracleParameters;
  const sequencerFeed = options.sequencerFeed ?? zeroAddress;
  const tokToken = steps.create(
    'tokToken',
    encodeDeployData({
      abi: tokTokenAbi,
      bytecode: tokTokenBytecode,
      args: [options.tokHolder, options.tokSupply],
    }),
  );
  const priceFeed = steps.create(
    'priceFeed',
    encodeDeployData({
      abi: postedPriceFeedAbi,
      bytecode: postedPriceFeedBytecode,
      args: [owner, maxStepBps, BigInt(minIntervalSeconds)],
    }),
  );
  const usdOracle = steps.create(
    'usdOracle',
    encodeDeployData({
      abi: usdOracleAbi,
      bytecode: usdOracleBytecode,
      args: [priceFeed, sequencerFeed, BigInt(maxAgeSeconds), minPriceE8, maxPriceE8],
    }),
  );
  const marketLens = steps.create(
    'marketLens',
    encodeDeployData({ abi: marketLensAbi, bytecode: marketLensBytecode }),
  );
  return { tokToken, priceFeed, usdOracle, sequencerFeed, marketLens };
}

function planSettings(deployment: Deployment, options: DeploymentOptions, steps: Steps) {
  const { priceFeed, deployer, roles } = deployment;
  const setPublisher = (publisher: Address, isAllowed: boolean) =>
    steps.call(
      `priceFeed.setPublisher(${publisher}, ${isAllowed})`,
      priceFeed,
      encodeFunctionData({
        abi: postedPriceFeedAbi,
        functionName: 'setPublisher',
        args: [publisher, isAllowed],
      }),
    );
  if (options.priceE8 !== undefined) {
    setPublisher(deployer, true);
    steps.call(
      `priceFeed.publish(${options.priceE8})`,
      priceFeed,
      encodeFunctionData({ abi: postedPriceFeedAbi, functionName: 'publish', args: [options.priceE8] }),
    );
    if (!isSameAddress(deployer, roles.publisher)) setPublisher(deployer, false);
  }
  if (options.priceE8 === undefined || !isSameAddress(deployer, roles.publisher))
    setPublisher(roles.publisher, true);
  for (const market of markets) {
    const { pricingPolicy, stakingVault } = deployment.markets[market];
    for (const plan of plans) {
      steps.call(
        `${market}.pricingPolicy.setPlan(${plan.id})`,
        pricingPolicy,
        encodeFunctionData({
          abi: pricingPolicyAbi,
          functionName: 'setPlan',
          args: [
            stringToHex(plan.id, { size: 32 }),
            plan.dailyLimit,
            plan.priceUsdc,
            plan.tokDiscountBps,
            true,
          ],
        }),
      );
    }
    if (options.activateStaking)
      steps.call(
        `${market}.stakingVault.activate()`,
        stakingVault,
        encodeFunctionData({ abi: stakingVaultAbi, functionName: 'activate' }),
      );
  }
}

/** Offers ownership to the owner, who takes it by `acceptOwnership`: a mistyped address then loses nothing. */
function planHandover({ deployer, roles, priceFeed, markets: both }: Deployment, steps: Steps) {
  if (isSameAddress(deployer, roles.owner)) return;
  const data = encodeFunctionData({
    abi: pricingPolicyAbi,
    functionName: 'transferOwnership',
    args: [roles.owner],
  });
  steps.call('priceFeed.transferOwnership', priceFeed, data);
  for (const market of markets) {
    for (const name of ['pricingPolicy', 'taskRegistry', 'stakingVault'] as const)
      steps.call(`${market}.${name}.transferOwnership`, both[market][name], data);
  }
}
