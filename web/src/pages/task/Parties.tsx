// The people of a task, without its reader: who they are and how their tasks went.

import { type Address, isSameAddress, type Market } from '@svc/sdk/domain';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Hex, WalletName } from '../../components/Hex.tsx';
import { Identicon } from '../../components/Identicon.tsx';
import { Dollars } from '../../components/Money.tsx';
import { type Line, Lines } from '../../components/Sheet.tsx';
import { showDuration } from '../../data/format.ts';
import { useEntry } from '../../data/gateway.ts';
import { ledgerQuery, type Task } from '../../data/market.ts';
import { useProfile } from '../../data/profiles.ts';
import { useWallet } from '../../wallet/useWallet.tsx';

type Props = { market: Market; address: string };

export function Parties({ task: { market, poster, worker, dispute } }: { task: Task }) {
  const own = useWallet()?.address;
  const judge = dispute?.judge ?? null;
  const isOther = (address: string | null | undefined): address is string =>
    address != null && (own === undefined || !isSameAddress(address as Address, own));
  return (
    <>
      {isOther(poster) && (
        <Party name="Poster" address={poster}>
          <PosterLines market={market} address={poster} />
        </Party>
      )}
      {isOther(worker) && (
        <Party name="Worker" address={worker}>
          <WorkerLines market={market} address={worker} />
        </Party>
      )}
      {isOther(judge) && (
        <Party name="Arbitrator" address={judge}>
          <Rulings market={market} address={judge} />
        </Party>
      )}
    </>
  );
}

function Party({ name, address, children }: { name: string; address: string; children: ReactNode }) {
  return (
    <section className="sheet body stack tight" aria-label={name}>
      <div className="who">
        <Identicon address={address} />
        <span className="grow">
          <WalletName address={address} />{' '}
          <Hex value={address} name={name} href={`/agent.html?address=${address}`} />
        </span>
        <span className="small soft">{name}</span>
      </div>
      {children}
    </section>
  );
}

/** Its record on this market, as the gateway counts it. */
function useRecord({ market, address }: Props) {
  return useProfile(address).data?.records.find((one) => one.market === market);
}

function disputesOf(lost: number | undefined): Line | false {
  return lost !== undefined && ['Disputes lost', lost];
}

function PosterLines({ market, address }: Props) {
  const record = useRecord({ market, address })?.poster;
  const reputation = useEntry('reputation', market, address).data;
  if (record === undefined) return null;
  const { tasks, ended, paidInFull, medianPaySeconds, counterparties } = record;
  return (
    <Lines
      isSmall
      lines={[
        ['Tasks paid', ended === 0 ? `none yet, ${tasks} posted` : `${paidInFull} of ${ended}`],
        medianPaySeconds !== null && ['Time to pay', `${showDuration(medianPaySeconds, 1)}, the middle`],
        disputesOf(reputation?.lost),
        ['Different workers', counterparties],
      ]}
    />
  );
}

function WorkerLines({ market, address }: Props) {
  const record = useRecord({ market, address })?.worker;
  const reputation = useEntry('reputation', market, address).data;
  const { data, isError } = useQuery(ledgerQuery(market, address));
  return (
    <Lines
      isSmall
      lines={[
        record !== undefined && [
          'Tasks done',
          record.ended === 0 ? 'none yet' : `${record.paidInFull} of ${record.ended}`,
        ],
        data !== undefined && ['Earned', <Dollars key="earned" wei={data.asWorker.releasedTokWei} />],
        isError && data === undefined && ['Earned', 'the track record cannot be read now'],
        disputesOf(reputation?.lost),
      ]}
    />
  );
}

/** What an arbitrator is judged by; the fallback arbitrator has no record. */
function Rulings({ market, address }: Props) {
  const { data } = useEntry('verifiers', market, address);
  if (data === undefined || data === null) return null;
  const { resolved, pairs, judgedTokWei, missed } = data;
  return (
    <Lines
      isSmall
      lines={[
        ['Rulings given', resolved],
        ['For pairs of parties', pairs],
        ['Judged', <Dollars key="judged" wei={judgedTokWei} />],
        ['Cases missed', missed],
      ]}
    />
  );
}
