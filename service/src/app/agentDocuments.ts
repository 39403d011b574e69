// The documents for agents, loaded when one is asked for: most runs of a server never need the tools.
import type { ApiDocuments } from '#http/apiDocuments.ts';

type Published = {
  readonly chainId: number;
  /** The npm package that the operator has published, if any. */
  readonly packageName?: string | undefined;
};

export const createDiscovery =
  (published: Published): ApiDocuments['buildDiscovery'] =>
  async (place) =>
    (await import('#mcp/discovery.ts')).buildDiscovery({ ...place, ...published });
