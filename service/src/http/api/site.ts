// /api/site-config, /api/union/overview and /api/wallet-name: small replies that come from a chain, not from rows.

import { type Market, parseAddress } from '@svc/sdk/domain';
import { routes } from '@svc/sdk/internal/schemas/routes';
import { buildEarlierSiteConfig } from '../../market/earlier.ts';
import type { Moment } from '../../market/lastKnown.ts';
import type { FindName } from '../../market/names.ts';
import type { SiteConfig } from '../../market/siteConfig.ts';
import type { RegisterRead } from '../reads.ts';
import { type EarlierMarket, isEarlier } from './earlier.ts';

export type SiteRoutes = {
  readonly earlier: Pick<EarlierMarket, 'defaultProtocol'>;
  readonly siteConfig: (
    market: Market,
    moment?: Moment,
  ) => Promise<SiteConfig & { readonly chat: boolean; readonly names: boolean }>;
  readonly union: (market: Market, moment?: Moment) => Promise<object>;
  /** Undefined where no registry of names is configured. */
  readonly findName: FindName | undefined;
};

export function registerSiteRoutes(register: RegisterRead, options: SiteRoutes): void {
  const { earlier, siteConfig, union, findName } = options;

  register(
    routes.siteConfig,
    (given) => ({
      load: async (moment) =>
        isEarlier(given, earlier)
          ? buildEarlierSiteConfig(await siteConfig('standard', moment))
          : siteConfig(given.market, moment),
    }),
    'public, max-age=300',
  );

  register(routes.union, ({ market }) => ({ load: (moment) => union(market, moment) }));

  register(
    routes.walletName,
    (given) => {
      const address = parseAddress(given.address);
      return { load: async () => ({ address, name: (await findName?.(address)) ?? null }) };
    },
    'public, max-age=60',
  );
}
