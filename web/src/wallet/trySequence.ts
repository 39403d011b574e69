// Tries a sequence of calls on the chain as it is now, each seeing what those before it did, without sending anything.

import { multicall3Abi } from '@svc/contracts/abi';
import type { Call } from '@svc/sdk/chain';
import { decodeRevert } from '@svc/sdk/chain';
import { decodeFunctionResult, encodeFunctionData } from 'viem';
import { call, estimateGas, getCode } from 'viem/actions';
import { gasPerCall } from './plan.ts';
import type { WalletClient } from './useWallet.ts';

export type Trial =
  /** About how much gas they take together. */
  | { readonly outcome: 'good'; readonly gas: bigint }
  | { readonly outcome: 'bad'; readonly at: number; readonly sentence: string }
  /** This wallet's node cannot try calls together. */
  | { readonly outcome: 'unknown' };

const multicall3 = '0xcA11bde05977b3631167028862bE2a173976CA11';

/** Multicall3's code stands at the wallet's own address for one eth_call, so that every call comes from the wallet. */
export async function trySequence(client: WalletClient, calls: readonly Call[]): Promise<Trial> {
  // With money attached the batch would need it beforehand; such a call is tried alone, before it is signed.
  if (calls.some(({ value }) => BigInt(value) > 0n)) return { outcome: 'unknown' };
  try {
    const code = await getCode(client, { address: multicall3 });
    if (code === undefined) return { outcome: 'unknown' };
    const { address } = client.account;
    const tries = calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }));
    const batch = {
      account: address,
      to: address,
      data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [tries] }),
      stateOverride: [{ address, code }],
    };
    const { data } = await call(client, batch);
    if (data === undefined) return { outcome: 'unknown' };
    const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data });
    const at = results.findIndex(({ success }) => !success);
    if (at === -1) return { outcome: 'good', gas: await measure(client, batch, calls) };
    return { outcome: 'bad', at, sentence: decodeRevert(results[at]?.returnData ?? '0x').sentence };
  } catch {
    return { outcome: 'unknown' };
  }
}

const transactionGas = 21_000n;

/** One by one, each call pays for a transaction of its own. */
async function measure(
  client: WalletClient,
  batch: Parameters<typeof estimateGas>[1],
  calls: readonly Call[],
): Promise<bigint> {
  try {
    return (await estimateGas(client, batch)) + transactionGas * BigInt(calls.length - 1);
  } catch {
    // Few nodes estimate with another code in place; alone, a call that needs those before it can only be guessed.
    const each = calls.map(({ to, data }) =>
      estimateGas(client, { account: client.account, to, data }).catch(() => gasPerCall),
    );
    return (await Promise.all(each)).reduce((sum, gas) => sum + gas, 0n);
  }
}
