// What a wallet did as poster and as worker, counted from its newest tasks.

import type { RoleRecord } from '@svc/sdk/client';
import { type Address, isTerminal, type Market, markets } from '@svc/sdk/domain';
import type { StoredTask } from '../store/taskRow.ts';
import type { TaskStore } from '../store/tasks.ts';

type Role = 'poster' | 'worker';

/** Older work says less, and a wallet with many tasks must not cost more than others. */
const maxTasks = 200;

/** Points for work that was paid in full: the first task with a wallet counts most, since one's own wallets are free. */
const points = { first: 10, further: 2, maxFurther: 5, lost: -10 } as const;

export type WalletRecords = ReturnType<typeof createWalletRecords>;

export function createWalletRecords({ loadPage }: Pick<TaskStore, 'loadPage'>) {
  const read = async (role: Role, market: Market, address: Address): Promise<RoleRecord> =>
    countRecord(await loadPage({ list: role, market, address, limit: maxTasks }), role);

  return {
    /** Of both markets. */
    all: (address: Address) =>
      Promise.all(
        markets.map(async (market) => ({
          market,
          poster: await read('poster', market, address),
          worker: await read('worker', market, address),
        })),
      ),
    /** The score as a worker, of both markets together. */
    score: async (address: Address): Promise<number> => {
      const found = await Promise.all(markets.map((market) => read('worker', market, address)));
      return found.reduce((sum, { score }) => sum + score, 0);
    },
  };
}

function countRecord(tasks: readonly StoredTask[], role: Role): RoleRecord {
  const worked = tasks.filter(({ task }) => task.worker !== null);
  const ended = worked.filter(({ task }) => isTerminal(task.state));
  const paid = ended.filter(({ task }) => task.state === 'COMPLETED');
  const disputed = worked.filter(({ facts }) => facts.dispute.openedAt !== null);
  const other = ({ task }: StoredTask) => (role === 'poster' ? task.worker : task.poster) as Address;
  const paidWith = new Map<Address, number>();
  for (const one of paid) paidWith.set(other(one), (paidWith.get(other(one)) ?? 0) + 1);
  const earned = [...paidWith.values()].reduce(
    (sum, count) => sum + points.first + points.further * Math.min(count - 1, points.maxFurther),
    0,
  );
  const lost = disputed.filter((one) => isLost(one, role)).length;
  return {
    tasks: tasks.length,
    ended: ended.length,
    paidInFull: paid.length,
    disputed: disputed.length,
    counterparties: new Set(worked.map(other)).size,
    medianPaySeconds: median(
      paid.flatMap(({ task, facts }) =>
        facts.deliveredAt === null ? [] : [Math.max(0, task.updatedAt - facts.deliveredAt)],
      ),
    ),
    score: earned + points.lost * lost,
  };
}

/** By a ruling or by silence; a settlement has no loser. */
function isLost({ facts: { dispute } }: StoredTask, role: Role): boolean {
  const { outcome, workerBps } = dispute;
  const share = dispute.ruling?.workerBps ?? workerBps;
  if (outcome === null || outcome === 'settled' || share === null) return false;
  return role === 'poster' ? share > 5_000 : share < 5_000;
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
