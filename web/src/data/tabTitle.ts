// The title of the tab: the name of what the page shows, after the number of things that wait for the reader.
import { useEffect } from 'react';

let name = document.title;
const counts = new Map<string, number>();

/** Of a page, before it knows what it shows. */
export function nameTab(title: string): void {
  name = title;
  show();
}

/** While the caller is shown and knows what it shows; then the tab is called after the page again. */
export function useTitle(shown: string | undefined, page: string): void {
  useEffect(() => {
    const own = `${shown ?? page} · svc`;
    nameTab(own);
    return () => {
      // Another page may have named it meanwhile.
      if (name === own) nameTab(`${page} · svc`);
    };
  }, [shown, page]);
}

/** Each source has its own number; the title shows their sum. */
export function setTitleCount(source: 'messages' | 'tasks', waiting: number): void {
  counts.set(source, waiting);
  show();
}

function show(): void {
  const count = [...counts.values()].reduce((sum, one) => sum + one, 0);
  document.title = count === 0 ? name : `(${count}) ${name}`;
}
