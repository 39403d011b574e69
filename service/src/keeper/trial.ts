// Tries exits on the chain without sending anything: one exit, or all that are open now.

import type { MarketContracts, Rpc } from '@svc/sdk/chain';
import { decodeRevert } from '@svc/sdk/chain';
import type { Address, Market } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import { gasOf } from '@svc/sdk/internal/chain/rpcRequests';
import type { Hex } from 'viem';
import { inParallel } from '../store/inParallel.ts';
import type { Exit } from './exit.ts';
import { createWatch } from './watch.ts';

/** Nodes accept 16 pending transactions of one account. */
export const exitsAtOnce = 8;

type Trial =
  | { readonly isOpen: true; readonly gas: bigint }
  /** A contract reverts: another caller was first, or the task has changed. */
  | { readonly isOpen: false; readonly reason: string };

export async function tryExit(rpc: Rpc, from: Address, { call }: Exit): Promise<Trial> {
  try {
    const gas = await rpc.ask(gasOf({ from, to: call.to, data: call.data }));
    return { isOpen: true, gas };
  } catch (error) {
    const { data } = error instanceof SvcError ? error.details : {};
    if (typeof data !== 'string') throw error;
    return { isOpen: false, reason: decodeRevert(data as Hex).sentence };
  }
}

/** What a keeper would call now. */
export type Survey = {
  readonly block: bigint;
  readonly time: number;
  /** Cheapest first, as they would be called. */
  readonly exits: readonly { readonly exit: Exit; readonly gas: bigint }[];
};

type SurveyOptions = {
  readonly rpc: Rpc;
  readonly contracts: Readonly<Record<Market, MarketContracts>>;
  /** The caller; the cost of an exit does not depend on it. */
  readonly from: Address;
};

export async function readSurvey({ rpc, contracts, from }: SurveyOptions): Promise<Survey> {
  const { block, time, exits } = await createWatch({ rpc, contracts, sweepMs: 0 })();
  const tried = await inParallel(exits, exitsAtOnce, async (exit) => ({
    exit,
    trial: await tryExit(rpc, from, exit),
  }));
  const open = tried.flatMap(({ exit, trial }) => (trial.isOpen ? [{ exit, gas: trial.gas }] : []));
  return { block, time, exits: open.sort((left, right) => Number(left.gas - right.gas)) };
}
