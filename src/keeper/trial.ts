// Tries an exit on the chain as it is now: what it would cost, or that it is not, or no longer, to be had.
import type { Hex } from 'viem';
import { gasOf } from '#chain/questions.ts';
import { decodeRevert } from '#chain/revert.ts';
import type { Rpc } from '#chain/rpc.ts';
import type { Address } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
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
