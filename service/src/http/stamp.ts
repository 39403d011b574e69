// The headers that differ from one answer to the next: the block it shows, that block's age, the request's id.

export type HeadState = { readonly head: { readonly number: bigint; readonly time: number } };

export type StampContext = {
  /** Null while nothing is known of the chain. */
  readonly state: () => HeadState | null;
  readonly now: () => number;
};

/** Answers these headers as lines, for one answer. */
export type Stamp = (requestId: string) => string;

export function createStamp({ state, now }: StampContext): Stamp {
  let known: HeadState | null = null;
  let second = -1;
  let lines = '';
  return (requestId) => {
    const current = state();
    const time = now();
    if (current !== known || time !== second) {
      known = current;
      second = time;
      lines = current === null ? '' : formatHead(current, time);
    }
    return `X-Request-Id: ${requestId}\r\n${lines}`;
  };
}

function formatHead({ head }: HeadState, time: number): string {
  return `Svc-Block: ${head.number}\r\nSvc-Block-Age: ${Math.max(0, time - head.time)}\r\n`;
}
