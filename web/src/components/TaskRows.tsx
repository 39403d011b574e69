// A list of tasks, or of what else waits: each has a link to its page, and a line about it.
import type { ReactNode } from 'react';
import { Sheet } from './Sheet.tsx';
import { useShortList } from './ShortList.tsx';

/** `more` says how many rows are shown at first, by the width of the screen. */
export function TaskSheet<Item extends { id: string; href: string; name: string }>({
  title,
  items,
  count = items.length,
  more: steps,
  empty,
  isNeeded = false,
  children,
}: {
  title: string;
  items: readonly Item[];
  /** Of all there are, where `items` are only some. */
  count?: ReactNode;
  more: Parameters<typeof useShortList>[1];
  /** Shown instead of the list when it has no tasks. */
  empty?: string;
  /** These tasks wait for the reader. */
  isNeeded?: boolean;
  /** What stands below the name. */
  children: (item: Item) => ReactNode;
}) {
  const [shown, more] = useShortList(items, steps);
  return (
    <Sheet title={title} note={count} aria-label={title} isBare>
      {items.length === 0 ? (
        <p className="body quiet">{empty}</p>
      ) : (
        <ul className="rows ownlist" data-is={isNeeded ? 'needed' : undefined}>
          {shown.map((item) => (
            <li key={item.id}>
              <a href={item.href} dir="auto">
                {item.name}
              </a>
              {children(item)}
            </li>
          ))}
        </ul>
      )}
      {more}
    </Sheet>
  );
}
