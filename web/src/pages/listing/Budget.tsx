// What a poster wants to pay: one amount, or a range.
import { Dollars } from '../../components/Money.tsx';
import type { ListingWords } from '../../data/listings.ts';

export function Budget({ budget: { minTokWei, maxTokWei } }: Pick<ListingWords, 'budget'>) {
  return (
    <>
      {minTokWei !== maxTokWei && (
        <>
          <Dollars wei={minTokWei} /> to{' '}
        </>
      )}
      <Dollars wei={maxTokWei} isExact />
    </>
  );
}
