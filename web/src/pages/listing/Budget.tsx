// What a poster wants to pay: one amount, or a range.
import { Tok, Usd } from '../../components/Money.tsx';
import { showTok } from '../../data/format.ts';
import type { ListingWords } from '../../data/listings.ts';

export function Budget({ budget: { minTokWei, maxTokWei } }: Pick<ListingWords, 'budget'>) {
  if (minTokWei === maxTokWei) return <Tok wei={maxTokWei} hasUsd />;
  return (
    <>
      {showTok(minTokWei)} to <Tok wei={maxTokWei} />
      <Usd wei={minTokWei} upTo={maxTokWei} />
    </>
  );
}
