// The form of an action, from the fields that the catalog gives it; most actions have none.

import { disputeCourtAbi } from '@svc/contracts/abi';
import type { FormField, WriteAction } from '@svc/sdk/actions';
import type { Address, Market } from '@svc/sdk/domain';
import { useQuery } from '@tanstack/react-query';
import type { Dispatch, SetStateAction } from 'react';
import { readContract } from 'viem/actions';
import { Field, NumberField, TextArea, TextField } from '#components/Field.tsx';
import { TypedUsd } from '#components/Money.tsx';
import { showTok } from '#data/format.ts';
import { useSiteConfig } from '#data/market.ts';
import type { ActionArguments } from './marketAccess.ts';
import { parsePercent } from './settlement.ts';
import { useWallet } from './useWallet.tsx';

/** What is typed into the form, by the names of the fields. */
export type FormInput = Readonly<Record<string, string>>;

/** The arguments that a form gives, or what is wrong with it. */
export function readForm({ fields = [] }: WriteAction, input: FormInput): ActionArguments {
  try {
    const entries = fields.map((field) => [field.name, readField(field, input)]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  } catch (error) {
    return error as Error;
  }
}

function readField({ name, kind, required }: FormField, input: FormInput): string | true | undefined {
  const text = input[name] ?? '';
  if (kind === 'percent') return String(parsePercent(text));
  if (kind === 'flag') return text === '' ? undefined : true;
  if (text.trim() === '' && required !== undefined) throw new Error(required);
  if (kind === 'moment')
    return text === '' ? undefined : new Date(text).toISOString().replace(/\.\d+Z$/, 'Z');
  return text.trim();
}

type FieldsProps = {
  readonly action: WriteAction;
  readonly market: Market;
  readonly input: FormInput;
  readonly onInput: Dispatch<SetStateAction<FormInput>>;
};

export function ActionFields({ action, market, input, onInput }: FieldsProps) {
  const set = (name: string) => (value: string) => onInput((now) => ({ ...now, [name]: value }));
  return action.fields?.map(({ name, kind, label, note }) => {
    const props = { label, note, value: input[name] ?? '', onChange: set(name) };
    switch (kind) {
      case 'text':
        return <TextArea key={name} {...props} />;
      case 'address':
        return <ArbitratorField key={name} market={market} {...props} />;
      case 'flag':
        return <FlagField key={name} {...props} />;
      case 'moment':
        return <TextField key={name} {...props} type="datetime-local" />;
      case 'tok':
        return (
          <div key={name}>
            <NumberField {...props} />
            <TypedUsd amount={props.value.trim()} />
          </div>
        );
      default:
        return <NumberField key={name} {...props} />;
    }
  });
}

/** Holds `true` while it is checked. */
function FlagField({ label, note, value, onChange }: Parameters<typeof TextField>[0]) {
  return (
    <Field label={label} note={note}>
      {(props) => (
        <input
          {...props}
          type="checkbox"
          checked={value !== ''}
          onChange={(event) => onChange(event.target.checked ? 'true' : '')}
        />
      )}
    </Field>
  );
}

const listedArbitrators = 50n;

/** An address, with the bonded arbitrators of the market as suggestions. */
function ArbitratorField({
  market,
  onChange,
  ...props
}: { readonly market: Market } & Parameters<typeof TextField>[0]) {
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
      <TextField {...props} list="arbitrators" onChange={(text) => onChange(text.trim())} />
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
