// The documents for agents, loaded when one is asked for: most runs of a server never need the tools.
import type { ApiDocuments } from '#http/apiDocuments.ts';

export const createDiscovery =
  (chainId: number): ApiDocuments['buildDiscovery'] =>
  async (place) =>
    (await import('#mcp/discovery.ts')).buildDiscovery({ ...place, chainId });
