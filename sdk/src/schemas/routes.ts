// The routes of the site that a participant asks.
import { chatRoutes } from './chat.ts';
import { concernRoutes } from './concernList.ts';
import { earningsRoutes } from './earnings.ts';
import { eventRoutes } from './events.ts';
import { marketRoutes } from './market.ts';
import { planRoutes } from './postingPlans.ts';
import { quotaRoutes } from './postingQuota.ts';
import { operationRoutes, siteRoutes } from './site.ts';
import { walletRoutes } from './wallets.ts';

/** Every route of the site server, without those that list the others. */
export const routes = {
  ...marketRoutes,
  ...concernRoutes,
  ...earningsRoutes,
  ...walletRoutes,
  ...quotaRoutes,
  ...planRoutes,
  ...chatRoutes,
  ...eventRoutes,
  ...siteRoutes,
  ...operationRoutes,
} as const;
