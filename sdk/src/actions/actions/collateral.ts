// Actions on collateral: allowances for it, topping up, rescuing, withdrawing.
import * as z from 'zod';
import { encodeApproveTokRouter, encodeApproveUsdcVault } from '#chain/calls/approvals.ts';
import { encodeEmergencyTopUp, encodeTopUp, encodeWithdrawDeposit } from '#chain/calls/collateral.ts';
import { defineWrite } from '../action.ts';
import {
  addressArgument,
  fromArgument,
  marketArgument,
  refuse,
  takeTok,
  tokArgument,
  tokWeiArgument,
  usdcArgument,
} from '../arguments.ts';

const wallet = '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f';

export const approveUsdcVault = defineWrite({
  name: 'approve-usdc-vault',
  summary: 'allow the deposit vault to take USDC as your collateral',
  input: z.strictObject({ market: marketArgument, from: fromArgument, amountUsdc: usdcArgument }),
  example: { from: wallet, amountUsdc: '45' },
  plan: async ({ amountUsdc }, { contracts }) => ({ encoded: encodeApproveUsdcVault(contracts, amountUsdc) }),
});

export const approveTokRouter = defineWrite({
  name: 'approve-tok-router',
  summary: 'allow the payment gateway to take TOK: fees, escrow, bonds, stakes',
  input: z.strictObject({
    market: marketArgument,
    from: fromArgument,
    amountTok: tokArgument.optional(),
    amountTokWei: tokWeiArgument.optional(),
  }),
  example: { from: wallet, amountTok: '1000' },
  plan: async (args, { contracts }) => {
    const amount = takeTok('approve-tok-router', args, 'amount');
    if (amount === undefined) refuse('approve-tok-router', 'amountTok: is required');
    return { encoded: encodeApproveTokRouter(contracts, amount) };
  },
});

export const topUp = defineWrite({
  name: 'top-up',
  summary: 'add USDC to your collateral; without an amount, what is missing to the recommended balance',
  input: z.strictObject({ market: marketArgument, from: fromArgument, amountUsdc: usdcArgument.optional() }),
  example: { from: wallet, amountUsdc: '45' },
  plan: async ({ amountUsdc }, { market, from, contracts, needs: { chain } }) => {
    const [{ deposit }, { recommendedUsdc }] = await Promise.all([
      chain.readWallet(market, from),
      chain.readFigures(market),
    ]);
    const amount = amountUsdc ?? recommendedUsdc - deposit.balance;
    if (amount <= 0n) refuse('top-up', 'amountUsdc: is required, since the recommended balance is reached');
    return { encoded: encodeTopUp(contracts, amount), spends: { usdcToVault: amount } };
  },
});

export const emergencyTopUp = defineWrite({
  name: 'emergency-top-up',
  summary: 'lift the collateral of a paused agent; without an amount, to the pause threshold',
  input: z.strictObject({
    market: marketArgument,
    from: fromArgument,
    agent: addressArgument.describe('the paused wallet'),
    amountUsdc: usdcArgument.optional(),
  }),
  example: { from: wallet, agent: '0xFABB0ac9d68B0B445fB7357272Ff202C5651694a', amountUsdc: '8' },
  plan: async ({ agent, amountUsdc }, { market, contracts, needs: { chain } }) => {
    const [{ deposit }, { pauseUsdc }] = await Promise.all([
      chain.readWallet(market, agent),
      chain.readFigures(market),
    ]);
    const missing = pauseUsdc > deposit.balance ? pauseUsdc - deposit.balance : 0n;
    const amount = amountUsdc ?? missing;
    return {
      encoded: encodeEmergencyTopUp(contracts, { agent, amountUsdc: amount }),
      spends: { usdcToVault: amount },
    };
  },
});

export const withdrawDeposit = defineWrite({
  name: 'withdraw-deposit',
  summary: 'take free collateral out',
  input: z.strictObject({
    market: marketArgument,
    from: fromArgument,
    amountUsdc: usdcArgument,
    to: addressArgument.optional().describe('who gets it; the wallet itself if left out'),
  }),
  example: { from: wallet, amountUsdc: '20' },
  plan: async ({ amountUsdc, to }, { from, contracts }) => ({
    encoded: encodeWithdrawDeposit(contracts, { amountUsdc, to: to ?? from }),
  }),
});
