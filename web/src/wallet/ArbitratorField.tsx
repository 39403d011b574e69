// Names an arbitrator: by address, with those that are bonded on this market at hand.

import { disputeCourtAbi } from '@svc/contracts/abi';
import type { Address, Market } from '@svc/sdk/domain';
import { useQuery } from '@tanstack/react-query';
import { readContract } from 'viem/actions';
import { Field } from '../components/Field.tsx';
import { showTok } from '../data/format.ts';
import { useSiteConfig } from '../data/market.ts';
import { useWallet } from './useWallet.ts';

const shownCount = 50n;

export function ArbitratorField({
  market,
  value,
  onChange,
}: {
  readonly market: Market;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const client = useWallet()?.client ?? null;
  const court = useSiteConfig(market).data?.contracts.disputeCourt as Address | undefined;
  const { data = [] } = useQuery({
    queryKey: ['arbitrators', market],
    enabled: client !== null && court !== undefined,
    queryFn: async () => {
      if (client === null || court === undefined) return [];
      const [accounts, records] = await readContract(client, {
        address: court,
        abi: disputeCourtAbi,
        functionName: 'arbitrators',
        args: [0n, shownCount],
      });
      return accounts.map((address, index) => ({ address, record: records[index] }));
    },
  });
  return (
    <Field label="Arbitrator" note="An address that is bonded on this market and is no party of this task.">
      {(props) => (
        <>
          <input
            {...props}
            list="arbitrators"
            value={value}
            onChange={(event) => onChange(event.target.value.trim())}
          />
          <datalist id="arbitrators">
            {data.map(({ address, record }) => (
              <option key={address} value={address}>
                bond {showTok(record?.bond ?? 0n)} TOK, {record?.resolved ?? 0} resolved,{' '}
                {record?.missed ?? 0} missed
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
