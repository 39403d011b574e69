// The journal of a deployment: written before the first transaction, so that an interrupted deployment is found.

import { parseDeployment } from '@svc/sdk/chain';
import { type Address, isAddress, SvcError } from '@svc/sdk/domain';
import { formatDeployment } from '@svc/sdk/internal/chain/deployment';
import type { PublicClient } from 'viem';
import * as z from 'zod';
import { type DeploymentOptions, type DeploymentPlan, planDeployment } from './plan.ts';

const addressSchema = z.custom<Address>(isAddress);

const journalSchema = z.object({
  /** The deployer's nonce of the first step; each step uses one. */
  nonce: z.int(),
  steps: z.array(z.object({ name: z.string(), creates: addressSchema.optional() })),
  tokHolder: addressSchema,
  priceE8: z
    .string()
    .regex(/^[0-9]+$/)
    .nullable(),
  activateStaking: z.boolean(),
  /** As it is when all steps are done. */
  deployment: z.unknown().transform((found) => parseDeployment(JSON.stringify(found))),
});

export type Journal = z.output<typeof journalSchema>;
export type JournalStep = Journal['steps'][number];

export type Progress = {
  readonly isSameChain: boolean;
  readonly done: readonly JournalStep[];
  readonly missing: readonly JournalStep[];
  /** Sent, but in no block yet. */
  readonly waiting: number;
};

export function buildJournal({ nonce, steps, deployment, options }: DeploymentPlan): Journal {
  return {
    nonce,
    steps: steps.map(({ name, creates }) => ({ name, creates })),
    tokHolder: options.tokHolder,
    priceE8: options.priceE8?.toString() ?? null,
    activateStaking: options.activateStaking,
    deployment,
  };
}

export function formatJournal(journal: Journal): string {
  return `${JSON.stringify({ ...journal, deployment: JSON.parse(formatDeployment(journal.deployment)) }, null, 2)}\n`;
}

/** Throws DEPLOYMENT_MALFORMED. */
export function parseJournal(text: string): Journal {
  try {
    return journalSchema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throw new SvcError('DEPLOYMENT_MALFORMED', { reason: 'its journal is damaged' }, error);
  }
}

/** The plan that the journal was written for. */
export function planAgain({ nonce, steps, deployment, tokHolder, ...rest }: Journal): DeploymentPlan {
  const { roles, tokSupplyWei: tokSupply, sequencerFeed } = deployment;
  const hasTestUsdc = steps.some(({ creates }) => creates === deployment.usdc);
  const options: DeploymentOptions = {
    usdc: hasTestUsdc ? 'test' : deployment.usdc,
    roles,
    tokHolder,
    tokSupply,
    activateStaking: rest.activateStaking,
    sequencerFeed,
    priceE8: rest.priceE8 === null ? undefined : BigInt(rest.priceE8),
  };
  return planDeployment(options, { ...deployment, nonce });
}

/** Reads how far the deployment got: contracts by their code, other steps by the deployer's nonce. */
export async function readProgress(publicClient: PublicClient, journal: Journal): Promise<Progress> {
  const { deployer, chainId, genesisHash } = journal.deployment;
  const [foundChain, genesis, mined, sent] = await Promise.all([
    publicClient.getChainId(),
    publicClient.getBlock({ blockNumber: 0n }),
    publicClient.getTransactionCount({ address: deployer, blockTag: 'latest' }),
    publicClient.getTransactionCount({ address: deployer, blockTag: 'pending' }),
  ]);
  const isSameChain = foundChain === chainId && genesis.hash === genesisHash;
  const isDone = async ({ creates }: JournalStep, index: number) =>
    isSameChain &&
    (creates === undefined
      ? journal.nonce + index < mined
      : (await publicClient.getCode({ address: creates })) !== undefined);
  const verdicts = await Promise.all(journal.steps.map(isDone));
  return {
    isSameChain,
    done: journal.steps.filter((_, index) => verdicts[index]),
    missing: journal.steps.filter((_, index) => !verdicts[index]),
    waiting: isSameChain ? Math.max(0, sent - Math.max(mined, journal.nonce)) : 0,
  };
}
