// What a poster wants to pay: one amount, or a range.
import { Tok } from '#components/Money.tsx';
import { showTok } from '#data/format.ts';
import type { ListingWords } from '#data/listings.ts';

export function Budget({ budget: { minTokWei, maxTokWei } }: Pick<ListingWords, 'budget'>) {
  return (
    <>
      {minTokWei !== maxTokWei && `${showTok(minTokWei)} to `}
      <Tok wei={maxTokWei} hasUsd />
    </>
  );
}
