// Staking TOK in the market's Union vault.
import { encodeCall } from '../chain/encodeCall.ts';
import { formatDays, formatTok } from '../domain/amount.ts';
import { protocolConstants } from '../domain/parameters.ts';
import { amountArguments, refuse, takeTok } from '../rules/values.ts';
import { defineWalletAction } from './action.ts';
import { type ActionFacts, costOfAmount } from './costs.ts';
import { accountOf, type Movement, move } from './movements.ts';

const least = `${formatTok(protocolConstants.minStakeTokWei)} TOK`;
const lock = formatDays(protocolConstants.minStakeSeconds);

function toWallet(place: 'stake' | 'rewards', { sender, amount }: ActionFacts): Movement[] {
  if (sender === undefined) return [];
  return [move('TOK', amount ?? null, accountOf(place, sender), accountOf('wallet', sender))];
}

const fields = [{ name: 'amountTok', kind: 'tok', label: 'Amount, TOK' }] as const;

export const stake = defineWalletAction({
  name: 'stake',
  title: 'Stake TOK',
  summary: 'stake TOK: it earns a share of the fees, and Action Credits that pay them',
  effect:
    'Your TOK moves into the Union vault. It earns a share of the fees, and Action Credits that pay access fees.',
  by: ['anyone'],
  costs: ({ amount }) => costOfAmount('stake', amount),
  risk: () => `The stake is locked for ${lock} from the last time you stake. The least stake is ${least}.`,
  undo: `Unstake after ${lock}.`,
  next: 'Credits and rewards grow with every block.',
  calls: ['StakingVault.stake'],
  fields,
  input: amountArguments,
  example: { amountTok: '10000' },
  build: async (args, { contracts }) => {
    const amount = takeTok('stake', args, 'amount') ?? refuse('stake', 'amountTok: is required');
    return { encoded: encodeCall(contracts, 'StakingVault', 'stake', [amount]) };
  },
});

export const unstake = defineWalletAction({
  name: 'unstake',
  title: 'Unstake TOK',
  summary: `take stake out, ${lock} after the last stake; without an amount, all of it`,
  effect: `TOK moves from the vault back to your wallet. What is left must be 0 or at least ${least}.`,
  by: ['anyone'],
  moves: (facts) => toWallet('stake', facts),
  next: 'The rest keeps earning.',
  risk: () => 'You stop earning on what you take out. Credits and rewards you have stay.',
  undo: 'Stake again.',
  calls: ['StakingVault.unstake'],
  fields,
  input: amountArguments,
  example: { amountTok: '10000' },
  build: async (args, { market, from, contracts, reads }) => {
    const { staking } = await reads.readWallet(market, from);
    const amount = takeTok('unstake', args, 'amount') ?? staking.staked;
    return { encoded: encodeCall(contracts, 'StakingVault', 'unstake', [amount]) };
  },
});

export const claimReward = defineWalletAction({
  name: 'claim-reward',
  title: 'Claim rewards',
  summary: 'take your staking rewards out',
  effect: 'The TOK your stake has earned moves to your wallet.',
  by: ['anyone'],
  moves: (facts) =>
    toWallet('rewards', facts).map((one) => ({ ...one, note: 'and what it earns until then' })),
  next: 'Your stake keeps earning.',
  undo: 'It cannot be undone, and need not be.',
  calls: ['StakingVault.claimReward'],
  build: async (_, { market, from, contracts, reads }) => {
    const { rewards } = (await reads.readWallet(market, from)).staking;
    const warnings = rewards === 0n ? ['There are no rewards to take out yet.'] : [];
    const encoded = encodeCall(contracts, 'StakingVault', 'claimReward', []);
    return { encoded, warnings };
  },
});
