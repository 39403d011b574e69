// An amount of TOK as people type it.
import { parseTok } from '@svc/sdk/domain';
import { orNull } from './orNull.ts';

/** In wei; null for a text that is no amount. */
export function parseAmount(text: string): bigint | null {
  return orNull(() => parseTok(text.trim()));
}
