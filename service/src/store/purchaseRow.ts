// A payment for a plan as a row, and back.

import type { Currency, Hash, Market, Purchase } from '@svc/sdk/domain';
import { type Address, addressKey, parseAddress } from '@svc/sdk/domain';
import type { Param } from './database.ts';

export const purchaseColumns = [
  'tx_hash',
  'log_index',
  'market',
  'payer',
  'tier',
  'pay_with',
  'daily_limit',
  'period_days',
  'block_number',
  'block_time',
] as const;

export type PurchaseRow = {
  tx_hash: string;
  log_index: number;
  market: string;
  payer: string;
  tier: string;
  pay_with: string;
  daily_limit: number;
  period_days: number;
  block_number: number;
  block_time: number;
};

export function buildPurchaseRow(purchase: Purchase): Param[] {
  return [
    purchase.txHash.toLowerCase(),
    purchase.logIndex,
    purchase.market,
    addressKey(purchase.payer),
    purchase.tier,
    purchase.payWith,
    purchase.dailyLimit,
    purchase.periodDays,
    Number(purchase.blockNumber),
    purchase.blockTime,
  ];
}

export function parsePurchaseRow(row: PurchaseRow): Purchase {
  return {
    txHash: row.tx_hash as Hash,
    logIndex: row.log_index,
    market: row.market as Market,
    payer: parseAddress(row.payer as Address),
    tier: row.tier,
    payWith: row.pay_with as Currency,
    dailyLimit: row.daily_limit,
    periodDays: row.period_days,
    blockNumber: BigInt(row.block_number),
    blockTime: row.block_time,
  };
}
