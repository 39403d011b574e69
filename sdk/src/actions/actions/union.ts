// Actions on the Union vault and on posting plans.
import * as z from 'zod';
import { encodeBuyPlan } from '#chain/calls/plans.ts';
import { encodeClaimReward, encodeStake, encodeUnstake } from '#chain/calls/staking.ts';
import { SvcError } from '#domain/errors.ts';
import { currencies } from '#domain/state.ts';
import { defineWrite } from '../action.ts';
import { fromArgument, marketArgument, refuse, takeTok, tokArgument, tokWeiArgument } from '../arguments.ts';

const wallet = '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f';
const amountAndWallet = z.strictObject({
  market: marketArgument,
  from: fromArgument,
  amountTok: tokArgument.optional(),
  amountTokWei: tokWeiArgument.optional(),
});

export const stake = defineWrite({
  name: 'stake',
  summary: 'stake TOK: it earns a share of the fees, and Action Credits that pay them',
  input: amountAndWallet,
  example: { amountTok: '10000', from: wallet },
  plan: async (args, { contracts }) => {
    const amount = takeTok('stake', args, 'amount') ?? refuse('stake', 'amountTok: is required');
    return { encoded: encodeStake(contracts, amount), spends: { tokWei: amount } };
  },
});

export const unstake = defineWrite({
  name: 'unstake',
  summary: 'take stake out, a day after the last stake; without an amount, all of it',
  input: amountAndWallet,
  example: { amountTok: '10000', from: wallet },
  plan: async (args, { market, from, contracts, needs: { chain } }) => {
    const { staking } = await chain.readWallet(market, from);
    return { encoded: encodeUnstake(contracts, takeTok('unstake', args, 'amount') ?? staking.staked) };
  },
});

export const claimReward = defineWrite({
  name: 'claim-reward',
  summary: 'take your staking rewards out',
  input: z.strictObject({ market: marketArgument, from: fromArgument }),
  example: { from: wallet },
  plan: async (_, { market, from, contracts, needs: { chain } }) => {
    const { staking } = await chain.readWallet(market, from);
    const warnings = staking.rewards === 0n ? ['There are no rewards to take out yet.'] : [];
    return { encoded: encodeClaimReward(contracts), warnings };
  },
});

export const buyPlan = defineWrite({
  name: 'buy-plan',
  summary: 'buy a posting plan for 30 days, at the price of now at most',
  input: z.strictObject({
    market: marketArgument,
    from: fromArgument,
    tier: z
      .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a text') })
      .regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be the id of a plan, such as basic')
      .describe('id of the plan: basic, premium or enterprise'),
    payWith: z.enum(currencies, { error: 'must be "tok" or "usdc"' }).default('tok').describe('tok or usdc'),
  }),
  example: { tier: 'basic', payWith: 'tok', from: wallet },
  plan: async ({ tier, payWith }, { market, contracts, needs: { chain } }) => {
    const quote = await chain.readQuote(market, tier).catch((error: unknown) => {
      if (error instanceof SvcError && error.code === 'CHAIN_REFUSED')
        refuse('buy-plan', 'tier: there is no such plan');
      throw error;
    });
    if (quote.listUsdc === 0n) refuse('buy-plan', 'tier: this plan is free, there is nothing to buy');
    const maxPay = payWith === 'tok' ? quote.tokAmountWei : quote.listUsdc;
    return {
      encoded: encodeBuyPlan(contracts, { tier, payWith, maxPay }),
      spends: payWith === 'tok' ? { tokWei: maxPay } : { usdcToGateway: maxPay },
    };
  },
});
