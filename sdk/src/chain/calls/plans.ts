// Buying a posting plan.

import { paymentGatewayAbi } from '@svc/contracts/abi';
import { stringToHex } from 'viem';
import { formatTok, formatUsdc } from '#domain/amount.ts';
import { type Currency, currencies, indexOf } from '#domain/state.ts';
import { type CallContracts, type EncodedCalls, encodeCall } from './encode.ts';

export type PlanPurchase = {
  readonly tier: string;
  readonly payWith: Currency;
  /** The most that is paid, in the currency's smallest unit. */
  readonly maxPay: bigint;
};

export function encodeBuyPlan(contracts: CallContracts, purchase: PlanPurchase): EncodedCalls {
  const { tier, payWith, maxPay } = purchase;
  const price = payWith === 'tok' ? `${formatTok(maxPay)} TOK` : `${formatUsdc(maxPay)} USDC`;
  return encodeCall(
    { name: 'PaymentGateway', address: contracts.paymentGateway, abi: paymentGatewayAbi },
    'purchasePlan',
    [stringToHex(tier, { size: 32 }), indexOf(currencies, payWith), maxPay],
    `Buy the posting plan "${tier}" for at most ${price}`,
  );
}
