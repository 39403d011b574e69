// Approvals: exact amounts, to the two contracts of a market that may take tokens.
import { type CallContracts, type EncodedCalls, encodeCall } from '../chain/encodeCall.ts';
import type { Address } from '../domain/address.ts';
import { amountArguments, refuse, takeTok, usdcArgument } from '../rules/values.ts';
import { defineWalletAction } from './action.ts';
import type { Spender } from './costs.ts';

/**
 * An exact approval. The payment gateway takes TOK for fees, escrow, bonds, stakes and plans, and USDC for plans; the deposit vault
 * takes collateral, and the router of the pool the price of bought TOK.
 */
export function encodeApprove(
  contracts: CallContracts,
  token: 'TokToken' | 'USDC',
  spender: Spender,
  amount: bigint,
): EncodedCalls {
  return encodeCall(contracts, token, 'approve', [contracts[spender] as Address, amount]);
}

const words = {
  by: ['anyone'],
  undo: 'Approve an amount of 0.',
  next: 'Nothing moves until you take an action that needs it.',
  page: 'README',
} as const;

export const approveUsdcVault = defineWalletAction({
  ...words,
  name: 'approve-usdc-vault',
  title: 'Approve USDC',
  summary: 'allow the deposit vault to take USDC as your collateral',
  effect: 'The deposit vault may take this much USDC from your wallet when you top up.',
  risk: () => 'The vault can take up to this amount, and only when you call it.',
  calls: ['USDC.approve'],
  input: { amountUsdc: usdcArgument },
  example: { amountUsdc: '45' },
  build: async ({ amountUsdc }, { contracts }) => ({
    encoded: encodeApprove(contracts, 'USDC', 'depositVault', amountUsdc),
  }),
});

export const approveTokRouter = defineWalletAction({
  ...words,
  name: 'approve-tok-router',
  title: 'Approve TOK',
  summary: 'allow the payment gateway to take TOK: fees, escrow, bonds, stakes',
  effect: 'The payment gateway may take this much TOK from your wallet for fees, escrow, bonds and stakes.',
  risk: () =>
    'The gateway can take up to this amount, and only for actions that you take or for a task whose terms you signed.',
  calls: ['TokToken.approve'],
  input: amountArguments,
  example: { amountTok: '1000' },
  build: async (args, { contracts }) => {
    const amount = takeTok('approve-tok-router', args, 'amount');
    if (amount === undefined) refuse('approve-tok-router', 'amountTok: is required');
    return { encoded: encodeApprove(contracts, 'TokToken', 'paymentGateway', amount) };
  },
});
