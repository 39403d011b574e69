// How keeper events and surveys are shown: as text, and as lines of JSON.

import { SvcError } from '@svc/sdk/domain';
import { explainChainError } from '@svc/sdk/internal/chain/chainClient';
import { formatMoment } from '@svc/sdk/internal/domain/amount';
import { formatGwei } from 'viem';
import type { Exit } from '../keeper/exit.ts';
import type { KeeperEvent } from '../keeper/keeper.ts';
import type { Survey } from '../keeper/trial.ts';

export function describeEvent(event: KeeperEvent): string {
  switch (event.kind) {
    case 'called':
      return `${nameExit(event.exit)}: called, ${event.gasUsed} gas, ${event.transaction}`;
    case 'closed':
      return `${nameExit(event.exit)}: no longer open. ${event.reason}`;
    case 'lost':
      return `${nameExit(event.exit)}: another account was first. ${event.reason}`;
    case 'left':
      return `${nameExit(event.exit)}: sent, not yet mined, ${event.transaction}`;
    case 'failed':
      return `${nameExit(event.exit)}: failed, will be retried. ${explain(event.error)}`;
    case 'waiting':
      return `Waiting for ${event.transactions} earlier transactions to be mined.`;
    case 'stuck':
      return `${event.transactions} earlier transactions are not mined; they are replaced with higher fees.`;
    case 'capped':
      return `${event.transactions} transactions wait: the fee to replace them would exceed SVC_KEEPER_MAX_GWEI.`;
    case 'expensive':
      return `Gas costs ${formatGwei(event.gasPriceWei)} gwei, more than SVC_KEEPER_MAX_GWEI; ${event.exits} exits wait.`;
    case 'unreadable':
      return `The chain could not be read; retrying. ${explain(event.error)}`;
  }
}

/** The fields of an event for programs, without URLs and stacks, which may contain secrets. */
export function toFields({ kind: _, ...event }: KeeperEvent): object {
  const fields = Object.entries(event).map(([name, value]) => {
    if (name === 'exit') return exitFields(value as Exit);
    if (name === 'error') return { reason: explain(value) };
    return { [name]: typeof value === 'bigint' ? String(value) : value };
  });
  return Object.assign({}, ...fields);
}

export function describeSurvey({ block, exits }: Survey): string {
  const total = exits.reduce((sum, { gas }) => sum + gas, 0n);
  const rows = exits.map(
    ({ exit, gas }) => `${nameExit(exit)}: open since ${formatMoment(exit.from)}, ${gas} gas`,
  );
  return [...rows, `${exits.length} exits are open at block ${block}, ${total} gas in all.`].join('\n');
}

export function formatSurvey({ block, time, exits }: Survey): string {
  const open = exits.map(({ exit, gas }) => ({ ...exitFields(exit), gas: String(gas) }));
  return JSON.stringify({ block: Number(block), time, open });
}

function nameExit({ taskId, state, action }: Exit): string {
  return `${taskId} ${state} ${action}`;
}

function exitFields({ taskId, state, action, from }: Exit): object {
  return { taskId, state, action, openSince: from };
}

function explain(error: unknown): string {
  const known = explainChainError(error);
  if (known instanceof SvcError) return known.message;
  return known instanceof Error ? known.name : 'Unknown failure';
}
