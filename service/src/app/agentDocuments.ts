// The documents for agents.
import type { ApiDocuments } from '#http/apiDocuments.ts';
import { later } from '#http/laterParts.ts';

const loadDiscovery = later(() => import('#mcp/discovery.ts'));

type Published = {
  readonly chainId: number;
  /** The npm package that the operator has published, if any. */
  readonly packageName?: string | undefined;
};

export const createDiscovery =
  (published: Published): ApiDocuments['buildDiscovery'] =>
  async (place) =>
    (await loadDiscovery()).buildDiscovery({ ...place, ...published });
