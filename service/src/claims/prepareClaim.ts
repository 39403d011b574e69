// A claim as the gateway prepares it: readiness, terms and the unsigned call. Nothing is sent.
import type { Address, Hash, Market, Task } from '@svc/sdk/domain';
import { formatTaskId, networkOf, SvcError, type TaskKey } from '@svc/sdk/domain';
import type { Readiness, ReceiptAction } from '@svc/sdk/schemas';
import { buildReadiness, type ReadyFigures, type ReadyWallet } from './readiness.ts';

type Call = { readonly to: Address; readonly value: '0x0'; readonly data: Hash };

export type ClaimNeeds = {
  readonly chainId: number;
  /** Null where there is no such task. */
  readonly readTask: (key: TaskKey) => Promise<Task | null>;
  readonly readWallet: (market: Market, wallet: Address) => Promise<ReadyWallet>;
  readonly readFigures: (market: Market) => Promise<ReadyFigures>;
  readonly readOpenDigest: (key: TaskKey, worker: Address) => Promise<Hash>;
  readonly encodeClaim: (key: TaskKey, expectedDigest: Hash) => readonly Call[];
  /** Why the calls would fail; null if they would succeed or the outcome is unknown. */
  readonly findRevert: (from: Address, calls: readonly Call[]) => Promise<string | null>;
  readonly now: () => number;
};

export type ClaimService = ReturnType<typeof createClaimService>;

export function createClaimService(needs: ClaimNeeds) {
  const { chainId, readTask, readWallet, readFigures, readOpenDigest, encodeClaim, findRevert, now } = needs;

  async function checkReadiness(
    payer: Address,
    action: ReceiptAction,
    market: Market,
    key: TaskKey | null,
  ): Promise<Readiness> {
    const [wallet, figures, task] = await Promise.all([
      readWallet(market, payer),
      readFigures(market),
      key === null ? null : loadTask(key),
    ]);
    return buildReadiness({ payer, action, wallet, figures, task, now: now() });
  }

  async function loadTask(key: TaskKey): Promise<Task> {
    const task = await readTask(key);
    if (task === null) throw new SvcError('TASK_NOT_FOUND', { taskId: formatTaskId(key) });
    return task;
  }

  return {
    checkReadiness,

    /** Throws where the claim would fail, so that nobody pays for one that cannot succeed. */
    prepare: async (key: TaskKey, payer: Address) => {
      const readiness = await checkReadiness(payer, 'claim', key.market, key);
      if (!readiness.ready) throw notReady(readiness);
      const settlementDigest = await readOpenDigest(key, payer);
      const calls = encodeClaim(key, settlementDigest);
      const reason = await findRevert(payer, calls);
      if (reason !== null) throw new SvcError('CLAIM_REFUSED', { reason });
      return {
        taskId: formatTaskId(key),
        payer,
        chainId,
        calls,
        sendCalls: { chain: networkOf(chainId), calls },
        eip5792: {
          version: '2.0.0',
          chainId: `0x${chainId.toString(16)}`,
          from: payer,
          atomicRequired: false,
          calls,
        },
        settlementDigest,
      };
    },
  };
}

export function notReady(readiness: Readiness): SvcError {
  const missing = readiness.checks.filter(({ ok, required }) => required && !ok).map(({ id }) => id);
  return new SvcError('NOT_READY_TO_ACT', { reason: missing.join(', '), readiness });
}
