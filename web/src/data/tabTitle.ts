// The title of the tab: the name of what the page shows, after the number of things that wait for the reader.

let name: string | null = null;
const counts = new Map<string, number>();

export function setTitle(text: string): void {
  name = text;
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
