// The chain: each RPC by itself, the clock against it, the contracts on it, and what our keys can pay there.

import type { Deployment } from '@svc/sdk/chain';
import { createChainClient, explainChainError, readChainId } from '@svc/sdk/chain';
import { formatEther, http, type PublicClient } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { loadDeployment } from '#app/deploymentFile.ts';
import { readEmbeddedDeployment } from '#app/embeddedDeployment.ts';
import { chooseRpcUrls } from '#app/rpcUrls.ts';
import type { Config, Secret } from '#config.ts';
import { verifyWiring } from '#deploy/wiring.ts';
import { explain, type Finding, fail, ok, warn } from './finding.ts';

const chainId = 8453;
/** The follower asks for up to so many blocks at once, and for fewer where that is refused. */
const wantedLogRange = 1_000n;
const maxLagSeconds = 60;

export async function checkChain(config: Config): Promise<readonly Finding[]> {
  const urls = chooseRpcUrls(config);
  const findings = await Promise.all(urls.map((url) => checkRpc(url)));
  const good = urls.find((_, at) => findings[at]?.every(({ verdict }) => verdict !== 'fail'));
  const contracts = await checkContracts(good, config);
  const keys = good === undefined ? [] : await checkKeys(createClient(good), config);
  return [...findings.flat(), ...contracts, ...keys];
}

function createClient(url: string): PublicClient {
  return createChainClient({ transport: http(url, { retryCount: 0, timeout: 5_000 }) });
}

async function checkRpc(url: string): Promise<readonly Finding[]> {
  // Path, query and user name may hold a key.
  const subject = `rpc ${new URL(url).host}`;
  const client = createClient(url);
  try {
    const found = await readChainId(client);
    if (found !== chainId)
      return [fail(subject, `is of chain ${found}`, `Name an RPC of chain ${chainId} in SVC_RPC_URL.`)];
    const block = await client.getBlock();
    const lag = Math.round(Date.now() / 1_000 - Number(block.timestamp));
    return [
      ok(subject, `chain ${found}, block ${block.number}`),
      checkClock(lag),
      await checkLogs(client, block.number),
    ];
  } catch (error) {
    const mend = 'Start the market with npm start, or name a chain that answers in SVC_RPC_URL.';
    return [fail(subject, explain(explainChainError(error)), mend)];
  }
}

function checkClock(lag: number): Finding {
  if (Math.abs(lag) <= maxLagSeconds) return ok('clock', `${lag} s from the newest block`);
  const mend =
    lag < 0
      ? 'The chain is ahead of this machine: set the clock (NTP), unless svc start was given a clock offset.'
      : 'The RPC is behind, or this clock is ahead: compare with another RPC, and set the clock (NTP).';
  return warn('clock', `${Math.abs(lag)} s ${lag < 0 ? 'behind' : 'after'} the newest block`, mend);
}

async function checkLogs(client: PublicClient, head: bigint): Promise<Finding> {
  const fromBlock = head > wantedLogRange ? head - wantedLogRange : 0n;
  try {
    await client.getLogs({ fromBlock, toBlock: head, address: '0x0000000000000000000000000000000000000001' });
    return ok('logs', `ranges of ${wantedLogRange} blocks are answered`);
  } catch {
    const mend = 'The follower will ask for smaller ranges; the first reading takes longer.';
    return warn('logs', `a range of ${wantedLogRange} blocks is refused`, mend);
  }
}

/** A file can be wrong by itself: that is told also where no chain answers. */
async function checkContracts(url: string | undefined, config: Config): Promise<readonly Finding[]> {
  try {
    const deployment = await findDeployment(url, config);
    if (url === undefined) return [];
    if (deployment === null)
      return [warn('contracts', 'no deployment is named', 'Name the file of svc deploy in SVC_DEPLOYMENT.')];
    const mismatches = await verifyWiring(createClient(url), deployment);
    if (mismatches.length === 0) return [ok('contracts', 'deployed and wired as they should be')];
    return mismatches.map(({ subject, expected, found }) =>
      fail(`contracts, ${subject}`, `${found} instead of ${expected}`, 'Is SVC_DEPLOYMENT of this chain?'),
    );
  } catch (error) {
    return [
      fail('contracts', explain(explainChainError(error)), 'Check the file that SVC_DEPLOYMENT names.'),
    ];
  }
}

async function findDeployment(
  url: string | undefined,
  { deploymentFile }: Config,
): Promise<Deployment | null> {
  if (deploymentFile !== undefined) return loadDeployment(deploymentFile);
  return url === undefined ? null : readEmbeddedDeployment(url);
}

async function checkKeys(client: PublicClient, config: Config): Promise<readonly Finding[]> {
  const keys: readonly (readonly [name: string, key: Secret | undefined])[] = [
    ['PRIVATE_KEY', config.privateKey],
    ['SVC_KEEPER_KEY', config.keeperKey],
    ['SVC_FACILITATOR_KEY', config.facilitatorKey],
  ];
  const given = keys.flatMap(([name, key]) => (key === undefined ? [] : [{ name, key }]));
  return Promise.all(given.map(({ name, key }) => checkKey(client, name, key)));
}

async function checkKey(client: PublicClient, name: string, key: Secret): Promise<Finding> {
  const address = privateKeyToAddress(key.reveal() as `0x${string}`);
  try {
    const balance = await client.getBalance({ address });
    if (balance > 0n) return ok(name, `${address} has ${formatEther(balance)} ETH for gas`);
    return warn(name, `${address} has no ETH`, 'Send it some: it can pay for no transaction.');
  } catch (error) {
    return warn(name, explain(explainChainError(error)), 'The balance could not be read; try again.');
  }
}
