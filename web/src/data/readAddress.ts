// An address as people type it. Apart from other values: checksums weigh more than the rest of most pages' forms.
import { type Address, parseAddress } from '@svc/sdk/domain';
import { orNull } from './orNull.ts';

/** Null if the text is not an address. */
export function readAddress(text: string): Address | null {
  return orNull(() => parseAddress(text.trim()));
}
