// What site and gateway say of themselves, in their pages and in the documents for agents.
import { formatPriceE8 } from '@svc/sdk/internal/domain/amount';
import type { ApiDocuments } from '../http/apiDocuments.ts';
import type { AppOptions } from '../http/app.ts';
import { later } from '../http/laterParts.ts';
import { createPages, type Pages } from '../http/pages.ts';
import type { OpenMarket } from './openMarket.ts';
import { readVersion } from './packageFiles.ts';

export type ServedOptions = Pick<AppOptions, 'limits' | 'trustedProxies'> & {
  /** Without them each page says that pages are not built. */
  readonly pages?: Pages | undefined;
  /** The npm package of this service that the operator has published; documents name none without it. */
  readonly packageName?: string | undefined;
  /** Shown on the pages. */
  readonly abuseContact?: string | undefined;
};

type Place = {
  readonly isGateway: boolean;
  readonly publicUrl: () => string;
  /** Null where it is not known. */
  readonly gatewayUrl: () => string | null;
};

const loadDiscovery = later(() => import('../mcp/discovery.ts'));

export function describeServer(
  { deployment, chainAnswers }: OpenMarket,
  { limits, trustedProxies, pages, packageName, abuseContact }: ServedOptions,
  { isGateway, ...urls }: Place,
) {
  const { chainId } = deployment;
  /** For approximate amounts; null where the market has no price. */
  const readTokUsdPrice = async (): Promise<number | null> => {
    const price = await chainAnswers.price().catch(() => null);
    return price === null ? null : Number(formatPriceE8(price.priceE8));
  };
  const buildDiscovery: ApiDocuments['buildDiscovery'] = async (place) =>
    (await loadDiscovery()).buildDiscovery({ ...place, chainId, packageName });
  return {
    ...urls,
    limits,
    trustedProxies,
    version: readVersion(),
    buildDiscovery,
    pages: {
      pages: pages ?? createPages(),
      info: async () => ({
        isGateway,
        gatewayUrl: urls.gatewayUrl(),
        tokUsdPrice: await readTokUsdPrice(),
        abuseContact: abuseContact ?? null,
      }),
    },
  };
}
