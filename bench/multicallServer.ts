// A server without an index: each request reads the list from the chain with viem multicall.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPublicClient, http, stringify } from 'viem';
import { taskRegistryAbi } from '#contracts/generated/abi/taskRegistry.ts';
import type { Address } from '#sdk/domain/address.ts';
import { base } from '../test/support/baseChain.ts';

export type MulticallOrder = { readonly rpcUrl: string; readonly registry: Address };

const limit = 100n;

/** The newest hundred, without texts, which contracts do not store. */
process.once('message', ({ rpcUrl, registry }: MulticallOrder) => {
  // No caching: each request reads the chain.
  const client = createPublicClient({ chain: base, transport: http(rpcUrl), cacheTime: 0 });
  const contract = { address: registry, abi: taskRegistryAbi } as const;

  async function readNewest() {
    const count = await client.readContract({ ...contract, functionName: 'taskCount' });
    const length = Number(count < limit ? count : limit);
    const contracts = Array.from(
      { length },
      (_, at) => ({ ...contract, functionName: 'getTask', args: [count - BigInt(at)] }) as const,
    );
    return client.multicall({ contracts, allowFailure: false });
  }

  const server = createServer((_request, response) => {
    readNewest().then(
      (tasks) => {
        const body = Buffer.from(stringify({ tasks }));
        response.writeHead(200, ['Content-Type', 'application/json', 'Content-Length', String(body.length)]);
        response.end(body);
      },
      () => response.writeHead(502, ['Content-Length', '0']).end(),
    );
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
});
process.on('disconnect', () => process.exit());
