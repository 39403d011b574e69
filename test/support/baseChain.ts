// Base as viem needs it. `viem/chains` would load the seven hundred files of all chains into every test process.
import { createPublicClient, defineChain, http, type PublicClient } from 'viem';

export const base = defineChain({
  id: 8_453,
  name: 'Base',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
  contracts: { multicall3: { address: '0xca11bde05977b3631167028862be2a173976ca11' } },
});

/** Asks the chain each time, and soon again where it waits. */
export function createReader(rpcUrl: string): PublicClient {
  const client = createPublicClient({
    chain: base,
    transport: http(rpcUrl),
    cacheTime: 0,
    pollingInterval: 25,
  });
  return client as PublicClient;
}
