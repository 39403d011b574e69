// Verifies what a fresh deployment was set to: owners, publisher, price, plans, staking, supply.

import {
  postedPriceFeedAbi,
  pricingPolicyAbi,
  stakingVaultAbi,
  taskRegistryAbi,
  tokTokenAbi,
} from '@svc/contracts/abi';
import type { Deployment } from '@svc/sdk/chain';
import { isSameAddress, markets, plans, zeroAddress } from '@svc/sdk/domain';
import { type PublicClient, stringToHex } from 'viem';
import { type Check, expectCall, expectGetters, type Mismatch, runChecks } from './checks.ts';
import type { DeploymentOptions } from './plan.ts';

/** These are true right after deploying; the owner, publishers and users change them later. */
export function verifySettings(
  publicClient: PublicClient,
  deployment: Deployment,
  options: DeploymentOptions,
): Promise<Mismatch[]> {
  return runChecks(publicClient, [
    ...buildTokenChecks(deployment, options),
    ...buildFeedChecks(deployment, options),
    ...markets.flatMap((market) => {
      const { pricingPolicy, taskRegistry, stakingVault } = deployment.markets[market];
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

/** Ownership is offered, not given: until the owner accepts, the deployer keeps it. */
function ownerOf({ deployer, roles }: Deployment) {
  const isOwn = isSameAddress(deployer, roles.owner);
  return { owner: deployer, pendingOwner: isOwn ? zeroAddress : roles.owner };
}
