// Checks of figures: ledgers add up to the wei, and quotas match the chain.

import type { PublicClient } from 'viem';
import type { Deployment } from '#sdk/chain/deployment.ts';
import { isSameAddress } from '#sdk/domain/address.ts';
import { type Market, markets } from '#sdk/domain/market.ts';
import { dayOf, findPlanInForce, type PostingPlan, type Purchase } from '#sdk/domain/posting.ts';
import { lockedAmount, type Task } from '#sdk/domain/task.ts';
import { accounts } from '#service/devnet/accounts.ts';
import { contractsOf, readBalance, readSupply } from '../../test/support/marketReader.ts';
import type { Ask } from '../asking.ts';
import type { Server } from '../server.ts';
import type { Check } from './recorded.ts';

/** Two sums that must be equal. */
export type Sum = { readonly what: string; readonly is: bigint; readonly shouldBe: bigint };

export function checkSums(sums: readonly Sum[]): Check {
  return {
    name: 'Ledgers add up to the wei',
    violations: sums
      .filter(({ is, shouldBe }) => is !== shouldBe)
      .map(({ what, is, shouldBe }) => `${what}: ${is} and not ${shouldBe}`),
    basis: `${sums.length} sums`,
  };
}

export async function collectSums(
  client: PublicClient,
  deployment: Deployment,
  tasksOf: (market: Market) => Promise<readonly Task[]>,
  site: Server,
  ask: Ask,
): Promise<Sum[]> {
  const { tokToken, usdc } = deployment;
  const sums: Sum[] = [];
  for (const market of markets) {
    const { escrow, deposits } = contractsOf(deployment, market);
    const held = total((await tasksOf(market)).map(lockedAmount));
    const shouldBe = await readBalance(client, tokToken, escrow.address);
    sums.push({ what: `${market}: held for tasks`, is: held, shouldBe });
    const owned = await Promise.all(
      accounts.map(({ address }) =>
        client.readContract({ ...deposits, functionName: 'accountOf', args: [address] }),
      ),
    );
    const deposited = total(owned.map(([account]) => account.balance));
    const kept = await readBalance(client, usdc, deposits.address);
    sums.push({ what: `${market}: collateral`, is: kept, shouldBe: deposited });
    sums.push(...(await collectAnswered(market, site, ask, shouldBe)));
  }
  for (const [name, token] of Object.entries({ TOK: tokToken, USDC: usdc })) {
    const { held, supply } = await readSupply(client, deployment, token);
    sums.push({ what: `all ${name}`, is: held, shouldBe: supply });
  }
  return sums;
}

type Amounts = Readonly<
  Record<'fundedTokWei' | 'lockedTokWei' | 'releasedTokWei' | 'refundedTokWei' | 'feesTokWei', string>
>;

/** Ledgers of all wallets: each is the sum of its entries, and all posters together equal the escrow. */
async function collectAnswered(market: Market, site: Server, ask: Ask, held: bigint): Promise<Sum[]> {
  const sums: Sum[] = [];
  let locked = 0n;
  for (const { name, address } of accounts) {
    const path = `/api/get-market-ledger?market=${market}&address=${address}`;
    let { body } = await ask(site, path);
    const entries = (body.entries ?? []) as (Amounts & { readonly role: string })[];
    while (typeof body.nextCursor === 'string') {
      ({ body } = await ask(site, `${path}&cursor=${body.nextCursor}`));
      entries.push(...((body.entries ?? []) as typeof entries));
    }
    const asPoster = entries.filter(({ role }) => role === 'poster');
    locked += total(asPoster.map(({ lockedTokWei }) => BigInt(lockedTokWei)));
    for (const [role, own] of Object.entries({ asPoster: body.asPoster, asWorker: body.asWorker } as Record<
      string,
      Amounts
    >)) {
      const of = entries.filter((entry) => `as${entry.role}`.toLowerCase() === role.toLowerCase());
      for (const field of [
        'fundedTokWei',
        'lockedTokWei',
        'releasedTokWei',
        'refundedTokWei',
        'feesTokWei',
      ] as const) {
        const is = BigInt(own?.[field] ?? 0);
        sums.push({
          what: `${market}: ${name} ${role} ${field}`,
          is,
          shouldBe: total(of.map((entry) => BigInt(entry[field]))),
        });
      }
    }
  }
  return [...sums, { what: `${market}: held, by the ledgers of all posters`, is: locked, shouldBe: held }];
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

type Quota = Readonly<Record<'confirmed' | 'limit' | 'resetsAt', number>>;

/** The quota of a wallet by a site and by the chain. */
export type QuotaPair = { readonly who: string; readonly answered: Quota; readonly onChain: Quota };

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
  /** All payments for plans up to a block. */
  readonly readPurchases: (upTo: bigint) => Promise<readonly Purchase[]>;
  readonly head: { readonly number: bigint; readonly time: number };
};

export async function collectQuotas({
  ask,
  sites,
  tasksOf,
  plansOf,
  readPurchases,
  head,
}: QuotaSources): Promise<QuotaPair[]> {
  const pairs: QuotaPair[] = [];
  const paid = await readPurchases(head.number);
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
            limit: findPlanInForce(plans, purchases, now).dailyLimit,
            resetsAt: day.end,
          },
        });
      }
    }
  }
  return pairs;
}
