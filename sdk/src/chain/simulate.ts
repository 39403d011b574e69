// Simulates a sequence of calls of one wallet on the current state of the chain. It sends no transaction.
import { multicall3Abi } from '@svc/contracts/abi';
import { multicall3RuntimeBytecode } from '@svc/contracts/bytecode';
import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, hexToBigInt, hexToBytes } from 'viem';
import type { Address } from '../domain/address.ts';
import { isErrorOf, SvcError } from '../domain/errors.ts';
import type { Call } from './encodeCall.ts';
import { decodeRevert, type Revert } from './revert.ts';
import type { Asker } from './rpc.ts';
import { callFrom, type RpcRequest } from './rpcRequests.ts';

export type Simulation =
  /** The gas of all calls sent one by one; null if the node cannot estimate it. */
  | {
      readonly status: 'success';
      readonly gas: bigint | null;
      /** How the wallet's balance of each watched token changes; absent where the node cannot say. */
      readonly changes?: readonly bigint[];
    }
  | { readonly status: 'reverted'; readonly at: number; readonly revert: Revert }
  /** The node cannot simulate them together: calls from `at` on depend on earlier ones that are not mined. */
  | { readonly status: 'partial'; readonly at: number };

/**
 * One eth_call overrides the code at the wallet's address with Multicall3, so every call comes from the wallet and sees
 * the effects of the calls before it. The embedded chain and all common nodes support this, unlike eth_simulateV1.
 */
export async function simulateCalls(
  rpc: Asker,
  from: Address,
  calls: readonly Call[],
  watched: readonly Address[] = [],
): Promise<Simulation> {
  const found = await rpc.ask(together(from, calls, watched)).catch((error: unknown) => {
    if (isErrorOf(error, 'CHAIN_REFUSED')) return null;
    throw error;
  });
  if (found === null) return simulateFirst(rpc, from, calls);
  const { results, changes } = found;
  const at = results.findIndex(({ success }) => !success);
  if (at === -1) return { status: 'success', gas: sumGas(calls, results), changes };
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
function together(
  from: Address,
  calls: readonly Call[],
  watched: readonly Address[],
): RpcRequest<{ readonly results: readonly Outcome[]; readonly changes: readonly bigint[] } | null> {
  const read = { target: gasMeter.address, allowFailure: true, callData: '0x' } as const;
  const owned = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [from] });
  const balances = watched.map((target) => ({ target, allowFailure: true, callData: owned }));
  const tries = calls.flatMap(({ to, data }) => [{ target: to, allowFailure: true, callData: data }, read]);
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [[...balances, read, ...tries, ...balances]],
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
      const all = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: answer });
      const tried = all.slice(watched.length, all.length - watched.length);
      const results = calls.map((_, at) => ({
        ...(tried[2 * at + 1] as Tried),
        used: usedBetween(tried, at),
      }));
      const end = all.length - watched.length;
      const changes = watched.map((_, at) => readNumber(all[end + at]) - readNumber(all[at]));
      return { results, changes };
    },
  };
}

function readNumber(tried: Tried | undefined): bigint {
  return tried?.returnData.length === 66 ? hexToBigInt(tried.returnData) : 0n;
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

/** A transfer of a token, or of ether, that touches the wallet. */
export type SimulatedTransfer = {
  /** Null for ether. */
  readonly token: Address | null;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
};

/** keccak256 of `Transfer(address,address,uint256)`. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** The address under which nodes report transfers of ether. */
const etherLog = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

type SimulatedLog = { readonly address: Address; readonly topics: readonly Hex[]; readonly data: Hex };

/**
 * Which tokens of any contract the calls would move to or from the wallet, as the node reports (`eth_simulateV1`). Null
 * where the node does not offer it or a call fails.
 */
export async function simulateTransfers(
  rpc: Asker,
  from: Address,
  calls: readonly Call[],
): Promise<SimulatedTransfer[] | null> {
  const sent = calls.map(({ to, value, data }) => ({ from, to, value, data }));
  const options = { blockStateCalls: [{ calls: sent }], traceTransfers: true };
  const topic = from.slice(2).toLowerCase().padStart(64, '0');
  const parse = (result: unknown): SimulatedTransfer[] | null => {
    const [block] = result as { readonly calls: readonly { status: Hex; logs: readonly SimulatedLog[] }[] }[];
    if (block === undefined || block.calls.some(({ status }) => status !== '0x1')) return null;
    const logs = block.calls.flatMap((call) => call.logs);
    return logs
      .filter(({ topics }) => topics.length === 3 && topics[0] === transferTopic)
      .filter(({ topics }) => topics.some((one) => one.slice(2).toLowerCase() === topic))
      .map(({ address, topics, data }) => ({
        token: address.toLowerCase() === etherLog ? null : address,
        from: `0x${topics[1]?.slice(26)}`,
        to: `0x${topics[2]?.slice(26)}`,
        amount: hexToBigInt(data === '0x' ? '0x0' : data),
      }));
  };
  return rpc.ask({ method: 'eth_simulateV1', params: [options, 'latest'], parse }).catch(() => null);
}
