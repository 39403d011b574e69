// The keeper of the embedded chain, with an account of its own.
import { contractsOf, createHttpSender, createRpc } from '@svc/sdk/chain';
import { accountOf } from '#devnet/accounts.ts';
import type { Devnet } from '#devnet/devnet.ts';
import type { Metrics } from '#http/metrics.ts';
import type { AppLog } from '#http/requestLog.ts';
import { createKeeper } from '#keeper/keeper.ts';
import { createKeeperCounts } from './keeperMetrics.ts';
import { describeEvent, toFields } from './keeperReport.ts';

/** Answers the way to end it. */
export function startEmbeddedKeeper(
  { deployment, rpcUrl }: Devnet,
  log: AppLog,
  metrics: Metrics,
): () => Promise<void> {
  const { countEvent, onRound } = createKeeperCounts(metrics);
  const { chainId, genesisHash } = deployment;
  const { privateKey } = accountOf('keeper');
  const rpc = createRpc({ urls: [rpcUrl], chainId, genesisHash });
  const stop = new AbortController();
  const keeper = createKeeper({
    rpc,
    sender: createHttpSender({ rpcUrls: [rpcUrl], chainId, privateKey }),
    contracts: { standard: contractsOf(deployment, 'standard'), micro: contractsOf(deployment, 'micro') },
    onRound,
    onEvent: (event) => {
      countEvent(event);
      if (stop.signal.aborted) return;
      const write = event.kind === 'failed' || event.kind === 'blind' ? log.error : log.info;
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
