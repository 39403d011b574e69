// An address as people type it.
import { type Address, parseAddress } from '@svc/sdk/domain';
import { orNull } from './orNull.ts';

/** Null if the text is not an address. */
export function readAddress(text: string): Address | null {
  return orNull(() => parseAddress(text.trim()));
}
