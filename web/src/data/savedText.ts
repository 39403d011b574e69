// Text fields that survive a reload: kept in this browser until they are sent.
import { useState } from 'react';

const prefix = 'svc-draft:';

/** State like `useState`, kept under a name. Clear it once the text is sent. */
export function useSavedText(name: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => readText(name));
  const change = (next: string) => {
    setText(next);
    saveText(name, next);
  };
  return [text, change];
}

export function readText(name: string): string {
  try {
    return localStorage.getItem(prefix + name) ?? '';
  } catch {
    return '';
  }
}

/** An empty text is forgotten. */
export function saveText(name: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, text);
  } catch {
    // Storage is full or forbidden: the field still works.
  }
}
