// Every route of the site server in one table: what it takes, what it answers, what can go wrong.
import { chatRoutes } from './routes/chat.ts';
import { followingRoutes } from './routes/following.ts';
import { marketRoutes } from './routes/market.ts';
import { postingRoutes } from './routes/posting.ts';
import { siteRoutes } from './routes/site.ts';
import { walletRoutes } from './routes/wallets.ts';

export const routes = {
  ...marketRoutes,
  ...walletRoutes,
  ...postingRoutes,
  ...chatRoutes,
  ...followingRoutes,
  ...siteRoutes,
} as const;

export type RouteName = keyof typeof routes;
