// Answers that come straight from the chain: plans, Union, price.
import { setTimeout as pause } from 'node:timers/promises';
import type { Rpc } from '@svc/sdk/chain';
import { chainIdentity, type Deployment, readPlans, readPrice, readUnion } from '@svc/sdk/chain';
import type { Market, PostingPlan } from '@svc/sdk/domain';
import { buildSiteConfig } from '#market/siteConfig.ts';
import { buildUnionOverview } from '#market/union.ts';
import type { Database } from '#store/database.ts';
import { createMemory } from './memory.ts';

export type ChainAnswersOptions = {
  readonly deployment: Deployment;
  readonly publicRpcUrl: string;
  readonly chainName: string;
  readonly now: () => number;
};

const learnAgainMs = 1_000;

/** Each is remembered for when the chain is away. */
export function createChainAnswers(options: ChainAnswersOptions, rpc: Rpc, database: Database) {
  const { deployment, now } = options;
  const remember = createMemory(database, chainIdentity(deployment));

  async function readSiteConfig(market: Market) {
    const { parameters, ...addresses } = deployment.markets[market];
    const { tokToken, usdOracle, marketLens, usdc } = deployment;
    return buildSiteConfig({
      chainId: deployment.chainId,
      chainName: options.chainName,
      rpcUrl: options.publicRpcUrl,
      market,
      addresses: { ...addresses, tokToken, usdOracle, marketLens, usdc },
      parameters,
      plans: (await readPlans(rpc, deployment, market)).filter(({ isOnSale }) => isOnSale),
      startBlock: deployment.startBlock,
    });
  }

  const configs = {
    standard: remember('site-config:standard', 60_000, () => readSiteConfig('standard')),
    micro: remember('site-config:micro', 60_000, () => readSiteConfig('micro')),
  };
  const readTable = async (market: Market) =>
    (await readPlans(rpc, deployment, market)).map((plan) => ({
      ...plan,
      priceUsdcUnits: String(plan.priceUsdcUnits),
    }));
  const tables = {
    standard: remember('plans:standard', 5_000, () => readTable('standard')),
    micro: remember('plans:micro', 5_000, () => readTable('micro')),
  };
  const readOverview = async (market: Market) =>
    buildUnionOverview(market, await readUnion(rpc, deployment, market), now());
  const unions = {
    standard: remember('union:standard', 2_000, () => readOverview('standard')),
    micro: remember('union:micro', 2_000, () => readOverview('micro')),
  };
  const prices = remember('price', 2_000, async () => {
    const price = await readPrice(rpc, deployment);
    return { price: price && { priceE8: String(price.priceE8), updatedAt: price.updatedAt } };
  });

  /** An old price may stand in for one that cannot be asked for, as long as the oracle itself would take it. */
  async function price() {
    const { price: known } = await prices();
    if (known === null || now() - known.updatedAt > deployment.oracle.maxAgeSeconds) return null;
    return { priceE8: BigInt(known.priceE8) };
  }

  /** Until each has been answered once: then there is something to answer with when the chain goes away. */
  async function learn(signal: AbortSignal): Promise<void> {
    const perMarket = [configs, tables, unions].flatMap((answers) => Object.values(answers));
    for (const answer of [...perMarket, prices]) {
      const isKnown = () => answer().then(Boolean, () => false);
      while (!signal.aborted && !(await isKnown()))
        await pause(learnAgainMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    learn,
    siteConfig: (market: Market) => configs[market](),
    union: (market: Market) => unions[market](),
    price,
    /** All plans, those that are no longer on sale included. */
    plans: async (market: Market): Promise<PostingPlan[]> =>
      (await tables[market]()).map((plan) => ({ ...plan, priceUsdcUnits: BigInt(plan.priceUsdcUnits) })),
  };
}
