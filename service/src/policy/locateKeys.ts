// Finds the line of every key in a JSON text, and keys that are repeated. JSON.parse reports neither.

export type KeyPlaces = {
  /** By path, such as `actions.post-task.tok`; list items by their number. */
  readonly lines: ReadonlyMap<string, number>;
  readonly repeated: readonly { readonly path: string; readonly line: number }[];
  /** Why the text is no JSON; null where it is. */
  readonly mistake: string | null;
};

type Level = { readonly path: string; readonly isList: boolean; index: number };

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

export function locateKeys(text: string): KeyPlaces {
  const lines = new Map<string, number>();
  const repeated: { path: string; line: number }[] = [];
  try {
    JSON.parse(text);
  } catch (error) {
    return { lines, repeated, mistake: explain(text, error as Error) };
  }
  const lineOf = createLineCounter(text);
  const levels: Level[] = [];
  let key: string | null = null;
  const tokens = [...text.matchAll(token)];
  for (const [at, match] of tokens.entries()) {
    const [word] = match;
    const level = levels.at(-1);
    const here = () => join(level?.path ?? '', level?.isList ? String(level.index) : (key ?? ''));
    if (word === '{' || word === '[') {
      if (level?.isList) lines.set(here(), lineOf(match.index));
      levels.push({ path: here(), isList: word === '[', index: 0 });
      key = null;
    } else if (word === '}' || word === ']') {
      levels.pop();
    } else if (word === ',') {
      if (level?.isList) level.index++;
    } else if (level?.isList) {
      lines.set(here(), lineOf(match.index));
    } else if (tokens[at + 1]?.[0] === ':') {
      key = JSON.parse(word) as string;
      const path = here();
      const line = lineOf(match.index);
      if (lines.has(path)) repeated.push({ path, line });
      lines.set(path, line);
    }
  }
  return { lines, repeated, mistake: null };
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** Counts on from the last position: positions only grow. */
function createLineCounter(text: string): (index: number) => number {
  let line = 1;
  let at = 0;
  return (index) => {
    for (; at < index; at++) if (text[at] === '\n') line++;
    return line;
  };
}

function explain(text: string, { message }: Error): string {
  const [, position] = /position (\d+)/.exec(message) ?? [];
  if (position === undefined) return 'it is not valid JSON';
  const line = text.slice(0, Number(position)).split('\n').length;
  return `line ${line}: this is not valid JSON`;
}
