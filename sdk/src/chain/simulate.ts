// Simulates a sequence of calls of one wallet on the current state of the chain. It sends no transaction.
import { multicall3Abi } from '@svc/contracts/abi';
import { multicall3RuntimeBytecode } from '@svc/contracts/bytecode';
import { decodeFunctionResult, encodeFunctionData, type Hex, hexToBigInt, hexToBytes } from 'viem';
import type { Address } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import type { Call } from './encodeCall.ts';
import { decodeRevert, type Revert } from './revert.ts';
import type { Asker } from './rpc.ts';
import { callFrom, type RpcRequest } from './rpcRequests.ts';

export type Simulation =
  /** The gas of all calls sent one by one; null if the node cannot estimate it. */
  | { readonly status: 'success'; readonly gas: bigint | null }
  | { readonly status: 'reverted'; readonly at: number; readonly revert: Revert }
  /** The node cannot simulate them together: calls from `at` on depend on earlier ones that are not mined. */
  | { readonly status: 'partial'; readonly at: number };

/**
 * One eth_call overrides the code at the wallet's address with Multicall3, so every call comes from the wallet and sees
 * the effects of the calls before it. The embedded chain and all common nodes support this, unlike eth_simulateV1.
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
/** With the gas used, including the overhead of Multicall3. */
type Outcome = Tried & { readonly used: bigint };

/** GAS PUSH0 MSTORE PUSH1 32 PUSH0 RETURN: returns the remaining gas. Placed at an address without code. */
const gasMeter = { address: '0x00000000000000000000000000000000006a5e7e', code: '0x5a5f5260205ff3' } as const;

function sumGas(calls: readonly Call[], results: readonly Outcome[]): bigint {
  return calls.reduce((sum, { data }, at) => sum + baseGasOf(data) + (results[at]?.used ?? 0n), 0n);
}

/** The intrinsic gas of a transaction (EIP-2028). */
function baseGasOf(data: Hex): bigint {
  const bytes = hexToBytes(data);
  return bytes.reduce((sum, byte) => sum + (byte === 0 ? 4n : 16n), 21_000n);
}

/** Null when the node ignored the override. The gas meter is called between the calls. */
function together(from: Address, calls: readonly Call[]): RpcRequest<readonly Outcome[] | null> {
  const read = { target: gasMeter.address, allowFailure: true, callData: '0x' } as const;
  const tries = calls.flatMap(({ to, data }) => [{ target: to, allowFailure: true, callData: data }, read]);
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [[read, ...tries]],
  });
  const request = callFrom(
    { from, to: from, data },
    { [from]: { code: multicall3RuntimeBytecode }, [gasMeter.address]: { code: gasMeter.code } },
  );
  return {
    ...request,
    parse: (result) => {
      const answer = request.parse(result);
      if (answer === '0x') return null;
      const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: answer });
      return calls.map((_, at) => ({ ...(results[2 * at + 1] as Tried), used: usedBetween(results, at) }));
    },
  };
}

/** A call, and so the meter, receives 63/64 of the remaining gas. */
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
