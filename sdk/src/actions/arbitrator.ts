// Being an arbitrator: bonding, asking to leave, taking the bond out; and changing the fallback arbitrator.
import { encodeCall } from '../chain/encodeCall.ts';
import { formatDays, formatPercent, maxOf } from '../domain/amount.ts';
import { protocolConstants } from '../domain/parameters.ts';
import { addressArgument, amountArguments, takeTok, tokArgument, tokWeiArgument } from '../rules/values.ts';
import { defineWalletAction } from './action.ts';
import { exampleWallets } from './arguments.ts';
import { costOfAmount } from './costs.ts';
import { accountOf, move } from './movements.ts';

const { arbitrator } = exampleWallets;
const delay = formatDays(protocolConstants.unbondDelaySeconds);
const slash = formatPercent(protocolConstants.missSlashBps);
const lead = formatDays(protocolConstants.fallbackDelaySeconds);

export const registerArbitrator = defineWalletAction({
  name: 'register-arbitrator',
  title: 'Become an arbitrator',
  summary: 'become an arbitrator by bonding TOK; without an amount, up to the smallest bond',
  effect: 'Your TOK is bonded, and parties of a dispute may name you to decide it.',
  by: ['anyone'],
  costs: ({ amount }) => costOfAmount('arbitratorBond', amount),
  risk: () => `Each case that you do not decide in time costs up to ${slash} of the bond.`,
  undo: `Unbond, and take the bond out ${delay} later.`,
  next: 'Parties of a dispute may name you; a case that both name you for must be decided in time.',
  calls: ['DisputeCourt.registerArbitrator'],
  input: {
    ...amountArguments,
    minHeldTok: tokArgument
      .optional()
      .describe('the smallest disputed amount you take; as it is if left out'),
    minHeldTokWei: tokWeiArgument.optional(),
  },
  example: { amountTok: '10000', minHeldTok: '100', from: arbitrator },
  build: async (args, { market, from, contracts, reads }) => {
    const [{ arbitrator: record }, { arbitratorMinBondTokWei }] = await Promise.all([
      reads.readWallet(market, from),
      reads.readFigures(market),
    ]);
    const missing = maxOf(arbitratorMinBondTokWei - record.bond, 0n);
    const amount = takeTok('register-arbitrator', args, 'amount') ?? missing;
    const minHeld = takeTok('register-arbitrator', args, 'minHeld') ?? record.minHeld;
    const isLeaving = record.bond > 0n && record.unbondAt > 0;
    return {
      encoded: encodeCall(contracts, 'DisputeCourt', 'registerArbitrator', [amount, minHeld]),
      warnings: isLeaving ? ['This ends your unbonding: you take disputes again, and the bond stays.'] : [],
    };
  },
});

export const unbondArbitrator = defineWalletAction({
  name: 'unbond-arbitrator',
  title: 'Stop being an arbitrator',
  summary: `take no new disputes; the bond comes free ${delay} later`,
  effect: `You can no longer be named. The bond comes free ${delay} later.`,
  by: ['arbitrator'],
  risk: () => 'Open cases still have to be decided in time.',
  undo: 'Register again before you take the bond out.',
  next: `Take the bond out after ${delay}.`,
  calls: ['DisputeCourt.requestUnbond'],
  build: async (_, { contracts }) => ({
    encoded: encodeCall(contracts, 'DisputeCourt', 'requestUnbond', []),
  }),
});

export const withdrawBond = defineWalletAction({
  name: 'withdraw-bond',
  title: 'Take the bond out',
  summary: "take your arbitrator's bond out, once it is free",
  effect: 'The TOK of your bond moves to your wallet.',
  by: ['arbitrator'],
  moves: ({ sender, amount }) =>
    sender === undefined
      ? []
      : [move('TOK', amount ?? null, accountOf('arbitratorBond', sender), accountOf('wallet', sender))],
  next: 'You are no longer an arbitrator.',
  undo: 'Register again.',
  page: 'unbond-arbitrator',
  calls: ['DisputeCourt.withdrawBond'],
  build: async (_, { contracts }) => ({
    encoded: encodeCall(contracts, 'DisputeCourt', 'withdrawBond', []),
  }),
});

export const scheduleFallback = defineWalletAction({
  name: 'schedule-fallback',
  title: 'Name the next fallback arbitrator',
  summary: 'name the next fallback arbitrator of a market, as its owner; the zero address withdraws the name',
  effect: `The named wallet may accept. It judges tasks that are claimed ${lead} after its acceptance, and later ones.`,
  by: ['owner'],
  risk: () =>
    'A fallback arbitrator decides every dispute whose parties agree on nobody. There is no appeal.',
  undo: 'Name the zero address before the named wallet accepts; afterwards, name another one.',
  page: 'rotate-fallback',
  next: 'The named wallet accepts, or nothing changes.',
  calls: ['DisputeCourt.scheduleFallback'],
  input: {
    next: addressArgument.describe('the wallet that is to be the next fallback arbitrator'),
  },
  example: { next: arbitrator },
  build: async ({ next }, { contracts }) => ({
    encoded: encodeCall(contracts, 'DisputeCourt', 'scheduleFallback', [next]),
    warnings:
      BigInt(next) === 0n ? [] : ['Nothing changes until the named wallet accepts, with accept-fallback.'],
  }),
});

export const acceptFallback = defineWalletAction({
  name: 'accept-fallback',
  title: 'Become the fallback arbitrator',
  summary: `accept to be the fallback arbitrator of a market; in force ${lead} later`,
  effect: `You judge escalated disputes of tasks that are claimed ${lead} from now on, and later ones.`,
  by: ['arbitrator'],
  risk: () =>
    'A case that you leave undecided ends by the rule for silence. Keep the key safe: it cannot be replaced for claimed tasks.',
  undo: 'It cannot be undone; the owner can name a successor.',
  page: 'rotate-fallback',
  next: 'You may be asked to rule from then on.',
  calls: ['DisputeCourt.acceptFallback'],
  build: async (_, { contracts }) => ({
    encoded: encodeCall(contracts, 'DisputeCourt', 'acceptFallback', []),
  }),
});
