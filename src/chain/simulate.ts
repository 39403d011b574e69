// Tries a sequence of calls of one wallet on the chain as it is now, without sending anything.
import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import type { Address } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import { multicall3Abi } from './abi/multicall3.ts';
import { multicall3RuntimeBytecode } from './bytecode/multicall3.ts';
import type { Call } from './calls/encode.ts';
import { callFrom, type Question } from './questions.ts';
import { decodeRevert, type Revert } from './revert.ts';
import type { Rpc } from './rpc.ts';

export type Simulation =
  | { readonly status: 'success' }
  | { readonly status: 'reverted'; readonly at: number; readonly revert: Revert }
  /** The node cannot try them together: those from `at` on depend on calls that are not mined. */
  | { readonly status: 'partial'; readonly at: number };

/**
 * With the code of Multicall3 put at the wallet's own address for the length of one eth_call, every call of the
 * sequence comes from the wallet and sees what those before it did. Unlike eth_simulateV1, the embedded chain and all
 * common nodes can do this; no storage layout of a token has to be known.
 */
export async function simulateCalls(rpc: Rpc, from: Address, calls: readonly Call[]): Promise<Simulation> {
  const results = await rpc.ask(together(from, calls)).catch((error: unknown) => {
    if (error instanceof SvcError && error.code === 'CHAIN_REFUSED') return null;
    throw error;
  });
  if (results === null) return simulateFirst(rpc, from, calls);
  const at = results.findIndex(({ success }) => !success);
  if (at === -1) return { status: 'success' };
  return { status: 'reverted', at, revert: decodeRevert(results[at]?.returnData ?? '0x') };
}

type Outcome = { readonly success: boolean; readonly returnData: Hex };

/** Null where the node paid no heed to the override. */
function together(from: Address, calls: readonly Call[]): Question<readonly Outcome[] | null> {
  const tries = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }));
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [tries] });
  const question = callFrom({ from, to: from, data }, { [from]: { code: multicall3RuntimeBytecode } });
  return {
    ...question,
    parse: (result) => {
      const answer = question.parse(result);
      if (answer === '0x') return null;
      return decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: answer });
    },
  };
}

async function simulateFirst(rpc: Rpc, from: Address, calls: readonly Call[]): Promise<Simulation> {
  const [first] = calls;
  if (first === undefined) return { status: 'success' };
  try {
    await rpc.ask(callFrom({ from, to: first.to, data: first.data }));
  } catch (error) {
    const { data } = error instanceof SvcError ? error.details : {};
    if (typeof data !== 'string') throw error;
    return { status: 'reverted', at: 0, revert: decodeRevert(data as Hex) };
  }
  return calls.length === 1 ? { status: 'success' } : { status: 'partial', at: 1 };
}
