// Where this browser remembers the batch of calls that a wallet was last asked for.
import { readText, saveText } from './savedText.ts';

const listeners = new Set<() => void>();
const nameOf = (owner: string) => `batch:${owner.toLowerCase()}`;

/** Empty without one. */
export function readBatchText(owner: string): string {
  return readText(nameOf(owner));
}

export function saveBatchText(owner: string, text: string): void {
  saveText(nameOf(owner), text);
  notifyOfBatches();
}

export function notifyOfBatches(): void {
  for (const notify of listeners) notify();
}

export function subscribeToBatches(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
