// What a keeper counts, and the small server that shows it to whoever watches over it.
import type { AddressInfo } from 'node:net';
import { SvcError } from '@svc/sdk/domain';
import type { Metrics } from '#http/metrics.ts';
import { answerClientError, createNodeServer } from '#http/nodeServer.ts';
import type { KeeperEvent, KeeperOptions, Round } from '#keeper/keeper.ts';

export type KeeperCounts = Required<Pick<KeeperOptions, 'onRound'>> & {
  readonly countEvent: (event: KeeperEvent) => void;
};

export function createKeeperCounts(
  metrics: Metrics,
  now = () => Math.floor(Date.now() / 1_000),
): KeeperCounts {
  let last: Round | null = null;
  // A figure that is missing sets off no alert: one that never sees the chain counts from its start.
  let lastAt = now();
  metrics.gauge('keeper_last_round', () => lastAt);
  metrics.gauge('keeper_open_exits', () => last?.open ?? null);
  return {
    countEvent: ({ kind }) => metrics.count('keeper', { event: kind }),
    onRound: (round) => {
      last = round;
      lastAt = now();
    },
  };
}

/** At /metrics, and at every other path as well. Answers where it is, and how to end it. */
export async function serveMetrics(
  metrics: Metrics,
  place: { readonly host: string; readonly port: number },
) {
  const server = createNodeServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4', 'Cache-Control': 'no-store' });
    response.end(metrics.format());
  }).on('clientError', answerClientError);
  const { host, port } = place;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const reason = error.message;
      reject(
        new SvcError('SERVER_CANNOT_LISTEN', { server: 'keeper', host, port: String(port), reason }, error),
      );
    });
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
