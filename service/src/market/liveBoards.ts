// The boards as they stand: read from the chain and from the rows; the last value is kept for when the chain is unreachable.
import { contractsOf, type Deployment, type Rpc } from '@svc/sdk/chain';
import { type Market, SvcError } from '@svc/sdk/domain';
import { readAgents, readArbitrators, readDeposits } from '@svc/sdk/internal/chain/readAgents';
import { readFigures } from '@svc/sdk/internal/chain/readMarket';
import { createActivityStore } from '../store/activity.ts';
import { createAgentStore } from '../store/agents.ts';
import { loadAtOneBlock } from '../store/chainRow.ts';
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

  /** The rows of one block; what the chain adds to them is asked at the same block. */
  async function loadRows<T>(load: () => Promise<T>, { shows }: Moment) {
    const read = await loadAtOneBlock(database, load);
    if (read === null) throw new SvcError('NOT_READY', {});
    shows(read.head);
    return { found: read.found, hash: read.head.hash };
  }

  const readHealth = createHealth({
    store: createActivityStore(database),
    tasks,
    loadKept: () => loadFact('healthSums'),
    saveKept: (text) => saveFact('healthSums', text),
    now,
  });
  const health = remember(
    'health',
    healthAgeMs,
    async (moment) => (await loadRows(readHealth, moment)).found,
  );
  return {
    reputation: rememberBoth('reputation', maxAgeMs, async (market, moment) => {
      const load = () => Promise.all([store.loadEarnings(market), store.loadEndedDisputes(market)]);
      const { found, hash } = await loadRows(load, moment);
      return buildReputationBoard(market, await readAgents(rpc, contracts(market), hash), ...found);
    }),
    verifiers: rememberBoth('verifiers', maxAgeMs, async (market, moment) => {
      const { hash } = await loadRows(async () => null, moment);
      const [found, { arbitratorMinBondTokWei }] = await Promise.all([
        readArbitrators(rpc, contracts(market), hash),
        figures(market),
      ]);
      return buildVerifierBoard(market, found, arbitratorMinBondTokWei);
    }),
    treasury: rememberBoth('treasury', maxAgeMs, async (market, moment) => {
      const { found, hash } = await loadRows(() => collateral.listDepositors(market), moment);
      const deposits = await readDeposits(rpc, contracts(market), found, hash);
      return buildTreasury(market, deposits, await figures(market));
    }),
    treasuryHistory: rememberBoth('treasuryHistory', maxAgeMs, async (market, moment) => {
      const load = () => Promise.all([collateral.loadDays(market), store.loadBondMoves(market)]);
      return buildTreasuryHistory(market, ...(await loadRows(load, moment)).found);
    }),
    health: async (market: Market, moment?: Moment) => (await health(moment))[market],
    fees: rememberBoth('fees', feesAgeMs, async (market, moment) => {
      const { postingPlans } = await options.siteConfig(market, moment);
      return buildFees(market, await figures(market), postingPlans, options.claimPriceUsdc);
    }),
  };
}
