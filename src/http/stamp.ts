// The headers that differ from one answer to the next: the block it shows, that block's age, the request's id.

export type HeadState = { readonly head: { readonly number: bigint; readonly time: number } };

export type StampContext = {
  /** Null while nothing is known of the chain. */
  readonly state: () => HeadState | null;
  readonly now: () => number;
};

/** Fills the slots of a header list, in place, and answers the list to send. */
export type Stamp = (headers: string[], requestId: string) => string[];

/** Every header list of a ready reply begins with these. */
export const stampSlots: readonly string[] = ['X-Request-Id', '', 'Svc-Block', '', 'Svc-Block-Age', ''];
const [idSlot, blockSlot, ageSlot] = [1, 3, 5];
const slotsOfBlock = 2;

export function createStamp({ state, now }: StampContext): Stamp {
  let known: HeadState | null = null;
  let block = '';
  let second = -1;
  let age = '';
  return (headers, requestId) => {
    const current = state();
    headers[idSlot] = requestId;
    if (current === null) return headers.toSpliced(slotsOfBlock, stampSlots.length - slotsOfBlock);
    const time = now();
    if (current !== known || time !== second) {
      known = current;
      second = time;
      block = String(current.head.number);
      age = String(Math.max(0, time - current.head.time));
    }
    headers[blockSlot] = block;
    headers[ageSlot] = age;
    return headers;
  };
}
