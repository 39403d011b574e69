// Item 4: the open list against the same list by direct viem multicall per request.
import { compare } from './compare.ts';
import type { Figure } from './figure.ts';
import type { MulticallOrder } from './multicallServer.ts';
import { nextMessage, startNode, stopProcess } from './processes.ts';
import type { Stage } from './stage.ts';

const path = '/api/market/open?limit=100';

export async function measureMulticall(stage: Stage): Promise<Figure[]> {
  const chain = await stage.busyChain();
  const site = await stage.site(chain, stage.folder('multicall'));
  const child = startNode('bench/multicallServer.ts', { place: 'server' });
  const ready = nextMessage<{ port: number }>(child);
  const order: MulticallOrder = {
    rpcUrl: chain.rpcUrl,
    registry: chain.deployment.markets.standard.taskRegistry,
  };
  child.send(order);
  const { port } = await ready;
  const seen = await compare(
    stage.load,
    { pid: site.pid, target: { port: site.port, path, status: 200 } },
    { pid: child.pid as number, target: { port, path, status: 200 } },
    // It is so much slower that a warm-up of as many requests would take all day.
    { ...stage.sizes.rounds, warmUpRequests: 50 },
  );
  await stopProcess(child);
  await site.close();
  return [
    {
      name: 'open list by viem multicall for each request',
      value: seen.baselinePerSecond,
      unit: 'perSecond',
    },
    { name: 'open list, times as many requests as by multicall', value: seen.ratio, unit: 'ratio' },
  ];
}
