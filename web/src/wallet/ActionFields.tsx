// The form of an action, from the fields that the catalog gives it; most actions have none.

import { createClientAsker, type FormField, parseTaskRecord, type WriteAction } from '@svc/sdk/actions';
import { type Address, findArbitratorObstacle, isSameAddress } from '@svc/sdk/domain';
import { readArbitrators } from '@svc/sdk/internal/chain/readAgents';
import { skipToken, useQuery } from '@tanstack/react-query';
import type { Dispatch, SetStateAction } from 'react';
import { Field, NumberField, TextArea, TextField } from '../components/Form.tsx';
import { Identicon } from '../components/Identicon.tsx';
import { Tok, TokField } from '../components/Money.tsx';
import { shorten, showMoment } from '../data/format.ts';
import { parsePercent } from '../data/formValues.ts';
import type { Task } from '../data/market.ts';
import { type ActionArguments, useFigures, useMarketAccess } from './marketAccess.ts';
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
  readonly task: Task;
  readonly input: FormInput;
  readonly onInput: Dispatch<SetStateAction<FormInput>>;
};

export function ActionFields({ action, task, input, onInput }: FieldsProps) {
  const set = (name: string) => (value: string) => onInput((now) => ({ ...now, [name]: value }));
  return action.fields?.map(({ name, kind, label, note }) => {
    const props = { label, note, value: input[name] ?? '', onChange: set(name) };
    switch (kind) {
      case 'text':
        return <TextArea key={name} {...props} />;
      case 'address':
        return <ArbitratorField key={name} task={task} {...props} />;
      case 'flag':
        return <FlagField key={name} {...props} />;
      case 'moment':
        return <MomentField key={name} {...props} />;
      case 'tok':
        return <TokField key={name} {...props} />;
      default:
        return <NumberField key={name} {...props} />;
    }
  });
}

type TextProps = Parameters<typeof TextField>[0];

/** Takes local time, and says what it is in the time of all pages. */
function MomentField({ note, ...props }: TextProps) {
  const moment = Date.parse(props.value) / 1_000;
  const known = Number.isNaN(moment) ? 'Date and time of your own clock.' : `That is ${showMoment(moment)}.`;
  return <TextField {...props} note={`${note} ${known}`} type="datetime-local" />;
}

/** Holds `true` while it is checked. */
function FlagField({ label, note, value, onChange }: TextProps) {
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

type ArbitratorProps = { readonly task: Task } & TextProps;

/** An address, typed or chosen from the arbitrators that the court takes for this task. */
function ArbitratorField({ task, onChange, ...props }: ArbitratorProps) {
  const { market } = task;
  const client = useWallet()?.client ?? null;
  const access = useMarketAccess();
  const minBond = useFigures(market).data?.arbitratorMinBondTokWei;
  const { data: arbitrators = [] } = useQuery({
    queryKey: ['arbitrators', market],
    queryFn:
      client === null || access === null
        ? skipToken
        : () => readArbitrators(createClientAsker(client), access.contracts[market]),
  });
  const disputed = parseTaskRecord(task);
  const namedBy = (address: Address) =>
    (['poster', 'worker'] as const).find((role) => {
      const pick = task.dispute?.[role].pick ?? null;
      return pick !== null && isSameAddress(pick as Address, address);
    });
  const able = arbitrators
    .filter((one) => minBond !== undefined && findArbitratorObstacle(disputed, one, minBond) === null)
    .sort((one, other) => Number(!namedBy(one.address)) - Number(!namedBy(other.address)));
  return (
    <>
      <TextField {...props} onChange={(text) => onChange(text.trim())} />
      {able.length > 0 && (
        <ul className="stack dense picks" aria-label="Arbitrators for this case">
          {able.map(({ address, bond, resolved, pairs, judgedAmount, missed, minHeld }) => (
            <li key={address}>
              <button
                type="button"
                aria-pressed={address.toLowerCase() === props.value.toLowerCase()}
                onClick={() => onChange(address)}
              >
                <Identicon address={address} size="s" />
                <span className="mono">{shorten(address)}</span>
                {namedBy(address) && <b>named by the {namedBy(address)}</b>}
                <span className="small quiet">
                  {resolved} resolved for {pairs} pairs of parties over <Tok wei={judgedAmount} />, {missed}{' '}
                  missed, bond <Tok wei={bond} hasUsd />
                  {minHeld > 0n && (
                    <>
                      , cases from <Tok wei={minHeld} hasUsd />
                    </>
                  )}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
