// `svc deploy`: deploys both markets to a chain and writes deployments/<chainId>.json.

import { join } from 'node:path';
import { type ChainClients, createRpc, type Deployment, parseDeployment } from '@svc/sdk/chain';
import {
  type Address,
  isSameAddress,
  knownChains,
  markets,
  oracleParameters,
  parseAddress,
  parseTok,
  SvcError,
} from '@svc/sdk/domain';
import { createKeyClients, explainChainError, readChainId } from '@svc/sdk/internal/chain/chainClient';
import { formatDeployment } from '@svc/sdk/internal/chain/deployment';
import { formatPriceE8, parsePriceE8 } from '@svc/sdk/internal/domain/amount';
import { publicChainIds, sequencedChainIds } from '@svc/sdk/internal/domain/chains';
import { tokSupplyWei } from '@svc/sdk/internal/domain/parameters';
import type { PublicClient } from 'viem';
import { createFile, readFile, removeFile, replaceFile } from '../app/durableFile.ts';
import { createProgress } from '../app/progress.ts';
import { readConfig } from '../config.ts';
import { ownedContracts } from '../deploy/contracts.ts';
import { deployMarkets, verifyDeployment } from '../deploy/deployMarkets.ts';
import { buildVerification } from '../deploy/explorerFiles.ts';
import {
  buildJournal,
  formatJournal,
  type Journal,
  type JournalStep,
  type Progress,
  parseJournal,
  planAgain,
  readProgress,
} from '../deploy/journal.ts';
import type { DeploymentOptions, Step } from '../deploy/plan.ts';
import { describeMismatch, type Mismatch, verifyWiring } from '../deploy/verify.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { flag, parseHttpUrl, parseOptions, text, type Usage, usageError, type Values } from './options.ts';

export const usage = {
  command: 'deploy',
  synopsis: ['[options]'],
  about: 'Deploys both markets with the key in PRIVATE_KEY and writes their addresses to a file.',
  options: {
    rpc: text('<url>', "the chain's RPC; default SVC_RPC_URL or CHAIN_RPC_URL", parseHttpUrl),
    chain: text('<id>', 'refuse any other chain', parseChainId),
    usdc: text('<address>', "default: Circle's USDC, on Base and Base Sepolia", parseAddress),
    'test-usdc': flag('deploy a USDC that anyone may mint; for private chains and test networks'),
    owner: text(
      '<address>',
      'pauses entries, sets plans, opens staking, raises the cap, names the next fallback arbitrator; default the deployer',
      parseAddress,
    ),
    treasury: text('<address>', 'gets its share of fees and slashes; default the owner', parseAddress),
    'fallback-arbitrator': text('<address>', 'decides escalated disputes; default the owner', parseAddress),
    publisher: text('<address>', 'publishes the TOK price; default the deployer', parseAddress),
    'tok-holder': text('<address>', 'gets all TOK; default the treasury', parseAddress),
    'tok-supply': text('<TOK>', 'default 1000000000', parseTok, tokSupplyWei),
    price: text(
      '<USD>',
      'first price of one TOK; without it plans cost USDC until a price is published',
      parsePrice,
    ),
    'sequencer-feed': text('<address>', "Chainlink's uptime feed of the chain's sequencer", parseAddress),
    'unsafe-roles': flag('take any wallets for the roles on a public chain; for copies of one, to practise'),
    'activate-staking': flag('open staking at once'),
    out: text('<file>', 'default deployments/<chain id>.json'),
    again: flag('deploy although the file exists, and replace it'),
    abandon: flag(
      'discard an unfinished deployment and start again, with new addresses; after an unfinished --again it keeps the old file unless --again is given, too',
    ),
    finish: flag('write the file of a deployment of which only the file is missing'),
  },
  json: 'print the result as JSON',
  examples: ['PRIVATE_KEY=0x… svc deploy --rpc https://rpc.example --chain 84532 --price 0.005'],
} as const satisfies Usage;

type Given = Values<typeof usage.options>;

/** Throws USAGE that names the option that is unknown or has a wrong value. */
export function parseDeployArguments(args: readonly string[]): Given {
  const { values } = parseOptions(usage, args);
  if (values.finish && (values.abandon || values.again))
    throw usageError('--finish starts no deployment, so it goes without --abandon and --again.');
  if (values['test-usdc'] && values.usdc !== undefined)
    throw usageError('Give --usdc or --test-usdc, not both.');
  return values;
}

function parseChainId(value: string): number {
  if (!/^[1-9][0-9]{0,14}$/.test(value)) throw usageError('must be a whole number such as 8453');
  return Number(value);
}

function parsePrice(value: string): bigint {
  const priceE8 = parsePriceE8(value);
  const { minPriceE8, maxPriceE8 } = oracleParameters;
  if (priceE8 < minPriceE8 || priceE8 > maxPriceE8) {
    const bounds = `${formatPriceE8(minPriceE8)} to ${formatPriceE8(maxPriceE8)}`;
    throw usageError(`the oracle accepts prices from ${bounds} USD`);
  }
  return priceE8;
}

export async function run(args: readonly string[]): Promise<number> {
  const given = parseDeployArguments(args);
  const { file, deployment } = await deploy(given, connect(given)).catch((error: unknown) => {
    throw explainChainError(error);
  });
  console.log(given.json ? formatDeployment(deployment).trimEnd() : describeDeployment(file, deployment));
  return 0;
}

function connect({ rpc }: Given): ChainClients {
  const { privateKey, rpcUrls } = readConfig();
  const url = rpc ?? rpcUrls[0]?.reveal();
  if (url === undefined) throw usageError('svc deploy needs --rpc <url>.');
  if (privateKey === undefined) throw new OperatorError('KEY_MISSING', {});
  return createKeyClients(createRpc({ urls: [url] }), privateKey.reveal());
}

async function deploy(given: Given, rpc: ChainClients): Promise<{ file: string; deployment: Deployment }> {
  const { publicClient } = rpc;
  const chainId = await readChainId(publicClient);
  if (given.chain !== undefined && given.chain !== chainId)
    throw new SvcError('CHAIN_WRONG', { found: String(chainId), expected: String(given.chain) });
  const file = given.out ?? `deployments/${chainId}.json`;
  const journalFile = `${file.replace(/\.json$/, '')}.journal.json`;

  if (given.finish) return { file, deployment: await finish(publicClient, file, journalFile) };
  // Its journal is not parsed: a damaged one must not block new deployments for ever.
  if (!given.abandon) await refuseUnfinished(publicClient, journalFile);
  else if (readFile(journalFile) === undefined)
    throw new OperatorError('DEPLOYMENT_NOT_STARTED', { file: journalFile });
  const existing = readFile(file);
  if (existing !== undefined && !given.again) {
    if (given.abandon) removeFile(journalFile);
    const verdict = describeWiring(await verifyWiring(publicClient, parseDeployment(existing)));
    throw new OperatorError('DEPLOYMENT_EXISTS', { file, verdict });
  }

  const options = chooseOptions(given, rpc.walletClient.account.address, chainId);
  if (publicChainIds.has(chainId) && !given['unsafe-roles'])
    await refuseUnsafe(publicClient, options, chainId);
  const progress = createProgress(process.stderr);
  let steps: readonly Step[] = [];
  const deployment = await deployMarkets({
    rpc,
    ...options,
    onPlan: async (plan) => {
      steps = plan.steps;
      const text = formatJournal(buildJournal(plan));
      // The old journal is replaced only now, when all checks of the new deployment have passed.
      if (given.abandon) replaceFile(journalFile, text);
      else if (!createFile(journalFile, text)) {
        await refuseUnfinished(publicClient, journalFile);
        throw new OperatorError('FILE_UNUSABLE', {
          file: journalFile,
          reason: 'another svc deploy was faster',
        });
      }
    },
    onMined: (done, total, name) => progress.show(`${done}/${total} ${name}`, done, total),
  }).finally(progress.end);
  save(deployment, steps, file, journalFile);
  return { file, deployment };
}

function chooseOptions(given: Given, deployer: Address, chainId: number): DeploymentOptions {
  const usdc = chooseUsdc(given, chainId);
  const owner = given.owner ?? deployer;
  const treasury = given.treasury ?? owner;
  return {
    usdc,
    roles: {
      owner,
      treasury,
      fallbackArbitrator: given['fallback-arbitrator'] ?? owner,
      publisher: given.publisher ?? deployer,
    },
    tokHolder: given['tok-holder'] ?? treasury,
    tokSupply: given['tok-supply'],
    activateStaking: given['activate-staking'],
    priceE8: given.price,
    sequencerFeed: given['sequencer-feed'],
  };
}

/** The owner names the next fallback arbitrator, who can split what is disputed: two keys, none of them a single one. */
async function refuseUnsafe(
  publicClient: PublicClient,
  { roles, sequencerFeed }: DeploymentOptions,
  chainId: number,
): Promise<void> {
  const { owner, fallbackArbitrator } = roles;
  const isContract = async (address: Address) => (await publicClient.getCode({ address })) !== undefined;
  const [isOwnerSafe, isFallbackSafe] = await Promise.all([owner, fallbackArbitrator].map(isContract));
  const reasons = [
    isSameAddress(owner, fallbackArbitrator) && 'owner and fallback arbitrator are one wallet',
    !isOwnerSafe && 'the owner is a single key',
    !isFallbackSafe && 'the fallback arbitrator is a single key',
    sequencedChainIds.has(chainId) && sequencerFeed === undefined && '--sequencer-feed is missing',
  ].filter((reason) => reason !== false);
  if (reasons.length > 0) throw new OperatorError('ROLES_UNSAFE', { reasons: reasons.join(', ') });
}

function chooseUsdc(given: Given, chainId: number): DeploymentOptions['usdc'] {
  if (given['test-usdc']) {
    if (publicChainIds.has(chainId))
      throw new OperatorError('TEST_USDC_REFUSED', { chainId: String(chainId) });
    return 'test';
  }
  const usdc = given.usdc ?? knownChains[chainId]?.usdc;
  if (usdc !== undefined) return usdc;
  const reason = `svc deploy needs --usdc <address> on chain ${chainId}, or --test-usdc if the chain is private.`;
  throw usageError(reason);
}

/** A journal means that an earlier run was interrupted, or that another one is running. */
async function refuseUnfinished(publicClient: PublicClient, journalFile: string): Promise<void> {
  const journal = loadJournal(journalFile);
  if (journal === undefined) return;
  const report = describeProgress(journalFile, journal, await readProgress(publicClient, journal));
  throw new OperatorError('DEPLOYMENT_UNFINISHED', { report });
}

/** For a run that was interrupted between its last transaction and its file. */
async function finish(publicClient: PublicClient, file: string, journalFile: string): Promise<Deployment> {
  const journal = loadJournal(journalFile);
  if (journal === undefined) throw new OperatorError('DEPLOYMENT_NOT_STARTED', { file: journalFile });
  const { missing } = await readProgress(publicClient, journal);
  if (missing.length > 0) await refuseUnfinished(publicClient, journalFile);
  const { steps, options } = planAgain(journal);
  await verifyDeployment(publicClient, journal.deployment, options);
  save(journal.deployment, steps, file, journalFile);
  return journal.deployment;
}

/** The journal is removed last: after a crash before that, --finish writes everything again. */
function save(deployment: Deployment, steps: readonly Step[], file: string, journalFile: string): void {
  for (const [name, text] of buildVerification(steps))
    replaceFile(join(verificationFolder(file), name), text);
  replaceFile(file, formatDeployment(deployment));
  removeFile(journalFile);
}

function verificationFolder(file: string): string {
  return `${file.replace(/\.json$/, '')}.verification`;
}

function loadJournal(journalFile: string): Journal | undefined {
  const text = readFile(journalFile);
  return text === undefined ? undefined : parseJournal(text);
}

function describeDeployment(file: string, deployment: Deployment): string {
  const { chainId, startBlock, deployer, roles } = deployment;
  const shared = (['tokToken', 'usdc', 'usdOracle', 'priceFeed', 'marketLens'] as const).map((name) =>
    formatAddress(name, deployment[name]),
  );
  const own = markets.flatMap((market) => {
    const { parameters, ...addresses } = deployment.markets[market];
    return Object.entries(addresses).map(([name, address]) => formatAddress(`${market}.${name}`, address));
  });
  const owned = markets.flatMap((market) =>
    ownedContracts.map((name) => formatAddress(`${market}.${name}`, deployment.markets[market][name])),
  );
  const handover = isSameAddress(deployer, roles.owner)
    ? []
    : [
        `${deployer} owns these until ${roles.owner} calls acceptOwnership() on them:`,
        formatAddress('priceFeed', deployment.priceFeed),
        ...owned,
      ];
  return [
    `Both markets are deployed on chain ${chainId} from block ${startBlock} on, wiring verified: ${file}`,
    ...shared,
    ...own,
    ...handover,
    `To verify the sources in an explorer: ${join(verificationFolder(file), 'contracts.json')}`,
  ].join('\n');
}

function formatAddress(name: string, address: string): string {
  return `  ${name.padEnd(30)}${address}`;
}

function describeProgress(journalFile: string, journal: Journal, progress: Progress): string {
  const { deployer, chainId, genesisHash } = journal.deployment;
  const { done, missing, waiting, isSameChain } = progress;
  if (!isSameChain)
    return `${journalFile} belongs to a deployment on another chain (id ${chainId}, genesis ${genesisHash}); this chain has nothing of it. To discard it and deploy: --abandon.`;
  const pending = waiting > 0 ? `, ${waiting} more transactions are pending` : '';
  const list = (verdict: string, steps: readonly JournalStep[]) =>
    steps.map(({ name, creates = '' }) => `  ${verdict.padEnd(8)} ${name} ${creates}`.trimEnd());
  const advice =
    missing.length === 0
      ? 'Only the file is missing. To verify the contracts and write it: --finish.'
      : 'If no other svc deploy is running, nothing will complete it. To discard it and start again with new addresses: --abandon.';
  return [
    `A deployment by ${deployer} is not finished: ${done.length} of ${journal.steps.length} steps are on chain ${chainId}${pending}.`,
    ...list('done', done),
    ...list('missing', missing),
    advice,
  ].join('\n');
}

/** The end of a sentence about a deployment file. */
function describeWiring(mismatches: readonly Mismatch[]): string {
  if (mismatches.length === 0) return 'its contracts match it';
  return `its contracts differ from it:\n${mismatches.map((mismatch) => `  ${describeMismatch(mismatch)}`).join('\n')}\n`;
}
