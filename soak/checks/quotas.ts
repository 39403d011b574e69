// Quotas are right: what each wallet has posted today and which plan it has, by the chain's own account.
import type { createPostingReads } from '#sdk/chain/readPosting.ts';
import { isSameAddress } from '#sdk/domain/address.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import { dayOf, findPlanInForce, type PostingPlan } from '#sdk/domain/posting.ts';
import type { Task } from '#sdk/domain/task.ts';
import { accounts } from '#service/devnet/accounts.ts';
import type { Ask } from '../asking.ts';
import type { Server } from '../server.ts';
import type { Check } from './check.ts';

/** What a site says of one wallet, and what the chain says. */
export type QuotaPair = {
  readonly who: string;
  readonly answered: { readonly confirmed: number; readonly limit: number; readonly resetsAt: number };
  readonly onChain: { readonly confirmed: number; readonly limit: number; readonly resetsAt: number };
};

export function checkQuotas(pairs: readonly QuotaPair[]): Check {
  return {
    name: 'Quotas are right',
    violations: pairs
      .filter(({ answered, onChain }) => JSON.stringify(answered) !== JSON.stringify(onChain))
      .map(
        ({ who, answered, onChain }) =>
          `${who}: ${JSON.stringify(answered)}, and by the chain ${JSON.stringify(onChain)}`,
      ),
    basis: `${pairs.length} quotas`,
  };
}

export type QuotaSources = {
  readonly ask: Ask;
  readonly sites: readonly Server[];
  readonly tasksOf: (market: Market) => Promise<readonly Task[]>;
  readonly plansOf: (market: Market) => Promise<readonly PostingPlan[]>;
  readonly readPurchases: ReturnType<typeof createPostingReads>['readPurchases'];
  readonly head: { readonly number: bigint; readonly time: number };
};

export async function gatherQuotas({
  ask,
  sites,
  tasksOf,
  plansOf,
  readPurchases,
  head,
}: QuotaSources): Promise<QuotaPair[]> {
  const pairs: QuotaPair[] = [];
  const paid = await readPurchases(0n, head.number);
  for (const market of markets) {
    const [tasks, plans] = await Promise.all([tasksOf(market), plansOf(market)]);
    for (const { name, address } of accounts) {
      const purchases = paid.filter((one) => one.market === market && isSameAddress(one.payer, address));
      for (const site of sites) {
        const { body } = await ask(site, `/api/posting/quota?market=${market}&address=${address}`);
        const now = Math.max(head.time, Math.floor(Date.now() / 1_000));
        const day = dayOf(now);
        const isToday = ({ poster, createdAt }: Task) =>
          isSameAddress(poster, address) && createdAt >= day.start && createdAt < day.end;
        pairs.push({
          who: `${name} on ${market}, by ${site.name}`,
          answered: { confirmed: body.used - body.pending, limit: body.limit, resetsAt: body.resetsAt },
          onChain: {
            confirmed: tasks.filter(isToday).length,
            limit: findPlanInForce(plans, purchases, now).plan.dailyLimit,
            resetsAt: day.end,
          },
        });
      }
    }
  }
  return pairs;
}
