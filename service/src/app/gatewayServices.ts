// The gateway's boards, receipts, payments and claims, over an open market.

import { createActionReads } from '@svc/sdk/actions';
import { contractsOf, type Rpc } from '@svc/sdk/chain';
import { type Address, type Market, SvcError } from '@svc/sdk/domain';
import { readAgents, readArbitrators, readDeposits } from '@svc/sdk/internal/chain/readAgents';
import { readFigures } from '@svc/sdk/internal/chain/readMarket';
import type { Hex } from 'viem';
import { createClaimService } from '#claims/prepareClaim.ts';
import { createReceiptService } from '#claims/receipts.ts';
import { buildFees, buildReputationBoard, buildTreasury, buildVerifierBoard } from '#market/boards.ts';
import { createHealth } from '#market/marketHealth.ts';
import { buildTreasuryHistory } from '#market/treasuryHistory.ts';
import { priceClaim } from '#payments/claimPrice.ts';
import { createFacilitator, type FacilitatorChoice } from '#payments/facilitator.ts';
import { createPaymentService, type PaymentService } from '#payments/takePayments.ts';
import { createActivityStore } from '#store/activity.ts';
import { createAgentStore } from '#store/agents.ts';
import { loadWhole } from '#store/chainRow.ts';
import { createPaymentStore } from '#store/payments.ts';
import { createReceiptStore } from '#store/receipts.ts';
import { createFactStore } from '#store/rememberedAnswers.ts';
import { createMemory } from './chainAnswers.ts';
import { observeOutcomes } from './observe.ts';
import type { OpenMarket } from './openMarket.ts';

/** Blocks come every two seconds. */
const maxAgeMs = 2_000;
/** Weeks change slowly, and each reading counts the newest blocks again. */
const healthAgeMs = 5_000;

/** Read from the chain and from the rows; the last value is kept for when the chain is unreachable. */
export function createBoards(
  { database, identity, rpc, deployment, chainAnswers, now }: OpenMarket,
  claimPriceUsdc: string | null,
) {
  const store = createAgentStore(database, identity);
  const remember = createMemory(database, identity);

  /** Sums over some of the events would be wrong, so there is no reply until all events are read. */
  async function loadComplete<T>(load: () => Promise<T>): Promise<T> {
    const found = await loadWhole(database, identity, load);
    if (found === null) throw new SvcError('NOT_READY', {});
    return found;
  }

  function createOf(market: Market) {
    const contracts = contractsOf(deployment, market);
    const figures = () => readFigures(rpc, contracts);
    return {
      reputation: remember(`reputation:${market}`, maxAgeMs, async () => {
        const [earned, ended] = await loadComplete(() =>
          Promise.all([store.loadEarnings(market), store.loadEndedDisputes(market)]),
        );
        return buildReputationBoard(market, await readAgents(rpc, contracts), earned, ended);
      }),
      verifiers: remember(`verifiers:${market}`, maxAgeMs, async () => {
        const [found, { arbitratorMinBondTokWei }] = await Promise.all([
          readArbitrators(rpc, contracts),
          figures(),
        ]);
        return buildVerifierBoard(market, found, arbitratorMinBondTokWei);
      }),
      treasury: remember(`treasury:${market}`, maxAgeMs, async () => {
        const depositors = await loadComplete(() => store.loadDepositors(market));
        return buildTreasury(market, await readDeposits(rpc, contracts, depositors), await figures());
      }),
      treasuryHistory: remember(`treasuryHistory:${market}`, maxAgeMs, async () =>
        buildTreasuryHistory(market, await loadComplete(() => store.loadCollateralMoves(market))),
      ),
      fees: remember(`fees:${market}`, 60_000, async () => {
        const { postingPlans } = await chainAnswers.siteConfig(market);
        return buildFees(market, await figures(), postingPlans, claimPriceUsdc);
      }),
    };
  }

  const { loadFact, saveFact } = createFactStore(database, identity);
  const readHealth = createHealth({
    store: createActivityStore(database, identity),
    loadKept: () => loadFact('healthSums'),
    saveKept: (text) => saveFact('healthSums', text),
    now,
  });
  const health = remember('health', healthAgeMs, () => loadComplete(readHealth));
  const boards = { standard: createOf('standard'), micro: createOf('micro') };
  return {
    reputation: (market: Market) => boards[market].reputation(),
    verifiers: (market: Market) => boards[market].verifiers(),
    treasury: (market: Market) => boards[market].treasury(),
    treasuryHistory: (market: Market) => boards[market].treasuryHistory(),
    health: async (market: Market) => (await health())[market],
    fees: (market: Market) => boards[market].fees(),
  };
}

export type PaymentOptions = {
  /** Settles payments. */
  readonly rpc: Rpc;
  /** Signs receipts. */
  readonly gatewayKey: Hex;
  readonly facilitator: FacilitatorChoice;
  /** Default: the treasury of the deployment. */
  readonly payTo: Address | undefined;
  readonly claimPriceUsdc: string;
};

export function createPaidServices(market: OpenMarket, options: PaymentOptions) {
  const { deployment, database, identity, rpc, now } = market;
  const { chainId } = deployment;
  const facilitator = createFacilitator(options.facilitator, options.rpc, chainId);
  // Without payments as well, so that a dashboard shows none rather than nothing.
  const outcomes = observeOutcomes(market.metrics, 'payments');
  const cacheFigures = (of: Market) =>
    cacheFor(maxAgeMs, () => readFigures(rpc, contractsOf(deployment, of)));
  // Every claim needs them and they rarely change; the simulation of the call decides in the end.
  const figures = { standard: cacheFigures('standard'), micro: cacheFigures('micro') };
  const contracts = {
    standard: contractsOf(deployment, 'standard'),
    micro: contractsOf(deployment, 'micro'),
  };
  const reads = { ...createActionReads(rpc, contracts), readFigures: (of: Market) => figures[of]() };
  const access = { chainId, contracts, reads, readQuota: async () => null };
  return {
    price: facilitator && priceClaim(deployment, options),
    payments:
      facilitator &&
      countPayments(
        createPaymentService({
          store: createPaymentStore(database, identity),
          facilitator,
          rpc,
          now,
        }),
        outcomes,
      ),
    receipts: createReceiptService({
      key: options.gatewayKey,
      chainId,
      now,
      ...createReceiptStore(database, identity),
    }),
    claims: createClaimService(access, now),
  };
}

/** A payment is done when its money came; one that cannot be held has failed before. */
function countPayments(
  { hold }: PaymentService,
  { end, fail }: ReturnType<typeof observeOutcomes>,
): PaymentService {
  return {
    hold: async (...args) => {
      const held = await hold(...args).catch(fail);
      return { ...held, settle: () => end(held.settle()) };
    },
  };
}

/** One read for all callers within `lifetimeMs`; a failed read is not kept. */
function cacheFor<T>(lifetimeMs: number, read: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | null = null;
  let readAt = 0;
  return () => {
    if (cached !== null && performance.now() - readAt < lifetimeMs) return cached;
    readAt = performance.now();
    const reading = read();
    cached = reading;
    reading.catch(() => {
      if (cached === reading) cached = null;
    });
    return reading;
  };
}
