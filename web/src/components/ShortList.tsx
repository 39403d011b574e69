// Lists of a phone show their first rows and a button for more, so that the end of the page stays within reach.
import { type ReactNode, useState, useSyncExternalStore } from 'react';

const narrow = '(max-width: 720px)';

export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (notify) => {
      const query = matchMedia(narrow);
      query.addEventListener('change', notify);
      return () => query.removeEventListener('change', notify);
    },
    () => matchMedia(narrow).matches,
  );
}

/** The rows to show, and a button for the next ones; all rows unless a step for this width is given. */
export function useShortList<T>(
  rows: readonly T[],
  steps: { readonly narrow?: number; readonly wide?: number },
): readonly [readonly T[], ReactNode] {
  const step = (useIsNarrow() ? steps.narrow : steps.wide) ?? rows.length;
  const [count, setCount] = useState(1);
  const rest = rows.length - count * step;
  if (rest <= 0) return [rows, null];
  const more = (
    <button type="button" className="button more" onClick={() => setCount(count + 1)}>
      {rest === 1
        ? 'Show the last one'
        : rest <= step
          ? `Show the other ${rest}`
          : `Show ${step} more of ${rest}`}
    </button>
  );
  return [rows.slice(0, count * step), more];
}
