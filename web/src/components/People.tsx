// Wallets as people know them: a name or the ends of the address, and what the chain says about how they pay.
import type { Market } from '@svc/sdk/domain';
import { shorten, showDuration } from '../data/format.ts';
import { useOwnName, useProfile } from '../data/profiles.ts';

/** What a wallet calls itself, else its address. Never where money is signed: anyone can take any name. */
export function WhoName({ address }: { address: string }) {
  const own = useOwnName(address);
  return (
    <bdi className={own === null ? 'mono' : 'walletname'} title={address}>
      {own?.name ?? shorten(address)}
    </bdi>
  );
}

/** How it pays: "pays in 9 h, 14 of 14 paid". Nothing where no gateway keeps records. */
export function PosterRecord({ address, market }: { address: string; market: Market }) {
  const record = useProfile(address).data?.records.find((one) => one.market === market)?.poster;
  if (record === undefined) return null;
  const { ended, paidInFull, medianPaySeconds } = record;
  if (ended === 0) return <span>new here</span>;
  return (
    <span>
      {medianPaySeconds !== null && (
        <>
          <b>pays in {showDuration(medianPaySeconds, 1)}</b>,{' '}
        </>
      )}
      {paidInFull} of {ended} paid
    </span>
  );
}
