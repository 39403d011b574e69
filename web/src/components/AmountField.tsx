// An amount as people type it, in dollars or in TOK as they choose once for all forms; TOK is what is kept and signed.
import { type ReactNode, useId, useState } from 'react';
import { usePagesInfo, useTokPrice } from '../data/client.ts';
import { readAmount, readUnit, toTokText, toUsdText } from '../data/dollars.ts';
import { showTok } from '../data/format.ts';
import { parseAmount } from '../data/formValues.ts';
import { saveText, useText } from '../data/savedText.ts';
import { Field, Switch } from './Form.tsx';
import { TypedUsd } from './Money.tsx';

type AmountFieldProps = {
  readonly label: string;
  /** Behind what the amount is in the other unit. */
  readonly note?: ReactNode;
  readonly error?: string | undefined;
  /** TOK as typed; dollars that are no amount stay behind their mark, and nothing takes them for one. */
  readonly value: string;
  readonly onChange: (tok: string) => void;
};

const unitName = 'unit';

/** `25 TOK` and `$12` choose the unit as well. */
export function AmountField({ label, note, error, value, onChange }: AmountFieldProps) {
  const price = useTokPrice();
  // Until the price is known, nobody types in a unit that would become another one.
  const isKnown = usePagesInfo().data !== undefined;
  const isTok = useText(unitName) === 'TOK' || price === null;
  const unitId = useId();
  const [typed, setTyped] = useState({ usd: '', tok: '' });
  // What was typed stays as long as the amount is the one that came of it, also a text such as `12.`.
  const shown = isTok
    ? value.replace(/^\$/, '')
    : value.startsWith('$')
      ? value.slice(1)
      : typed.usd !== '' && typed.tok === value
        ? typed.usd
        : toUsdText(value, price);
  const change = (text: string) => {
    const unit = readUnit(text);
    if (unit !== null) saveText(unitName, unit === 'TOK' ? 'TOK' : '');
    const amount = readAmount(text);
    if (price === null || (unit ?? (isTok ? 'TOK' : 'USD')) === 'TOK') return onChange(amount);
    const tok = amount === '' ? '' : (toTokText(amount, price) ?? `$${amount}`);
    setTyped({ usd: amount, tok });
    onChange(tok);
  };
  const wei = parseAmount(value);
  return (
    <Field
      label={label}
      error={error}
      note={
        <>
          {wei !== null && wei > 0n && !isTok && `You sign ${showTok(wei)} TOK. `}
          {isTok && <TypedUsd amount={value.trim()} />} {note}
        </>
      }
    >
      {(props) => (
        <div className="amount">
          {!isTok && <span aria-hidden="true">$</span>}
          <input
            {...props}
            aria-describedby={`${unitId} ${props['aria-describedby']}`}
            inputMode="decimal"
            disabled={!isKnown}
            value={shown}
            onChange={(event) => change(event.target.value)}
          />
          <span id={unitId} className="hidden">
            {isTok ? 'in TOK' : 'in dollars'}
          </span>
          {price === null ? (
            <span className="quiet">TOK</span>
          ) : (
            <Switch
              labels={{ USD: 'Dollars', TOK: 'TOK' }}
              value={isTok ? 'TOK' : 'USD'}
              onChange={(unit) => saveText(unitName, unit === 'TOK' ? 'TOK' : '')}
            />
          )}
        </div>
      )}
    </Field>
  );
}
