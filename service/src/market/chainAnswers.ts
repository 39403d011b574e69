// Replies that are read from the chain: plans, the Union, the price. The last value is kept for when the chain is unreachable.
import type { Deployment, Rpc } from '@svc/sdk/chain';
import { type Market, markets, type PublicChain } from '@svc/sdk/domain';
import {
  type OraclePrice,
  readLastPrice,
  readPlans,
  readPrice,
  readUnion,
} from '@svc/sdk/internal/chain/readMarket';
import { pollUntil } from '@svc/sdk/internal/domain/backoff';
import type { PostingPlan } from '@svc/sdk/internal/domain/posting';
import type { Database } from '../store/database.ts';
import { createMemory, type Moment, type ShownBlock } from './lastKnown.ts';
import { buildSiteConfig } from './siteConfig.ts';

const retryMs = 1_000;

export function createChainAnswers(
  {
    deployment,
    publicChain,
    now,
  }: { readonly deployment: Deployment; readonly publicChain: PublicChain; readonly now: () => number },
  rpc: Rpc,
  database: Database,
  head: () => ShownBlock | null,
) {
  const { remember, rememberBoth } = createMemory(database, head);

  const plans = rememberBoth('plans', 5_000, async (market) =>
    (await readPlans(rpc, deployment, market)).map((plan) => ({
      ...plan,
      priceUsdcUnits: String(plan.priceUsdcUnits),
    })),
  );
  const loadPlans = async (market: Market, moment?: Moment): Promise<PostingPlan[]> =>
    (await plans(market, moment)).map((plan) => ({ ...plan, priceUsdcUnits: BigInt(plan.priceUsdcUnits) }));
  const unions = rememberBoth('union', 2_000, async (market) =>
    buildUnionOverview(market, await readUnion(rpc, deployment, market), now()),
  );
  const prices = remember('prices', 2_000, async () => {
    const price = await readPrice(rpc, deployment);
    const last = price ?? (await readLastPrice(rpc, deployment));
    return { price: price && formatPrice(price), last: last && formatPrice(last) };
  });

  /** A remembered price is used only as long as the oracle itself would accept it. */
  async function price(): Promise<{ readonly priceE8: bigint } | null> {
    const { price } = await prices();
    if (price === null || now() - price.updatedAt > deployment.oracle.maxAgeSeconds) return null;
    return { priceE8: BigInt(price.priceE8) };
  }

  return {
    /** Reads each value until it has been read once, so that there is one to return when the chain becomes unreachable. */
    warmUp: async (signal: AbortSignal): Promise<void> => {
      const answers = [prices, ...markets.flatMap((market) => [() => plans(market), () => unions(market)])];
      for (const answer of answers) {
        const isKnown = () => answer().then(Boolean, () => undefined);
        await pollUntil(isKnown, { everyMs: retryMs, signal });
      }
    },
    siteConfig: async (market: Market, moment?: Moment) => {
      const plans = (await loadPlans(market, moment)).filter(({ isOnSale }) => isOnSale);
      return buildSiteConfig(deployment, publicChain, market, plans);
    },
    union: unions,
    price,
    /** The price, else the last one that was published, with its time; null where there never was one. */
    lastPrice: async () => {
      const current = await price();
      if (current !== null) return current;
      const { last } = await prices();
      return last && { priceE8: BigInt(last.priceE8), updatedAt: last.updatedAt };
    },
    /** All plans, including those that are no longer on sale. */
    plans: (market: Market) => loadPlans(market),
  };
}

function formatPrice({ priceE8, updatedAt }: OraclePrice) {
  return { priceE8: String(priceE8), updatedAt };
}

function buildUnionOverview(
  market: Market,
  figures: Awaited<ReturnType<typeof readUnion>>,
  updatedAt: number,
) {
  return {
    source: 'chain-rpc',
    stakingActive: figures.stakingActive,
    totalStakedTok: String(figures.totalStaked),
    totalCreditsIssued: String(figures.creditsIssued),
    creditsRemaining: String(figures.creditsRemaining),
    creditIssuanceClosed: figures.creditIssuanceClosed,
    market,
    rewardReserveTokWei: String(figures.rewardReserve),
    updatedAt,
  } as const;
}
