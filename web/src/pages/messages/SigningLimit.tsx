// What a signature under terms permits, and what both wallets still lack for the task: shown before anybody signs.
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { countLiveSignatures } from '@svc/sdk/internal/negotiation/proposals';
import { countFreeBonds, listLiveSignatures, type Offer } from '@svc/sdk/negotiation';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useMinute } from '../../components/Clock.tsx';
import { client } from '../../data/client.ts';
import { queryKeys } from '../../data/queryKeys.ts';
import { useFigures, useMarketAccess, useWalletState } from '../../wallet/marketAccess.ts';
import { useMailbox } from '../../wallet/messaging.ts';
import { MissingOf } from '../listing/MissingOf.tsx';

/** Other signatures of a worker that can become a task, and the bonds for them; a poster's own transaction has its own. */
export function useBonds({ terms, settlementDigest }: Offer, own: Address, maySign: boolean) {
  const { market, worker } = terms;
  const isWorker = maySign && isSameAddress(worker, own);
  const access = useMarketAccess();
  const { data: mailbox } = useMailbox(isWorker ? { isOffered: true } : null);
  const { data: wallet } = useWalletState(market);
  const { data: figures } = useFigures(market);
  const minute = useMinute();
  const signed = useMemo(() => {
    const now = new Date(minute * 1_000);
    return listLiveSignatures(mailbox?.transcripts ?? [], own, now, new Set([settlementDigest]));
  }, [mailbox, own, minute, settlementDigest]);
  const { data: live } = useQuery({
    queryKey: [...queryKeys.wallet(market, own), 'signed', signed.map((one) => one.settlementDigest)],
    queryFn:
      access === null || mailbox === undefined
        ? skipToken
        : () =>
            countLiveSignatures(signed, {
              taskOf: mailbox.taskOf,
              readDigest: async (id) => (await client.task(id)).task.settlementDigest,
              isRevoked: (digest) => access.reads.readRevoked(market, own, digest),
            }),
  });
  const free = wallet && figures && countFreeBonds(wallet.deposit, figures);
  const isKnown = isWorker && live !== undefined && free !== undefined;
  return { bonds: isKnown ? { live, free } : null, isFree: !isKnown || live < free };
}

type Props = { offer: Offer; own: Address; bonds: ReturnType<typeof useBonds>['bonds'] };

export function SigningLimit({ offer: { terms }, own, bonds }: Props) {
  const { market, poster, worker } = terms;
  const isWorker = isSameAddress(worker, own);
  return (
    <>
      {isWorker && (
        <p className="small quiet">
          Signing permits the poster to create the task, also without funding it: an unfunded task ends after
          a day, your fee is lost and your bond returns.
        </p>
      )}
      {bonds !== null && <Bonds {...bonds} />}
      <MissingOf market={market} wallet={own} who="Your wallet" isOwn />
      <MissingOf
        market={market}
        wallet={isWorker ? poster : worker}
        who={isWorker ? 'The poster' : 'The worker'}
      />
    </>
  );
}

function Bonds({ live, free }: { live: number; free: number }) {
  const offers = `${live} signed ${live === 1 ? 'offer' : 'offers'}`;
  if (live < free)
    return (
      <p className="small quiet">
        Your collateral is enough for {free} {free === 1 ? 'task' : 'tasks'}
        {live > 0 && `, and ${offers} of yours can still become one`}.
      </p>
    );
  return (
    <p className="notice" data-is="time">
      {live === 0
        ? 'Your collateral is not enough for a task: top up before you sign this.'
        : `Your collateral is not enough for one more, because ${offers} of yours can still become a task: top up, or take a signature back, before you sign this.`}
    </p>
  );
}
