// Listings as posters write them, and wallets of the embedded chain that join a market to match.
import { privateKeyToAccount } from 'viem/accounts';
import { joinMarket, type Participant } from '#sdk/client/joinMarket.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import type { ListingDocument } from '#sdk/schemas/listings.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import type { TestGateway } from './gateway.ts';

const day = 86_400;

export function writeListing(
  { devnet }: TestGateway,
  change: Partial<ListingDocument> = {},
  words: Partial<ListingDocument['task']> = {},
): ListingDocument {
  return {
    schema: 'svc-listing-v1',
    market: 'standard',
    task: {
      schema: 'svc-task-v1',
      title: 'Draw ten birds',
      description: 'For a field guide.',
      criteria: 'Ten pictures.',
      milestones: [],
      tags: ['Illustration'],
      ...words,
    },
    budget: { minTokWei: String(parseTok('500')), maxTokWei: String(parseTok('3000')) },
    milestoneBps: [],
    deadline: devnet.clock.now() + 40 * day,
    reviewPeriod: 3 * day,
    ...change,
  };
}

export const joinAs = ({ url, devnet }: TestGateway, name: AccountName): Promise<Participant> =>
  joinMarket({
    url: url(),
    account: privateKeyToAccount(accountOf(name).privateKey),
    rpcUrl: devnet.rpcUrl,
  });
