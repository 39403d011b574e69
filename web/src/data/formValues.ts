// What people type into forms, as values: amounts, shares, numbers and lists.
import { parseTok } from '@svc/sdk/domain';
import { orNull } from './orNull.ts';

/** An amount of TOK in wei; null for a text that is none. */
export function parseAmount(text: string): bigint | null {
  return orNull(() => parseTok(text.trim()));
}

/** Without the commas between thousands. Other commas stay: in many countries `1,5` is less than two. */
export function dropThousands(text: string): string {
  const typed = text.trim();
  return /^[0-9]{1,3}(,[0-9]{3})+(\.|$)/.test(typed) ? typed.replaceAll(',', '') : typed;
}

/** Null for a text that is no number of days or hours. */
export function parseNumber(text: string): number | null {
  return /^[0-9]{1,4}(\.[0-9]{1,3})?$/.test(text.trim()) ? Number(text) : null;
}

/** A percentage in basis points. Throws a sentence if the text is not one. */
export function parsePercent(text: string): number {
  if (!/^(100(\.0{1,2})?|[0-9]{1,2}(\.[0-9]{1,2})?)$/.test(text.trim()))
    throw new Error('A share is a number from 0 to 100, with at most two decimal places.');
  return Math.round(Number(text) * 100);
}

/** Entries between commas or in lines: none of them empty, each once. */
export function splitList(text: string, separator: ',' | '\n' = ','): string[] {
  const entries = text.split(separator).map((entry) => entry.trim());
  return [...new Set(entries.filter(Boolean))];
}
