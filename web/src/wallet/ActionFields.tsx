// The fields that an action asks for before it can be planned; most actions ask for nothing.

import { formatTok } from '@svc/sdk/domain';
import { type Dispatch, type SetStateAction, useRef, useState } from 'react';
import { keccak256 } from 'viem';
import { Field, TextField } from '../components/Field.tsx';
import type { Task } from '../data/market.ts';
import { ArbitratorField } from './ArbitratorField.tsx';
import { type ActionInput, fileReading } from './taskNeeds.ts';

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
        <Field label="Amount, TOK" note="Everything that is missing, unless you say less.">
          {(props) => (
            <input
              {...props}
              inputMode="decimal"
              value={input.amount ?? ''}
              onChange={(event) => set('amount')(event.target.value)}
            />
          )}
        </Field>
      );
    case 'submit-proof':
      return <ProofFields input={input} onInput={onInput} />;
    case 'open-dispute':
      return (
        <TextField
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
          <Field label="Share of the worker, %" note="Of the disputed milestone, after your fee.">
            {(props) => (
              <input
                {...props}
                inputMode="decimal"
                value={input.percent ?? ''}
                onChange={(event) => set('percent')(event.target.value)}
              />
            )}
          </Field>
          <TextField
            label="Your reasons"
            note="Only their hash goes on chain; send the text to both parties."
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
  const [fault, setFault] = useState<string>();
  /** Into whatever was typed by then; where another file was chosen meanwhile, that one counts. */
  const chooseFile = async (file: File | undefined) => {
    const setHash = (fileHash?: string) =>
      onInput(({ fileHash: _, ...rest }) => (fileHash === undefined ? rest : { ...rest, fileHash }));
    newest.current = file;
    setFault(undefined);
    setHash(file && fileReading);
    const hash = await file?.arrayBuffer().then(hashBytes, () => undefined);
    if (file === undefined || newest.current !== file) return;
    setHash(hash);
    if (hash === undefined) setFault('It cannot be read; choose it again, or another one.');
  };
  return (
    <>
      <TextField
        label="Where the work is, or what it is"
        note="A link or a short note. It is public and stays on chain for ever."
        value={input.uri ?? ''}
        onChange={(uri) => onInput((now) => ({ ...now, uri }))}
      />
      <Field
        label="The file, if it is one"
        note="It never leaves this browser: only its keccak-256 hash goes on chain. Without a file, the text above is hashed."
        fault={fault}
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
