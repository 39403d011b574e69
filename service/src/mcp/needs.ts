// What the tools read: the market from its API, and the chain for everything else.

import type { MarketAccess } from '@svc/sdk/actions';
import type { Reputation } from '@svc/sdk/chain';
import type { Address, Market } from '@svc/sdk/domain';
import type { openListSchema, taskListSchema, taskReplySchema } from '@svc/sdk/schemas';
import type { z } from 'zod';
import type { Wallet } from '#wallet/wallet.ts';

type Page = { readonly market?: Market; readonly limit?: number; readonly cursor?: string | undefined };

/** Met by the typed client of the site. */
export type MarketReads = {
  readonly open: (query: Page) => Promise<z.output<typeof openListSchema>>;
  readonly recent: (query: Page) => Promise<z.output<typeof taskListSchema>>;
  readonly task: (id: string) => Promise<z.output<typeof taskReplySchema>>;
  readonly posterTasks: (address: string, query: Page) => Promise<z.output<typeof taskListSchema>>;
  readonly workerTasks: (address: string, query: Page) => Promise<z.output<typeof taskListSchema>>;
};

export type ToolNeeds = {
  readonly market: MarketReads;
  readonly readReputation: (market: Market, agent: Address) => Promise<Reputation>;
  /** What prepare actions read, once the market has been found. */
  readonly connectPrepare: () => Promise<MarketAccess>;
  /** Receives the prepared calls. */
  readonly wallet: Pick<Wallet, 'submit' | 'readStatus'>;
  /** Unix seconds, of the chain. */
  readonly now: () => Promise<number>;
};
