// Tries a sequence of calls of one wallet on the chain as it is now, without sending anything.

import { multicall3Abi } from '@svc/contracts/abi';
import { multicall3RuntimeBytecode } from '@svc/contracts/bytecode';
import { decodeFunctionResult, encodeFunctionData, type Hex, hexToBigInt, hexToBytes } from 'viem';
import type { Address } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import type { Call } from './encodeCall.ts';
import { callFrom, type Question } from './questions.ts';
import { decodeRevert, type Revert } from './revert.ts';
import type { Asker } from './rpc.ts';

export type Simulation =
  /** What it takes to send each call by itself; null where the node cannot tell. */
  | { readonly status: 'success'; readonly gas: bigint | null }
  | { readonly status: 'reverted'; readonly at: number; readonly revert: Revert }
  /** The node cannot try them together: those from `at` on depend on calls that are not mined. */
  | { readonly status: 'partial'; readonly at: number };

/**
 * With the code of Multicall3 put at the wallet's own address for the length of one eth_call, every call of the
 * sequence comes from the wallet and sees what those before it did. Unlike eth_simulateV1, the embedded chain and all
 * common nodes can do this; no storage layout of a token has to be known.
 */
export async function simulateCalls(rpc: Asker, from: Address, calls: readonly Call[]): Promise<Simulation> {
  const results = await rpc.ask(together(from, calls)).catch((error: unknown) => {
    if (error instanceof SvcError && error.code === 'CHAIN_REFUSED') return null;
    throw error;
  });
  if (results === null) return simulateFirst(rpc, from, calls);
  const at = results.findIndex(({ success }) => !success);
  if (at === -1) return { status: 'success', gas: sumGas(calls, results) };
  return { status: 'reverted', at, revert: decodeRevert(results[at]?.returnData ?? '0x') };
}

type Tried = { readonly success: boolean; readonly returnData: Hex };
/** With what it used up, all that comes with being tried included. */
type Outcome = Tried & { readonly used: bigint };

/** GAS PUSH0 MSTORE PUSH1 32 PUSH0 RETURN: answers how much gas is left. It needs a place where no code is. */
const gasMeter = { address: '0x00000000000000000000000000000000006a5e7e', code: '0x5a5f5260205ff3' } as const;

function sumGas(calls: readonly Call[], results: readonly Outcome[]): bigint {
  return calls.reduce((sum, { data }, at) => sum + baseGasOf(data) + (results[at]?.used ?? 0n), 0n);
}

/** What every transaction costs before its first step (EIP-2028). */
function baseGasOf(data: Hex): bigint {
  const bytes = hexToBytes(data);
  return bytes.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 21_000n);
}

/** Null where the node paid no heed to the override. Between the calls the gas meter is asked. */
function together(from: Address, calls: readonly Call[]): Question<readonly Outcome[] | null> {
  const read = { target: gasMeter.address, allowFailure: true, callData: '0x' } as const;
  const tries = calls.flatMap(({ to, data }) => [{ target: to, allowFailure: true, callData: data }, read]);
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [[read, ...tries]],
  });
  const question = callFrom(
    { from, to: from, data },
    { [from]: { code: multicall3RuntimeBytecode }, [gasMeter.address]: { code: gasMeter.code } },
  );
  return {
    ...question,
    parse: (result) => {
      const answer = question.parse(result);
      if (answer === '0x') return null;
      const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: answer });
      return calls.map((_, at) => ({ ...(results[2 * at + 1] as Tried), used: usedBetween(results, at) }));
    },
  };
}

/** A call is given 63 of 64 parts of what is left, and so is the meter. */
function usedBetween(results: readonly Tried[], at: number): bigint {
  const [before, after] = [2 * at, 2 * at + 2].map((one) => hexToBigInt(results[one]?.returnData ?? '0x0'));
  return (((before ?? 0n) - (after ?? 0n)) * 64n) / 63n;
}

async function simulateFirst(rpc: Asker, from: Address, calls: readonly Call[]): Promise<Simulation> {
  const [first] = calls;
  if (first === undefined) return { status: 'success', gas: 0n };
  try {
    await rpc.ask(callFrom({ from, to: first.to, data: first.data }));
  } catch (error) {
    const { data } = error instanceof SvcError ? error.details : {};
    if (typeof data !== 'string') throw error;
    return { status: 'reverted', at: 0, revert: decodeRevert(data as Hex) };
  }
  return calls.length === 1 ? { status: 'success', gas: null } : { status: 'partial', at: 1 };
}
