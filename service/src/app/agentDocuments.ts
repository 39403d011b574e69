// The documents for agents, loaded when one is asked for: most runs of a server never need the tools.
import type { DiscoveryRoutes } from '#http/discoveryRoutes.ts';

export const createDiscovery =
  (chainId: number): DiscoveryRoutes['buildDiscovery'] =>
  async (place) =>
    (await import('#mcp/discovery.ts')).buildDiscovery({ ...place, chainId });
