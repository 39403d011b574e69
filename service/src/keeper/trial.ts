// Tries an exit on the chain as it is now: what it would cost, or that it is not, or no longer, to be had.

import type { Rpc } from '@svc/sdk/chain';
import { decodeRevert, gasOf } from '@svc/sdk/chain';
import type { Address } from '@svc/sdk/domain';
import { SvcError } from '@svc/sdk/domain';
import type { Hex } from 'viem';
import type { Exit } from './exit.ts';

export type Trial =
  | { readonly isOpen: true; readonly gas: bigint }
  /** A contract refuses: somebody else was first, or the task has moved on. */
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
