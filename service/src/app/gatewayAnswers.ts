// The gateway's boards, read from the chain and from the rows of the follower.
import { contractsOf, readAgents, readArbitrators, readDeposits, readFigures } from '@svc/sdk/chain';
import { type Market, markets, SvcError } from '@svc/sdk/domain';
import { buildFees, buildReputationBoard, buildTreasury, buildVerifierBoard } from '#market/boards.ts';
import { buildTreasuryHistory } from '#market/treasuryHistory.ts';
import { createAgentStore } from '#store/agents.ts';
import { loadWhole } from '#store/head.ts';
import { createMemory } from './memory.ts';
import type { ReadSide } from './readSide.ts';

/** Blocks come every two seconds. */
const maxAgeMs = 2_000;

/** Each is remembered for when the chain is away. */
export function createGatewayAnswers(readSide: ReadSide, claimPriceUsdc: string | null) {
  const { database, identity, rpc, deployment, chainAnswers } = readSide;
  const store = createAgentStore(database, identity);
  const remember = createMemory(database, identity);

  /** Sums over a part of the events would be wrong ones, so there are none until all are read. */
  async function whole<T>(load: () => Promise<T>): Promise<T> {
    const found = await loadWhole(database, identity, load);
    if (found === null) throw new SvcError('NOT_READY', {});
    return found;
  }

  function createOf(market: Market) {
    const contracts = contractsOf(deployment, market);
    const figures = () => readFigures(rpc, contracts);
    return {
      reputation: remember(`reputation:${market}`, maxAgeMs, async () => {
        const earned = await whole(() => store.loadEarnings(market));
        return buildReputationBoard(market, await readAgents(rpc, contracts), earned);
      }),
      verifiers: remember(`verifiers:${market}`, maxAgeMs, async () => {
        const [found, { arbitratorMinBondTokWei }] = await Promise.all([
          readArbitrators(rpc, contracts),
          figures(),
        ]);
        return buildVerifierBoard(market, found, arbitratorMinBondTokWei);
      }),
      treasury: remember(`treasury:${market}`, maxAgeMs, async () => {
        const depositors = await whole(() => store.loadDepositors(market));
        return buildTreasury(market, await readDeposits(rpc, contracts, depositors), await figures());
      }),
      treasuryHistory: remember(`treasuryHistory:${market}`, maxAgeMs, async () =>
        buildTreasuryHistory(market, await whole(() => store.loadCollateralMoves(market))),
      ),
      fees: remember(`fees:${market}`, 60_000, async () => {
        const { postingPlans } = await chainAnswers.siteConfig(market);
        return buildFees(market, await figures(), postingPlans, claimPriceUsdc);
      }),
    };
  }

  const answers = Object.fromEntries(markets.map((market) => [market, createOf(market)])) as Record<
    Market,
    ReturnType<typeof createOf>
  >;
  return {
    reputation: (market: Market) => answers[market].reputation(),
    verifiers: (market: Market) => answers[market].verifiers(),
    treasury: (market: Market) => answers[market].treasury(),
    treasuryHistory: (market: Market) => answers[market].treasuryHistory(),
    fees: (market: Market) => answers[market].fees(),
  };
}
