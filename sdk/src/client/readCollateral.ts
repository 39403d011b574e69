// What a wallet has for a market, its collateral and its access fees, and what entering a task there needs.
import * as z from 'zod';
import type { Address } from '../domain/address.ts';
import type { Market } from '../domain/market.ts';
import type { MarketActions } from './marketActions.ts';

/** Documents of actions are JSON: amounts are decimal strings. */
const units = z.string().transform(BigInt);

const documentSchema = z.object({
  wallet: z.object({
    deposit: z.object({ balance: units, locked: units, canEngage: z.boolean() }),
    tokWei: units,
    allowances: z.object({ tokRouter: units }),
    staking: z.object({ credits: units }),
  }),
  figures: z.object({ entryUsdc: units, bondUsdc: units, recommendedUsdc: units, accessFeeTokWei: units }),
});

/** From the chain, in units of USDC and wei of TOK. */
export async function readCollateral(actions: MarketActions, address: Address, market: Market) {
  const { wallet, figures } = documentSchema.parse(await actions.read({ address, market }).prepare());
  return { ...wallet, figures };
}
