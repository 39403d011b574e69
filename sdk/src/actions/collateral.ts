// Collateral in USDC: putting it in, rescuing a paused wallet, taking it out.
import { type CallContracts, type EncodedCalls, encodeCall } from '../chain/encodeCall.ts';
import { formatUsdc, maxOf } from '../domain/amount.ts';
import { SvcError } from '../domain/errors.ts';
import { marketParameters } from '../domain/parameters.ts';
import { addressArgument, usdcArgument } from '../rules/values.ts';
import { defineWalletAction } from './action.ts';
import { costOfAmount } from './costs.ts';
import { accountOf, move } from './movements.ts';

/** The same on both markets. */
const entry = `${formatUsdc(marketParameters.standard.entryUsdc)} USDC`;

export function encodeTopUp(contracts: CallContracts, amountUsdc: bigint): EncodedCalls {
  return encodeCall(contracts, 'DepositVault', 'topUp', [amountUsdc]);
}

export const topUp = defineWalletAction({
  name: 'top-up',
  title: 'Top up',
  summary: 'add USDC to your collateral; without an amount, up to the recommended balance',
  effect: 'USDC moves from your wallet into your collateral on this market.',
  by: ['anyone'],
  costs: ({ amount }) => costOfAmount('collateral', amount),
  risk: () =>
    'Each task that you take part in locks a bond from it, which goes to the other side if you let them down.',
  undo: 'Withdraw what is not locked, at any time.',
  next: 'The collateral stays yours; each task that you take part in locks a bond from it.',
  calls: ['DepositVault.topUp'],
  fields: [{ name: 'amountUsdc', kind: 'usdc', label: 'Amount, USDC' }],
  input: { amountUsdc: usdcArgument.optional() },
  example: { amountUsdc: '45' },
  build: async ({ amountUsdc }, { market, from, contracts, reads }) => {
    const [{ deposit }, { recommendedUsdc }] = await Promise.all([
      reads.readWallet(market, from),
      reads.readFigures(market),
    ]);
    const amount = amountUsdc ?? recommendedUsdc - deposit.balance;
    if (amount <= 0n)
      throw new SvcError('NOTHING_TO_DO', {
        reason: `the collateral has the recommended ${formatUsdc(recommendedUsdc)} USDC; give amountUsdc to add more`,
      });
    return { encoded: encodeTopUp(contracts, amount) };
  },
});

export const emergencyTopUp = defineWalletAction({
  name: 'emergency-top-up',
  title: 'Rescue a paused wallet',
  summary: 'lift the collateral of a paused agent; without an amount, to the pause threshold',
  effect: 'USDC moves from your wallet into the collateral of a paused wallet, which may then act again.',
  by: ['anyone'],
  costs: ({ amount }) => costOfAmount('rescue', amount),
  risk: () => 'The USDC belongs to the other wallet from then on.',
  next: 'The other wallet can act again.',
  calls: ['DepositVault.emergencyTopUp'],
  input: {
    agent: addressArgument.describe('the paused wallet'),
    amountUsdc: usdcArgument.optional(),
  },
  example: { agent: '0xFABB0ac9d68B0B445fB7357272Ff202C5651694a', amountUsdc: '8' },
  build: async ({ agent, amountUsdc }, { market, contracts, reads }) => {
    const [{ deposit }, { pauseUsdc }] = await Promise.all([
      reads.readWallet(market, agent),
      reads.readFigures(market),
    ]);
    const amount = amountUsdc ?? maxOf(pauseUsdc - deposit.balance, 0n);
    return { encoded: encodeCall(contracts, 'DepositVault', 'emergencyTopUp', [agent, amount]) };
  },
});

export const withdrawDeposit = defineWalletAction({
  name: 'withdraw-deposit',
  title: 'Withdraw',
  summary: 'take free collateral out',
  effect: 'USDC that is not locked moves from your collateral to your wallet.',
  by: ['anyone'],
  moves: ({ amount, sender, recipient = sender }) =>
    amount === undefined || sender === undefined || recipient === undefined
      ? []
      : [move('USDC', amount, accountOf('collateral', sender), accountOf('wallet', recipient))],
  next: 'What is left stays in your collateral.',
  risk: () =>
    `Below ${entry} you cannot enter another task. While you have open tasks, ${entry} and every bond stay.`,
  undo: 'Top up again.',
  calls: ['DepositVault.withdraw'],
  fields: [{ name: 'amountUsdc', kind: 'usdc', label: 'Amount, USDC' }],
  input: {
    amountUsdc: usdcArgument,
    to: addressArgument.optional().describe('who gets it; the wallet itself if left out'),
  },
  example: { amountUsdc: '20' },
  build: async ({ amountUsdc, to }, { from, contracts }) => ({
    encoded: encodeCall(contracts, 'DepositVault', 'withdraw', [amountUsdc, to ?? from]),
  }),
});
