// Watches what an open dialog rests on, and reads it again before each signature.
import { parseTaskRecord, type WriteAction } from '@svc/sdk/actions';
import { useEffect, useRef, useState } from 'react';
import { useNow } from '../components/Clock.tsx';
import { queries } from '../data/client.ts';
import type { Task } from '../data/market.ts';
import { queryKeys } from '../data/queryKeys.ts';
import { type Plan, useMarketAccess } from './marketAccess.ts';
import { findCostChange, findTaskChange } from './premise.ts';
import type { Sending } from './useSending.ts';
import { useWallet } from './useWallet.tsx';

type Watched = {
  readonly action: WriteAction;
  /** As the page has it now; undefined where the action is not about a task. */
  readonly task: Task | undefined;
  readonly plan: Plan | undefined;
  /** Null while the form is not complete. */
  readonly planAgain: (() => Promise<Plan>) | null;
  readonly sending: Pick<Sending, 'mayAsk'>;
  /** What else has changed, in a sentence. */
  readonly outer: string | null;
};

export type Premise = Pick<ReturnType<typeof usePremise>, 'change' | 'check'> & {
  /** Where there is nothing to close: goes on with what holds now. */
  readonly accept?: () => void;
};

/** `change` is a sentence once what the reader saw at first no longer holds. */
export function usePremise({ action, task: record, plan, planAgain, sending, outer }: Watched) {
  const wallet = useWallet()?.address;
  const access = useMarketAccess();
  const now = useNow();
  const latest = useRef({ now, outer });
  useEffect(() => {
    latest.current = { now, outer };
  }, [now, outer]);
  const task = record === undefined ? undefined : parseTaskRecord(record);
  const [seen] = useState(task);
  const [stopped, setStopped] = useState<string | null>(null);
  // Other arguments or another wallet have costs of their own.
  const [shown, setShown] = useState(plan);
  if (plan !== undefined && plan.subject !== shown?.subject) setShown(plan);

  const taskChange =
    seen === undefined || task === undefined || wallet === undefined
      ? null
      : findTaskChange(action, seen, task, { wallet, now });
  const costChange =
    plan === undefined || shown === undefined ? null : findCostChange(shown.costs, plan.costs);

  /** Throws the sentence. */
  const check = async () => {
    const change = await findChange();
    if (change === null) return;
    setStopped(change);
    if (record !== undefined) void queries.invalidateQueries({ queryKey: queryKeys.task(record.id) });
    throw new Error(change);
  };
  const findChange = async () => {
    if (latest.current.outer !== null) return latest.current.outer;
    if (seen !== undefined && wallet !== undefined) {
      const current = await access?.reads.readTask(seen.market, seen.number);
      const change = current && findTaskChange(action, seen, current, { wallet, now: latest.current.now });
      if (change) return change;
    }
    if (planAgain === null || shown === undefined) return null;
    return findCostChange(shown.costs, (await planAgain()).costs);
  };
  /** The reader has seen how things are now. */
  const accept = () => {
    setShown(plan);
    setStopped(null);
  };
  // After the last signature it is the reader's own action that changes the task.
  return { change: sending.mayAsk ? (stopped ?? outer ?? taskChange ?? costChange) : null, check, accept };
}
