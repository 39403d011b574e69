// Puts the allowances that are missing before the calls that need them: exact amounts, and none that is there already.
import {
  encodeApproveTokRouter,
  encodeApproveUsdcGateway,
  encodeApproveUsdcVault,
} from '#chain/calls/approvals.ts';
import { type EncodedCalls, joinCalls } from '#chain/calls/encode.ts';
import type { Spending, WriteContext } from './action.ts';

export async function withAllowances(
  encoded: EncodedCalls,
  { tokWei = 0n, usdcToVault = 0n, usdcToGateway = 0n }: Spending,
  { market, from, contracts, needs }: WriteContext,
): Promise<EncodedCalls> {
  if (tokWei + usdcToVault + usdcToGateway === 0n) return encoded;
  const { allowances } = await needs.chain.readWallet(market, from);
  const missing = [
    ...(allowances.tokRouter < tokWei ? [encodeApproveTokRouter(contracts, tokWei)] : []),
    ...(allowances.usdcVault < usdcToVault ? [encodeApproveUsdcVault(contracts, usdcToVault)] : []),
    ...(allowances.usdcGateway < usdcToGateway ? [encodeApproveUsdcGateway(contracts, usdcToGateway)] : []),
  ];
  return joinCalls(...missing, encoded);
}
