// The form fields of an action; most actions have none.

import { disputeCourtAbi } from '@svc/contracts/abi';
import { type Address, formatTok, type Market } from '@svc/sdk/domain';
import { useQuery } from '@tanstack/react-query';
import { type Dispatch, type SetStateAction, useRef, useState } from 'react';
import { keccak256 } from 'viem';
import { readContract } from 'viem/actions';
import { Field, NumberField, TextArea, TextField } from '#components/Field.tsx';
import { showTok } from '#data/format.ts';
import { type Task, useSiteConfig } from '#data/market.ts';
import { type ActionInput, fileReading } from './taskNeeds.ts';
import { useWallet } from './useWallet.tsx';

type Props = {
  readonly action: string;
  readonly task: Task;
  readonly input: ActionInput;
  readonly onInput: Dispatch<SetStateAction<ActionInput>>;
};

export function defaultInput(action: string, task: Task): ActionInput {
  if (action === 'fund-task')
    return { amount: formatTok(BigInt(task.totalAmountTokWei) - BigInt(task.fundedTokWei)) };
  if (action === 'resolve-dispute') return { percent: '50', text: '' };
  if (action === 'mutual-settle') return { percent: '50', other: '' };
  return {};
}

export function ActionFields({ action, task, input, onInput }: Props) {
  const set = (name: string) => (value: string) => onInput((now) => ({ ...now, [name]: value }));
  switch (action) {
    case 'fund-task':
      return (
        <NumberField
          label="Amount, TOK"
          note="The full missing amount, unless you enter less."
          value={input.amount ?? ''}
          onChange={set('amount')}
        />
      );
    case 'submit-proof':
      return <ProofFields input={input} onInput={onInput} />;
    case 'open-dispute':
      return (
        <TextArea
          label="What is wrong"
          note="Only the hash of this text goes on chain. Keep the text: the arbitrator will want to read it."
          value={input.text ?? ''}
          onChange={set('text')}
        />
      );
    case 'propose-arbitrator':
      return <ArbitratorField market={task.market} value={input.address ?? ''} onChange={set('address')} />;
    case 'resolve-dispute':
      return (
        <>
          <NumberField
            label="Share of the worker, %"
            note="Of the disputed milestone, after your fee."
            value={input.percent ?? ''}
            onChange={set('percent')}
          />
          <TextArea
            label="Your reasons"
            note="Only the hash goes on chain. Send the text to both parties."
            value={input.text ?? ''}
            onChange={set('text')}
          />
        </>
      );
    default:
      return null;
  }
}

function ProofFields({ input, onInput }: Pick<Props, 'input' | 'onInput'>) {
  const newest = useRef<File | undefined>(undefined);
  const [error, setError] = useState<string>();
  /** Keeps what is typed while the file is read; if another file is chosen meanwhile, that one counts. */
  const chooseFile = async (file: File | undefined) => {
    const setHash = (fileHash?: string) =>
      onInput(({ fileHash: _, ...rest }) => (fileHash === undefined ? rest : { ...rest, fileHash }));
    newest.current = file;
    setError(undefined);
    setHash(file && fileReading);
    const hash = await file?.arrayBuffer().then(hashBytes, () => undefined);
    if (file === undefined || newest.current !== file) return;
    setHash(hash);
    if (hash === undefined) setError('The file cannot be read. Choose it again, or choose another one.');
  };
  return (
    <>
      <TextArea
        label="Link to the work, or a short note"
        note="It is public and stays on chain forever."
        value={input.uri ?? ''}
        onChange={(uri) => onInput((now) => ({ ...now, uri }))}
      />
      <Field
        label="File (optional)"
        note="The file stays in this browser: only its keccak-256 hash goes on chain. Without a file, the text above is hashed."
        error={error}
      >
        {(props) => (
          <input {...props} type="file" onChange={(event) => void chooseFile(event.target.files?.[0])} />
        )}
      </Field>
    </>
  );
}

function hashBytes(bytes: ArrayBuffer): string {
  return keccak256(new Uint8Array(bytes));
}

const listedArbitrators = 50n;

/** An address, with the bonded arbitrators of the market as suggestions. */
function ArbitratorField({
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
        args: [0n, listedArbitrators],
      });
      return accounts.map((address, index) => ({ address, record: records[index] }));
    },
  });
  return (
    <>
      <TextField
        label="Arbitrator"
        note="The address of an arbitrator with a bond on this market. Parties of the task cannot be arbitrators."
        list="arbitrators"
        value={value}
        onChange={(text) => onChange(text.trim())}
      />
      <datalist id="arbitrators">
        {data.map(({ address, record }) => (
          <option key={address} value={address}>
            bond {showTok(record?.bond ?? 0n)} TOK, {record?.resolved ?? 0} resolved, {record?.missed ?? 0}{' '}
            missed
          </option>
        ))}
      </datalist>
    </>
  );
}
