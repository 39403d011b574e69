// An amount of TOK typed in dollars: the price of the market turns it into TOK, and the TOK is what is signed.
import { useState } from 'react';
import { useTokPrice } from '../data/client.ts';
import { readUsd, toTokText, toUsdText } from '../data/dollars.ts';
import { NumberField } from './Form.tsx';

/** `amount` is in TOK, as typed. Nothing where the market has no price. */
export function DollarField({ amount, onAmount }: { amount: string; onAmount: (tok: string) => void }) {
  const price = useTokPrice();
  const [typed, setTyped] = useState({ usd: '', tok: '' });
  if (price === null) return null;
  // What was typed stays as long as the amount is the one that came of it, also a text such as `12.`.
  const shown = typed.usd !== '' && typed.tok === amount ? typed.usd : toUsdText(amount, price);
  const isWrong = shown !== '' && readUsd(shown) === null;
  return (
    <NumberField
      label="or in dollars"
      note={`1 TOK is $${price}; the TOK is what is signed.`}
      error={isWrong ? 'Not an amount: write 25 or 25.50' : undefined}
      value={shown}
      onChange={(usd) => {
        const tok = toTokText(usd, price);
        setTyped({ usd, tok: tok ?? amount });
        if (tok !== null) onAmount(tok);
      }}
    />
  );
}
