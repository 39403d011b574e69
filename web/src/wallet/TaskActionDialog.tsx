// The dialog of an action on a task, with the form that it needs.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Task, useSiteConfig } from '#data/market.ts';
import { ActionDialog } from './ActionDialog.tsx';
import { ActionFields, defaultInput } from './ActionFields.tsx';
import { actionWords } from './actionWords.ts';
import { buildPlan } from './plan.ts';
import { type Contracts, usePurse } from './readPurse.ts';
import { SettleForm } from './SettleForm.tsx';
import { explainError } from './send.ts';
import { type ActionInput, buildTaskNeeds } from './taskNeeds.ts';
import { useWallet } from './useWallet.tsx';

type Props = { readonly action: string; readonly task: Task; readonly onClose: () => void };

export function TaskActionDialog({ action, task, onClose }: Props) {
  const [input, setInput] = useState<ActionInput>(() => defaultInput(action, task));
  const plan = useTaskPlan(action, task, input);
  const words = actionWords[action];
  if (words === undefined) return null;
  return (
    <ActionDialog
      words={words}
      plan={plan.data}
      isPlanning={plan.isPlanning}
      error={plan.error}
      onClose={onClose}
    >
      {action === 'mutual-settle' ? (
        <SettleForm task={task} input={input} onInput={setInput} />
      ) : (
        <ActionFields action={action} task={task} input={input} onInput={setInput} />
      )}
    </ActionDialog>
  );
}

function useTaskPlan(action: string, task: Task, input: ActionInput) {
  const wallet = useWallet();
  const purse = usePurse(task.market);
  const site = useSiteConfig(task.market);
  const client = wallet?.client ?? null;
  const isReady = client !== null && purse.data !== undefined && site.data !== undefined;
  const query = useQuery({
    queryKey: ['plan', action, task.id, task.updatedAt, wallet?.address, input, purse.dataUpdatedAt],
    enabled: isReady,
    retry: false,
    gcTime: 0,
    placeholderData: (before) => before,
    queryFn: async () => {
      if (!isReady) throw new Error('the wallet is not ready');
      const contracts = site.data.contracts as Contracts;
      const needs = await buildTaskNeeds(action, task, contracts, client, input);
      return buildPlan(contracts, purse.data, needs);
    },
  });
  const error = query.error ?? purse.error ?? site.error;
  return {
    data: error === null ? query.data : undefined,
    isPlanning: query.isPlaceholderData,
    error: error === null ? null : explainError(error),
  };
}
