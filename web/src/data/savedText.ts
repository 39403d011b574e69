// Texts that this browser keeps by name: drafts, sessions, and what the reader has seen.
import { useState, useSyncExternalStore } from 'react';
import { orNull } from './orNull.ts';

const prefix = 'svc:';
const listeners = new Set<() => void>();
/** Texts that the browser did not store, because storage is full or forbidden. They last as long as the page. */
const memory = new Map<string, string>();

/** Holds the batch of calls that a wallet was last asked for. Here, because the frame of every page looks for one. */
export const batchName = (owner: string) => `batch:${owner.toLowerCase()}`;

export function readText(name: string): string {
  try {
    return memory.get(name) ?? localStorage.getItem(prefix + name) ?? '';
  } catch {
    return '';
  }
}

/** An empty text is forgotten. */
export function saveText(name: string, text: string): void {
  memory.delete(name);
  try {
    if (text === '') localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, text);
  } catch {
    memory.set(name, text);
  }
  notifyReaders();
}

/** A list of words, newest first. */
export function readList(name: string): readonly string[] {
  return readText(name).split(' ').filter(Boolean);
}

/** Puts a word first in its list, in place of the older ones that `isSame` names, and keeps `most` of them. */
export function saveFirst(
  name: string,
  word: string,
  most: number,
  isSame = (one: string) => one === word,
): void {
  const others = readList(name).filter((one) => !isSame(one));
  saveText(name, [word, ...others].slice(0, most).join(' '));
}

/** The text, also when it changes in this tab or another; empty without a name. */
export function useText(name: string | null): string {
  return useSyncExternalStore(subscribeToTexts, () => (name === null ? '' : readText(name)));
}

/** State like `useState`, kept under a name, with `start` where nothing is kept. Clear it once the text is sent. */
export function useSavedText(name: string, start = ''): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => readText(name) || start);
  const change = (next: string) => {
    setText(next);
    saveText(name, next);
  };
  return [text, change];
}

/** The fields of a form, kept under a name from the first change on; `parse` throws for what is none. Forget them once sent. */
export function useSavedForm<Form extends object>(now: string, parse: (kept: unknown) => Form, start: Form) {
  // The name that the form began with: what it edits may change meanwhile.
  const [name] = useState(now);
  const [form, setForm] = useState(() => readSavedForm(name, parse) ?? start);
  const change = (changes: Partial<Form>) => {
    const next = { ...form, ...changes };
    setForm(next);
    saveText(name, JSON.stringify(next));
  };
  return [form, change, () => saveText(name, '')] as const;
}

/** Null where nothing is kept. */
export function readSavedForm<Form>(name: string, parse: (kept: unknown) => Form): Form | null {
  return orNull(() => parse(JSON.parse(readText(name))));
}

export function notifyReaders(): void {
  for (const notify of listeners) notify();
}

export function subscribeToTexts(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}
