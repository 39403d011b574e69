// `svc deploy`: deploys both markets to any chain and writes deployments/<chainId>.json.

import type { ChainClients } from '@svc/sdk/chain';
import {
  createChainClient,
  type Deployment,
  explainChainError,
  formatDeployment,
  parseDeployment,
  readChainId,
} from '@svc/sdk/chain';
import type { Address } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import { createWalletClient, type Hex, http, type PublicClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createFile, readFile, removeFile, replaceFile } from '#app/durableFile.ts';
import { createProgress } from '#app/progress.ts';
import { readConfig } from '#config.ts';
import { deployMarkets, verifyDeployment } from '#deploy/deploy.ts';
import {
  buildJournal,
  formatJournal,
  type Journal,
  parseJournal,
  readOptions,
  readProgress,
} from '#deploy/journal.ts';
import type { DeploymentOptions } from '#deploy/plan.ts';
import { verifyWiring } from '#deploy/wiring.ts';
import { type DeployArguments, deployUsage, parseDeployArguments } from './deployOptions.ts';
import { describeDeployment, describeProgress, describeWiring } from './deployReport.ts';

export const usage = deployUsage;

/** Circle's own, by chain id: Base and Base Sepolia. */
const knownUsdc: Readonly<Record<number, Address>> = {
  8453: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  84532: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
};

export async function run(args: readonly string[]): Promise<number> {
  const given = parseDeployArguments(args);
  const rpc = connect(given);
  try {
    const { file, deployment } = await deploy(given, rpc);
    console.log(given.asJson ? formatDeployment(deployment).trimEnd() : describeDeployment(file, deployment));
    return 0;
  } catch (error) {
    throw explainChainError(error);
  }
}

function connect({ rpcUrl }: DeployArguments): ChainClients {
  const { privateKey, rpcUrls } = readConfig();
  const url = rpcUrl ?? rpcUrls[0]?.reveal();
  if (url === undefined) throw new SvcError('USAGE', { reason: 'svc deploy needs --rpc <url>.' });
  if (privateKey === undefined) throw new SvcError('KEY_MISSING', {});
  const transport = http(url);
  return {
    publicClient: createChainClient({ transport }),
    walletClient: createWalletClient({ transport, account: privateKeyToAccount(privateKey.reveal() as Hex) }),
  };
}

async function deploy(
  given: DeployArguments,
  rpc: ChainClients,
): Promise<{ file: string; deployment: Deployment }> {
  const { publicClient } = rpc;
  const chainId = await readChainId(publicClient);
  if (given.chainId !== undefined && given.chainId !== chainId)
    throw new SvcError('CHAIN_WRONG', { found: String(chainId), expected: String(given.chainId) });
  const file = given.file ?? `deployments/${chainId}.json`;
  const journalFile = `${file.replace(/\.json$/, '')}.journal.json`;

  if (given.finish) return { file, deployment: await finish(publicClient, file, journalFile) };
  if (given.abandon) requireJournal(journalFile);
  else await refuseUnfinished(publicClient, journalFile);
  const existing = readFile(file);
  if (existing !== undefined && !given.again) {
    if (given.abandon) removeFile(journalFile);
    const verdict = describeWiring(await verifyWiring(publicClient, parseDeployment(existing)));
    throw new SvcError('DEPLOYMENT_EXISTS', { file, verdict });
  }

  const progress = createProgress(process.stderr);
  const deployment = await deployMarkets({
    rpc,
    ...chooseOptions(given, rpc.walletClient.account.address, chainId),
    onPlan: async (plan) => {
      const text = formatJournal(buildJournal(plan));
      // The old journal goes only now, when nothing speaks against the new deployment any more.
      if (given.abandon) replaceFile(journalFile, text);
      else if (!createFile(journalFile, text)) {
        await refuseUnfinished(publicClient, journalFile);
        throw new SvcError('FILE_UNUSABLE', { file: journalFile, reason: 'another svc deploy was faster' });
      }
    },
    onMined: (done, total, name) => progress.show(`${done}/${total} ${name}`, done, total),
  }).finally(progress.end);
  keep(deployment, file, journalFile);
  return { file, deployment };
}

function chooseOptions(given: DeployArguments, deployer: Address, chainId: number): DeploymentOptions {
  const usdc = given.usdc ?? knownUsdc[chainId];
  if (usdc === undefined)
    throw new SvcError('USAGE', { reason: `svc deploy needs --usdc <address> on chain ${chainId}.` });
  const owner = given.owner ?? deployer;
  const treasury = given.treasury ?? owner;
  return {
    usdc,
    roles: {
      owner,
      treasury,
      fallbackArbitrator: given.fallbackArbitrator ?? owner,
      publisher: given.publisher ?? deployer,
    },
    tokHolder: given.tokHolder ?? treasury,
    tokSupply: given.tokSupply,
    activateStaking: given.activateStaking,
    priceE8: given.priceE8,
    sequencerFeed: given.sequencerFeed,
  };
}

/** A journal means that an earlier run broke off, or that another one is under way right now. */
async function refuseUnfinished(publicClient: PublicClient, journalFile: string): Promise<void> {
  const journal = readJournal(journalFile);
  if (journal === undefined) return;
  const report = describeProgress(journalFile, journal, await readProgress(publicClient, journal));
  throw new SvcError('DEPLOYMENT_UNFINISHED', { report });
}

/** Not parsed: a damaged journal must not stand in the way for ever. */
function requireJournal(journalFile: string): void {
  if (readFile(journalFile) === undefined)
    throw new SvcError('DEPLOYMENT_NOT_STARTED', { file: journalFile });
}

/** For a run that broke off between its last transaction and its file. */
async function finish(publicClient: PublicClient, file: string, journalFile: string): Promise<Deployment> {
  const journal = readJournal(journalFile);
  if (journal === undefined) throw new SvcError('DEPLOYMENT_NOT_STARTED', { file: journalFile });
  const { missing } = await readProgress(publicClient, journal);
  if (missing.length > 0) await refuseUnfinished(publicClient, journalFile);
  await verifyDeployment(publicClient, journal.deployment, readOptions(journal));
  keep(journal.deployment, file, journalFile);
  return journal.deployment;
}

/** The file first: were the journal gone before, a crash in between would leave no trace of the contracts. */
function keep(deployment: Deployment, file: string, journalFile: string): void {
  replaceFile(file, formatDeployment(deployment));
  removeFile(journalFile);
}

function readJournal(journalFile: string): Journal | undefined {
  const text = readFile(journalFile);
  return text === undefined ? undefined : parseJournal(text);
}
