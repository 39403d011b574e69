// Allowances: of exact amounts, to the two contracts of a market that may ever take tokens.

import { tokTokenAbi } from '@svc/contracts/abi';
import { formatTok, formatUsdc } from '#domain/amount.ts';
import { type CallContracts, type EncodedCalls, encodeCall } from './encode.ts';

/** For access fees, funding, dispute bonds, arbitrators' bonds, staking and plans in TOK. */
export function encodeApproveTokRouter(contracts: CallContracts, amountTokWei: bigint): EncodedCalls {
  return encodeCall(
    { name: 'TokToken', address: contracts.tokToken, abi: tokTokenAbi },
    'approve',
    [contracts.paymentGateway, amountTokWei],
    `Allow the payment gateway to take ${formatTok(amountTokWei)} TOK`,
  );
}

/** For collateral. */
export function encodeApproveUsdcVault(contracts: CallContracts, amountUsdc: bigint): EncodedCalls {
  return encodeCall(
    usdcOf(contracts),
    'approve',
    [contracts.depositVault, amountUsdc],
    `Allow the deposit vault to take ${formatUsdc(amountUsdc)} USDC`,
  );
}

/** For plans in USDC. */
export function encodeApproveUsdcGateway(contracts: CallContracts, amountUsdc: bigint): EncodedCalls {
  return encodeCall(
    usdcOf(contracts),
    'approve',
    [contracts.paymentGateway, amountUsdc],
    `Allow the payment gateway to take ${formatUsdc(amountUsdc)} USDC`,
  );
}

/** `approve` is the same in every ERC-20. */
function usdcOf({ usdc }: CallContracts) {
  return { name: 'USDC', address: usdc, abi: tokTokenAbi };
}
