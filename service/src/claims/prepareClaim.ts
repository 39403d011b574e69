// A claim as the gateway prepares it: readiness, then the unsigned call of the catalog. Nothing is sent.
import { type MarketAccess, prepareAction } from '@svc/sdk/actions';
import { type Address, formatTaskId, type Market, SvcError, type TaskKey } from '@svc/sdk/domain';
import { requireTask } from '@svc/sdk/internal/actions/reads';
import type { FeeAction } from '@svc/sdk/internal/domain/state';
import type { Readiness } from '../contract/claiming.ts';
import { buildReadiness } from './readiness.ts';

export type ClaimService = ReturnType<typeof createClaimService>;

export function createClaimService(access: MarketAccess, now: () => number) {
  const { reads } = access;

  async function loadFacts(payer: Address, market: Market, key: TaskKey | null) {
    const [wallet, figures, task] = await Promise.all([
      reads.readWallet(market, payer),
      reads.readFigures(market),
      key === null ? null : requireTask(reads, key),
    ]);
    return { payer, wallet, figures, task, now: now() };
  }

  return {
    checkReadiness: async (payer: Address, action: FeeAction, market: Market, key: TaskKey | null) =>
      buildReadiness({ ...(await loadFacts(payer, market, key)), action }),

    /** Throws where the claim would fail, so that nobody pays for one that cannot succeed. */
    prepare: async (key: TaskKey, payer: Address) => {
      const facts = await loadFacts(payer, key.market, key);
      const readiness = buildReadiness({ ...facts, action: 'claim' });
      if (!readiness.ready) throw notReady(readiness);
      // The call is built on the facts that were checked, and nobody asks here what its gas costs.
      const known = {
        ...reads,
        readTask: async () => facts.task,
        readWallet: async () => facts.wallet,
        readFigures: async () => facts.figures,
        readBaseFee: async () => null,
      };
      const taskId = formatTaskId(key);
      const prepared = await prepareAction('claim-task', { taskId, from: payer }, async () => ({
        ...access,
        reads: known,
      }));
      if (prepared.kind !== 'calls') throw new TypeError('a claim is made by calls');
      const { simulation, chainId, calls, sendCalls, eip5792, settlementDigest } = prepared;
      if (simulation.status === 'reverted')
        throw new SvcError('CLAIM_REFUSED', { reason: simulation.reason });
      return { taskId, payer, chainId, calls, sendCalls, eip5792, settlementDigest };
    },
  };
}

export function notReady(readiness: Readiness): SvcError {
  const missing = readiness.checks.filter(({ ok, required }) => required && !ok).map(({ id }) => id);
  return new SvcError('NOT_READY_TO_ACT', { reason: missing.join(', '), readiness });
}
