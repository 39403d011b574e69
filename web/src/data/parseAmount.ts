// An amount of TOK as people type it.
import { parseTok } from '@svc/sdk/domain';
import { orNull } from './orNull.ts';

/** In wei; null for a text that is no amount. */
export function parseAmount(text: string): bigint | null {
  return orNull(() => parseTok(text.trim()));
}

/** Without the commas between thousands. Other commas stay: in many countries `1,5` is less than two. */
export function dropThousands(text: string): string {
  const typed = text.trim();
  return /^[0-9]{1,3}(,[0-9]{3})+(\.|$)/.test(typed) ? typed.replaceAll(',', '') : typed;
}
