// The title of the tab: the name of what the page shows, after the number of things that wait for the reader.
import { useEffect } from 'react';

let name: string | null = null;
const counts = new Map<string, number>();

/** While the caller is shown and knows what it shows; then the tab is called after the page again. */
export function useTitle(shown: string | undefined, page: string): void {
  useEffect(() => {
    if (shown !== undefined) setTitle(shown);
    return () => setTitle(page);
  }, [shown, page]);
}

function setTitle(text: string): void {
  name = `${text} · svc`;
  show();
}

/** Each source has its own number; the title shows their sum. */
export function setTitleCount(source: 'messages' | 'tasks', waiting: number): void {
  counts.set(source, waiting);
  show();
}

function show(): void {
  name ??= document.title;
  const count = [...counts.values()].reduce((sum, one) => sum + one, 0);
  document.title = count === 0 ? name : `(${count}) ${name}`;
}
