// The boards as they stand: read from the chain and from the rows; the last value is kept for when the chain is unreachable.
import { contractsOf, type Deployment, type Rpc } from '@svc/sdk/chain';
import { type Market, SvcError } from '@svc/sdk/domain';
import { readAgents, readArbitrators, readDeposits } from '@svc/sdk/internal/chain/readAgents';
import { readFigures } from '@svc/sdk/internal/chain/readMarket';
import { createActivityStore } from '../store/activity.ts';
import { createAgentStore } from '../store/agents.ts';
import { loadWhole } from '../store/chainRow.ts';
import { createCollateralStore } from '../store/collateral.ts';
import type { Database } from '../store/database.ts';
import { createFactStore } from '../store/rememberedAnswers.ts';
import { buildFees, buildReputationBoard, buildTreasury, buildVerifierBoard } from './boards.ts';
import { createMemory, type Moment, type ShownBlock } from './lastKnown.ts';
import { createHealth, type HealthOptions } from './marketHealth.ts';
import type { SiteConfig } from './siteConfig.ts';
import { buildTreasuryHistory } from './treasuryHistory.ts';

/** Blocks come every two seconds. */
const maxAgeMs = 2_000;
/** Weeks change slowly, and each reading counts the newest blocks again. */
const healthAgeMs = 5_000;
const feesAgeMs = 60_000;

export type BoardSources = {
  readonly database: Database;
  readonly rpc: Rpc;
  readonly deployment: Deployment;
  readonly tasks: HealthOptions['tasks'];
  readonly siteConfig: (market: Market, moment?: Moment) => Promise<SiteConfig>;
  /** The newest block whose rows are here. */
  readonly state: () => { readonly head: ShownBlock } | null;
  /** Null where no claim is paid for. */
  readonly claimPriceUsdc: string | null;
  readonly now: () => number;
};

export type Boards = ReturnType<typeof createBoards>;

export function createBoards({ database, rpc, deployment, tasks, now, state, ...options }: BoardSources) {
  const store = createAgentStore(database);
  const collateral = createCollateralStore(database);
  const { loadFact, saveFact } = createFactStore(database);
  const { remember, rememberBoth } = createMemory(database, () => state()?.head ?? null);
  const contracts = (market: Market) => contractsOf(deployment, market);
  const figures = (market: Market) => readFigures(rpc, contracts(market));

  /** Sums over some of the rows would be wrong. */
  async function loadComplete<T>(load: () => Promise<T>): Promise<T> {
    const found = await loadWhole(database, load);
    if (found === null) throw new SvcError('NOT_READY', {});
    return found;
  }

  const readHealth = createHealth({
    store: createActivityStore(database),
    tasks,
    loadKept: () => loadFact('healthSums'),
    saveKept: (text) => saveFact('healthSums', text),
    now,
  });
  const health = remember('health', healthAgeMs, () => loadComplete(readHealth));
  return {
    reputation: rememberBoth('reputation', maxAgeMs, async (market) => {
      const [earned, ended] = await loadComplete(() =>
        Promise.all([store.loadEarnings(market), store.loadEndedDisputes(market)]),
      );
      return buildReputationBoard(market, await readAgents(rpc, contracts(market)), earned, ended);
    }),
    verifiers: rememberBoth('verifiers', maxAgeMs, async (market) => {
      const [found, { arbitratorMinBondTokWei }] = await Promise.all([
        readArbitrators(rpc, contracts(market)),
        figures(market),
      ]);
      return buildVerifierBoard(market, found, arbitratorMinBondTokWei);
    }),
    treasury: rememberBoth('treasury', maxAgeMs, async (market) => {
      const depositors = await loadComplete(() => collateral.listDepositors(market));
      const deposits = await readDeposits(rpc, contracts(market), depositors);
      return buildTreasury(market, deposits, await figures(market));
    }),
    treasuryHistory: rememberBoth('treasuryHistory', maxAgeMs, async (market) =>
      buildTreasuryHistory(
        market,
        await loadComplete(() => collateral.loadDays(market)),
        await store.loadBondMoves(market),
      ),
    ),
    health: async (market: Market, moment?: Moment) => (await health(moment))[market],
    fees: rememberBoth('fees', feesAgeMs, async (market, moment) => {
      const { postingPlans } = await options.siteConfig(market, moment);
      return buildFees(market, await figures(market), postingPlans, options.claimPriceUsdc);
    }),
  };
}
