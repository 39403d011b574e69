// Creates the keeper of a market, with its metrics: for `svc keeper`, and for the embedded chain of `svc start`.
import { createRpc } from '@svc/sdk/chain';
import type { Address } from '@svc/sdk/domain';
import { contractsOfBoth } from '@svc/sdk/internal/chain/contracts';
import { balanceOf } from '@svc/sdk/internal/chain/rpcRequests';
import { createKeySender } from '@svc/sdk/internal/send/keySender';
import { formatEther } from 'viem';
import { accountOf } from '../devnet/accounts.ts';
import type { Devnet } from '../devnet/devnet.ts';
import type { Metrics } from '../http/metrics.ts';
import type { AppLog } from '../http/requestLog.ts';
import { createKeeper, type Keeper, type KeeperOptions, type Round } from '../keeper/keeper.ts';
import type { Connection } from './connect.ts';
import { describeEvent, toFields } from './keeperReport.ts';

type MarketKeeperOptions = Pick<Connection, 'rpc' | 'rpcUrls' | 'chainId' | 'genesisHash' | 'contracts'> &
  Pick<KeeperOptions, 'onEvent' | 'delayMs' | 'maxGasPriceWei'> & {
    readonly privateKey: string;
    readonly metrics: Metrics;
  };

/** `address` is the account that pays for gas. */
export function createMarketKeeper(options: MarketKeeperOptions): Keeper & { readonly address: Address } {
  const { rpcUrls: urls, chainId, genesisHash, privateKey, metrics, onEvent, ...rest } = options;
  // Not closed with the reads: a stopped keeper still looks for the transactions that it has sent.
  const sender = createKeySender(createRpc({ urls, chainId, genesisHash }), privateKey, chainId);
  let wei: bigint | null = null;
  metrics.gauge('keeper_ether', () => (wei === null ? null : Number(formatEther(wei))));
  const count = countRounds(metrics);
  const keeper = createKeeper({
    ...rest,
    sender,
    onRound: (round) => {
      count(round);
      // For the gauge alone: a balance that cannot be read stays as it was.
      rest.rpc.ask(balanceOf(sender.address)).then(
        (found) => {
          wei = found;
        },
        () => undefined,
      );
    },
    onEvent: (event) => {
      metrics.count('keeper', { event: event.kind });
      onEvent(event);
    },
  });
  return { ...keeper, address: sender.address };
}

/** Starts the keeper of the embedded chain, with its own account. Returns the function that stops it. */
export function startEmbeddedKeeper(
  { deployment, rpcUrl }: Devnet,
  log: AppLog,
  metrics: Metrics,
): () => Promise<void> {
  const { chainId, genesisHash } = deployment;
  const rpc = createRpc({ urls: [rpcUrl], chainId, genesisHash });
  const stop = new AbortController();
  const keeper = createMarketKeeper({
    rpc,
    rpcUrls: [rpcUrl],
    chainId,
    genesisHash,
    privateKey: accountOf('keeper').privateKey,
    contracts: contractsOfBoth(deployment),
    metrics,
    onEvent: (event) => {
      if (stop.signal.aborted) return;
      const write = event.kind === 'failed' || event.kind === 'unreadable' ? log.error : log.info;
      write.call(log, toFields(event), `keeper: ${describeEvent(event)}`);
    },
  });
  const running = keeper.run(stop.signal);
  return async () => {
    stop.abort();
    await running;
    rpc.close();
  };
}

/**
 * The time of the last round starts with the process: a missing metric raises no alert, and a keeper that never reaches
 * the chain must raise one.
 */
function countRounds(metrics: Metrics): (round: Round) => void {
  const now = () => Math.floor(Date.now() / 1_000);
  let last: Round | null = null;
  let lastAt = now();
  metrics.counter('keeper', { event: 'called' });
  metrics.gauge('keeper_last_round', () => lastAt);
  metrics.gauge('keeper_open_exits', () => last?.open ?? null);
  return (round) => {
    last = round;
    lastAt = now();
  };
}
