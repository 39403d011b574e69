// What a measured figure means beside the last one and its ceiling.
export type Verdict = { readonly isGood: boolean; readonly note: string };

const tolerance = 0.02;

export function judge(gas: number, last: number | undefined, ceiling: number | undefined): Verdict {
  if (ceiling !== undefined && gas > ceiling) return { isGood: false, note: 'above its ceiling' };
  if (last === undefined) return { isGood: false, note: 'not in the snapshot' };
  if (gas > last * (1 + tolerance)) return { isGood: false, note: 'grew by more than 2 %' };
  if (gas < last * (1 - tolerance))
    return { isGood: true, note: 'fell by more than 2 %: refresh the snapshot' };
  return { isGood: true, note: '' };
}
