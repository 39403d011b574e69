// Simulates a sequence of calls on the current chain, each after the ones before it, without sending anything.

import { multicall3Abi } from '@svc/contracts/abi';
import type { Call } from '@svc/sdk/chain';
import { decodeRevert } from '@svc/sdk/chain';
import { useQuery } from '@tanstack/react-query';
import { decodeFunctionResult, encodeFunctionData } from 'viem';
import { call, estimateGas, getCode } from 'viem/actions';
import { gasPerCall, type Plan } from './plan.ts';
import { useWallet, type WalletClient } from './useWallet.tsx';

export type Simulation =
  /** With the estimated gas of all calls. */
  | { readonly outcome: 'success'; readonly gas: bigint }
  | { readonly outcome: 'failure'; readonly at: number; readonly sentence: string }
  /** The wallet's node cannot simulate calls together. */
  | { readonly outcome: 'unknown' };

const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** Puts Multicall3's code at the wallet's address for one eth_call, so that every call comes from the wallet. */
export async function simulateSequence(client: WalletClient, calls: readonly Call[]): Promise<Simulation> {
  // The batch would need the ETH in advance; such a call is simulated alone before it is signed.
  if (calls.some(({ value }) => BigInt(value) > 0n)) return { outcome: 'unknown' };
  try {
    const code = await getCode(client, { address: multicall3 });
    if (code === undefined) return { outcome: 'unknown' };
    const { address } = client.account;
    const batchCalls = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }));
    const batch = {
      account: address,
      to: address,
      data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [batchCalls] }),
      stateOverride: [{ address, code }],
    };
    const { data } = await call(client, batch);
    if (data === undefined) return { outcome: 'unknown' };
    const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data });
    const at = results.findIndex(({ success }) => !success);
    if (at === -1) return { outcome: 'success', gas: await estimateSequence(client, batch, calls) };
    return { outcome: 'failure', at, sentence: decodeRevert(results[at]?.returnData ?? '0x').sentence };
  } catch {
    return { outcome: 'unknown' };
  }
}

const transactionGas = 21_000n;

/** Sent one by one, each call pays for its own transaction. */
async function estimateSequence(
  client: WalletClient,
  batch: Parameters<typeof estimateGas>[1],
  calls: readonly Call[],
): Promise<bigint> {
  try {
    return (await estimateGas(client, batch)) + transactionGas * BigInt(calls.length - 1);
  } catch {
    // Few nodes estimate with replaced code. Alone, a call that depends on earlier ones has no estimate.
    const each = calls.map(({ to, data }) =>
      estimateGas(client, { account: client.account, to, data }).catch(() => gasPerCall),
    );
    return (await Promise.all(each)).reduce((sum, gas) => sum + gas, 0n);
  }
}

/** A plan with the simulated gas, or with the simulated failure among its problems. */
export function useSimulation(
  plan: Plan | undefined,
  isIdle: boolean,
): { readonly plan: Plan | undefined; readonly isSimulating: boolean } {
  const client = useWallet()?.client ?? null;
  const calls = plan?.calls.calls ?? [];
  const { data, isLoading: isSimulating } = useQuery({
    queryKey: ['simulation', calls.map(({ data: bytes }) => bytes).join(), client?.account.address],
    enabled: client !== null && plan !== undefined && plan.problems.length === 0 && isIdle,
    gcTime: 0,
    queryFn: () => {
      if (client === null) throw new Error('The wallet is not ready yet. Try again in a moment.');
      return simulateSequence(client, calls);
    },
  });
  if (plan === undefined || data === undefined || data.outcome === 'unknown') return { plan, isSimulating };
  if (data.outcome === 'success')
    return { isSimulating, plan: { ...plan, gasWei: data.gas * plan.gasPriceWei } };
  const problem = `Simulated on the current chain, it would fail. ${data.sentence}`;
  return { isSimulating, plan: { ...plan, problems: [...plan.problems, problem] } };
}
