// Deploys both markets with one key, checks every predicted address and verifies the contracts.

import type { Deployment } from '@svc/sdk/chain';
import { type ChainClients, createSender } from '@svc/sdk/chain';
import { isSameAddress, usdcDecimals, zeroAddress } from '@svc/sdk/domain';
import { readFees } from '@svc/sdk/internal/send/keySender';
import { erc20Abi, formatEther, type PublicClient, parseAbi } from 'viem';
import { OperatorError } from '../errors/operatorError.ts';
import { type DeploymentOptions, type DeploymentPlan, planDeployment } from './plan.ts';
import { describeMismatch, expectGetters, runChecks, verifySettings, verifyWiring } from './verify.ts';

type DeployOptions = DeploymentOptions & {
  readonly rpc: ChainClients;
  /** Called before the first transaction, to save the plan. */
  readonly onPlan?: (plan: DeploymentPlan) => Promise<void> | void;
  readonly onMined?: (done: number, total: number, name: string) => void;
};

/** Throws when anything on the chain is not as planned; transactions mined until then stay there. */
export async function deployMarkets({
  rpc,
  onPlan,
  onMined,
  ...options
}: DeployOptions): Promise<Deployment> {
  const { publicClient, walletClient } = rpc;
  const deployer = walletClient.account.address;
  const [chainId, genesis, head, nonce, usdcDomain] = await Promise.all([
    publicClient.getChainId(),
    publicClient.getBlock({ blockNumber: 0n }),
    publicClient.getBlockNumber({ cacheTime: 0 }),
    publicClient.getTransactionCount({ address: deployer, blockTag: 'pending' }),
    readUsdcDomain(publicClient, options.usdc),
  ]);
  const startBlock = Number(head) + 1;
  const at = { chainId, genesisHash: genesis.hash, startBlock, deployer, nonce, usdcDomain };
  const plan = planDeployment(options, at);
  await checkBefore(rpc, plan);
  await onPlan?.(plan);
  const receipts = await createSender(rpc).sendAll(plan.steps, {
    nonce,
    onMined: (_, index) => onMined?.(index + 1, plan.steps.length, plan.steps[index]?.name ?? ''),
  });
  for (const [index, { name, creates }] of plan.steps.entries()) {
    const address = receipts[index]?.contractAddress;
    if (creates !== undefined && (address == null || !isSameAddress(address, creates)))
      throw new OperatorError('DEPLOYMENT_MISPLACED', { name, expected: creates, found: String(address) });
  }
  await verifyDeployment(publicClient, plan.deployment, options);
  return plan.deployment;
}

/** Throws DEPLOYMENT_MISWIRED with every difference between a fresh deployment and what it should be. */
export async function verifyDeployment(
  publicClient: PublicClient,
  deployment: Deployment,
  options: DeploymentOptions,
): Promise<void> {
  const wiring = await verifyWiring(publicClient, deployment);
  const mismatches = wiring.length > 0 ? wiring : await verifySettings(publicClient, deployment, options);
  if (mismatches.length === 0) return;
  const list = mismatches.map((mismatch) => `  ${describeMismatch(mismatch)}`).join('\n');
  throw new OperatorError('DEPLOYMENT_MISWIRED', { list });
}

const domainAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
]);

/** A token without these getters cannot be paid by authorization; it gets the domain of the usual USDC. */
async function readUsdcDomain(
  publicClient: PublicClient,
  usdc: DeploymentOptions['usdc'],
): Promise<Deployment['usdcDomain']> {
  const usual = { name: 'USD Coin', version: '2' };
  if (usdc === 'test') return usual;
  const contract = { address: usdc, abi: domainAbi } as const;
  const [name, version] = await publicClient.multicall({
    contracts: [
      { ...contract, functionName: 'name' },
      { ...contract, functionName: 'version' },
    ],
    deployless: true,
  });
  return name.result === undefined || version.result === undefined
    ? usual
    : { name: name.result, version: version.result };
}

/** Finds what would fail later, before anything is paid for. */
async function checkBefore(
  { publicClient }: ChainClients,
  { steps, deployment }: DeploymentPlan,
): Promise<void> {
  const { usdc, sequencerFeed, deployer } = deployment;
  const isNew = steps.some(({ creates }) => creates === usdc);
  const tokenChecks = isNew ? [] : expectGetters('decimals', usdc, erc20Abi, { decimals: usdcDecimals });
  const [[wrongToken], feedCode, fees, balance] = await Promise.all([
    runChecks(publicClient, tokenChecks),
    publicClient.getCode({ address: sequencerFeed }),
    readFees(publicClient),
    publicClient.getBalance({ address: deployer }),
  ]);
  if (wrongToken !== undefined)
    throw new OperatorError('USDC_MISSING', { address: usdc, found: wrongToken.found });
  if (feedCode === undefined && !isSameAddress(sequencerFeed, zeroAddress))
    throw new OperatorError('SEQUENCER_FEED_MISSING', { address: sequencerFeed });
  const need = steps.reduce((sum, { gas }) => sum + gas, 0n) * fees.maxFeePerGas;
  if (balance < need)
    throw new OperatorError('BALANCE_TOO_LOW', {
      address: deployer,
      have: formatEther(balance),
      need: formatEther(need),
    });
}
