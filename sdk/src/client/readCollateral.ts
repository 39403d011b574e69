// What a wallet has deposited on a market, and what entering a task there needs.
import * as z from 'zod';
import type { Address } from '../domain/address.ts';
import type { Market } from '../domain/market.ts';
import type { MarketClient } from './createMarketClient.ts';

/** Documents of actions are JSON: amounts are decimal strings. */
const units = z.string().transform(BigInt);

const documentSchema = z.object({
  wallet: z.object({ deposit: z.object({ balance: units, locked: units, canEngage: z.boolean() }) }),
  figures: z.object({ entryUsdc: units, bondUsdc: units, recommendedUsdc: units }),
});

/** From the chain, in units of USDC. */
export async function readCollateral({ actions }: MarketClient, address: Address, market: Market) {
  const { wallet, figures } = documentSchema.parse(await actions.read({ address, market }).prepare());
  return { deposit: wallet.deposit, figures };
}
