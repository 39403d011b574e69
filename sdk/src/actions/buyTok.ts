// Buying TOK with USDC at the pool that the deployment names: exactly what is missing, for a bounded price.
import { type EncodedCalls, encodeCall, joinCalls } from '../chain/encodeCall.ts';
import { formatTok, formatUsdc } from '../domain/amount.ts';
import { amountArguments, flagArgument, refuse, takeTok, usdcArgument } from '../rules/values.ts';
import { defineWalletAction, type WriteContext } from './action.ts';
import { encodeApprove } from './approvals.ts';
import { costOfAmount } from './costs.ts';
import { accountOf, move } from './movements.ts';

/** Margins above the published price, in basis points: the default limit, and the largest limit that can be asked for. */
const usualBps = 500n;
const mostBps = 2_000n;

const maxUsdcArgument = usdcArgument.optional().describe('the most that bought TOK may cost');

/** Of actions that take TOK: what the wallet lacks is bought with USDC of its balance, in the same batch. */
export const purchaseArguments = {
  fromUsdc: flagArgument.describe('with USDC, buy missing TOK and add missing collateral'),
  maxUsdc: maxUsdcArgument,
};

export type Purchase = { readonly tokWei: bigint; readonly maxUsdc: bigint; readonly encoded: EncodedCalls };

/**
 * The pool moves; the price that the market publishes bounds what is paid. Throws ARGUMENTS_INVALID without a pool, for a bound
 * far above the published price, and where neither a price nor a bound is known.
 */
export async function planPurchase(
  action: string,
  tokWei: bigint,
  maxUsdc: bigint | undefined,
  { market, contracts, reads, from }: WriteContext,
): Promise<Purchase> {
  const { tokPool, swapRouter, usdc, tokToken } = contracts;
  const wanted = `${formatTok(tokWei)} TOK`;
  if (tokPool === undefined || swapRouter === undefined)
    refuse(
      action,
      `market: names no pool at which ${wanted} could be bought (“sale” of its deployment file); buy them elsewhere and send them (token ${tokToken}) to ${from}`,
    );
  const [priceE8, fee] = await Promise.all([reads.readTokPrice(market), reads.readPoolFee(tokPool)]);
  if (priceE8 === null && maxUsdc === undefined)
    refuse(action, 'maxUsdc: is required while the market publishes no price of TOK');
  const most = priceE8 === null ? null : priceWith(tokWei, priceE8, mostBps);
  if (maxUsdc !== undefined && most !== null && maxUsdc > most)
    refuse(
      action,
      `maxUsdc: ${wanted} are worth ${formatUsdc(priceWith(tokWei, priceE8 ?? 0n, 0n))} USDC at the published price; at most ${formatUsdc(most)} can be given`,
    );
  const bound = maxUsdc ?? priceWith(tokWei, priceE8 ?? 0n, usualBps);
  if (bound === 0n) refuse(action, 'maxUsdc: must be above 0');
  const params = {
    tokenIn: usdc,
    tokenOut: tokToken,
    fee,
    recipient: from,
    amountOut: tokWei,
    amountInMaximum: bound,
    sqrtPriceLimitX96: 0n,
  };
  return {
    tokWei,
    maxUsdc: bound,
    encoded: encodeCall(contracts, 'SwapRouter', 'exactOutputSingle', [params]),
  };
}

/** USDC for an amount of TOK at a price with 8 decimals, plus a margin in basis points; rounded up. */
function priceWith(tokWei: bigint, priceE8: bigint, moreBps: bigint): bigint {
  const scale = 10n ** 20n * 10_000n;
  return (tokWei * priceE8 * (10_000n + moreBps) + scale - 1n) / scale;
}

/**
 * Approval and purchase; nothing where nothing is bought. Exactly the bound: the router takes from its caller alone, and no
 * more than a purchase costs.
 */
export function encodePurchase(
  contracts: WriteContext['contracts'],
  purchase: Purchase | null,
): EncodedCalls {
  if (purchase === null) return joinCalls();
  return joinCalls(encodeApprove(contracts, 'USDC', 'swapRouter', purchase.maxUsdc), purchase.encoded);
}

export const buyTok = defineWalletAction({
  name: 'buy-tok',
  title: 'Buy TOK',
  summary: 'buy an exact amount of TOK with USDC at the market’s pool, for a bounded price',
  effect: 'You get exactly this much TOK from the pool and pay its price at that moment, up to the bound.',
  by: ['anyone'],
  costs: ({ amount }) => costOfAmount('tokPurchase', amount),
  risk: () => 'You may pay up to the bound. If the pool asks for more by then, nothing is bought.',
  undo: 'It cannot be undone; the pool may buy TOK back at another price.',
  moves: ({ boughtTokWei = 0n, recipient, sender }) => {
    const owner = recipient ?? sender;
    if (owner === undefined) return [];
    return [move('TOK', boughtTokWei, { place: 'pool' }, accountOf('wallet', owner))];
  },
  next: 'The TOK are in your wallet at once.',
  calls: ['SwapRouter.exactOutputSingle'],
  page: 'README',
  input: { ...amountArguments, maxUsdc: maxUsdcArgument },
  example: { amountTok: '1000' },
  build: async ({ maxUsdc, ...args }, context) => {
    const amount = takeTok('buy-tok', args, 'amount');
    if (amount === undefined || amount === 0n) refuse('buy-tok', 'amountTok: must be above 0');
    return { encoded: (await planPurchase('buy-tok', amount, maxUsdc, context)).encoded };
  },
});
