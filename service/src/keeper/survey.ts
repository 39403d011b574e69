// What a keeper would do now, without doing it.
import type { MarketContracts, Rpc } from '@svc/sdk/chain';
import type { Address, Market } from '@svc/sdk/domain';
import type { Exit } from './exit.ts';
import { inParallel } from './parallel.ts';
import { tryExit } from './trial.ts';
import { createWatch } from './watch.ts';

export type Survey = {
  readonly block: bigint;
  readonly time: number;
  /** Cheapest first, as they would be called. */
  readonly exits: readonly { readonly exit: Exit; readonly gas: bigint }[];
};

export type SurveyOptions = {
  readonly rpc: Rpc;
  readonly contracts: Readonly<Record<Market, MarketContracts>>;
  /** Who would call; what an exit costs does not depend on it. */
  readonly from: Address;
};

export async function readSurvey({ rpc, contracts, from }: SurveyOptions): Promise<Survey> {
  const { block, time, exits } = await createWatch({ rpc, contracts, sweepMs: 0 })();
  const tried = await inParallel(exits, async (exit) => ({ exit, trial: await tryExit(rpc, from, exit) }));
  const open = tried.flatMap(({ exit, trial }) => (trial.isOpen ? [{ exit, gas: trial.gas }] : []));
  return { block, time, exits: open.sort((left, right) => Number(left.gas - right.gas)) };
}
