// The lines that another process prints, as they come.
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Answers each next line; throws when there are no more. */
export function readLines({ stdout }: ChildProcess): () => Promise<string> {
  if (stdout === null) throw new Error('The process has no output to read.');
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('The process has ended.');
    return value;
  };
}

/** The address that a server prints when it listens. */
export async function readUrl(child: ChildProcess): Promise<string> {
  const nextLine = readLines(child);
  for (;;) {
    const [url] = /http:\S+/.exec(await nextLine()) ?? [];
    if (url !== undefined) return url;
  }
}
