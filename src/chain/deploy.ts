// Deploys both markets with one key, asserts every predicted address and verifies the whole wiring.
import { isSameAddress } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import { describeMismatch } from './checks.ts';
import { type DeploymentOptions, type DeploymentPlan, planDeployment } from './deploy/plan.ts';
import { verifySettings } from './deploy/settings.ts';
import type { Deployment } from './deployment.ts';
import { createSender, type Rpc } from './send.ts';
import { verifyWiring } from './wiring.ts';

export type DeployOptions = DeploymentOptions & {
  readonly rpc: Rpc;
  /** Called before the first transaction; the plan can be written down here. */
  readonly onPlan?: (plan: DeploymentPlan) => Promise<void> | void;
  readonly onMined?: (done: number, total: number, name: string) => void;
};

/** Throws when anything on the chain is not as planned; what was mined until then stays there. */
export async function deployMarkets({
  rpc,
  onPlan,
  onMined,
  ...options
}: DeployOptions): Promise<Deployment> {
  const { publicClient, walletClient } = rpc;
  const deployer = walletClient.account.address;
  const [chainId, genesis, head, nonce] = await Promise.all([
    publicClient.getChainId(),
    publicClient.getBlock({ blockNumber: 0n }),
    publicClient.getBlockNumber({ cacheTime: 0 }),
    publicClient.getTransactionCount({ address: deployer, blockTag: 'pending' }),
  ]);
  const at = { chainId, genesisHash: genesis.hash, startBlock: Number(head) + 1, deployer, nonce };
  const plan = planDeployment(options, at);
  await onPlan?.(plan);
  const receipts = await createSender(rpc).sendAll(plan.steps, {
    nonce,
    onMined: (_, index) => onMined?.(index + 1, plan.steps.length, plan.steps[index]?.name ?? ''),
  });
  for (const [index, { name, creates }] of plan.steps.entries()) {
    const address = receipts[index]?.contractAddress;
    if (creates !== undefined && (address == null || !isSameAddress(address, creates)))
      throw new SvcError('DEPLOYMENT_MISPLACED', { name, expected: creates, found: String(address) });
  }
  const mismatches = [
    ...(await verifyWiring(publicClient, plan.deployment)),
    ...(await verifySettings(publicClient, plan.deployment, options)),
  ];
  if (mismatches.length > 0) {
    const list = mismatches.map((mismatch) => `  ${describeMismatch(mismatch)}`).join('\n');
    throw new SvcError('DEPLOYMENT_MISWIRED', { list });
  }
  return plan.deployment;
}
