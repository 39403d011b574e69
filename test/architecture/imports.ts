// Finds every import in a TypeScript source: static, type, side effect, export-from and dynamic.

export type Import = {
  readonly specifier: string;
  readonly line: number;
};

export type ParsedSource = {
  readonly imports: readonly Import[];
  /** Lines of dynamic imports whose target is computed, so that nobody can check it. */
  readonly computedImports: readonly number[];
  /** The source with comments and the contents of strings blanked out, line breaks kept. */
  readonly code: string;
};

export function parseSource(source: string): ParsedSource {
  const code = blank(source);
  const imports: Import[] = [];
  const computedImports: number[] = [];
  const add = (at: number) => {
    // The blanked code has the quotes where the source has them, so that one finds the other.
    const quote = source[at] as string;
    imports.push({ specifier: source.slice(at + 1, source.indexOf(quote, at + 1)), line: lineAt(code, at) });
  };
  for (const match of code.matchAll(/(?<![\w$.])(?:import|export)\b[^'"`;()=]*?\bfrom\s*(?=['"])/g)) {
    add(match.index + match[0].length);
  }
  for (const match of code.matchAll(/(?<![\w$.])import\s*(?=['"])/g)) add(match.index + match[0].length);
  for (const match of code.matchAll(/(?<![\w$.])import\s*\(\s*/g)) {
    const at = match.index + match[0].length;
    const isLiteral = /^(['"`])\s*\1\s*[,)]/.test(code.slice(at)) && !source.slice(at).startsWith('`$');
    if (isLiteral) add(at);
    else computedImports.push(lineAt(code, match.index));
  }
  return { imports: imports.sort((left, right) => left.line - right.line), computedImports, code };
}

/** Replaces what is not code by spaces. Quotes stay; `${...}` inside a template stays code. */
function blank(source: string): string {
  const out = source.split('');
  const depths: number[] = [];
  let at = 0;
  let previous = '';
  const hide = (to: number) => {
    for (; at < to; at += 1) if (out[at] !== '\n') out[at] = ' ';
  };
  while (at < out.length) {
    const char = source[at] as string;
    const next = source[at + 1];
    if (char === '/' && next === '/') hide(endOf(source, '\n', at, 0));
    else if (char === '/' && next === '*') hide(endOf(source, '*/', at + 2, 2));
    else if (char === "'" || char === '"') {
      at += 1;
      hide(endOfString(source, char, at));
      at += 1;
    } else if (char === '/' && startsRegex(previous, source, at)) {
      hide(endOfRegex(source, at));
      previous = 'x';
    } else if (char === '`' || (char === '}' && depths.length > 0 && depths[depths.length - 1] === 0)) {
      if (char === '}') depths.pop();
      at += 1;
      const end = endOfTemplate(source, at);
      hide(end);
      if (source[end] === '$') {
        depths.push(0);
        at = end + 2;
      } else at = end + 1;
      previous = 'x';
    } else {
      if (depths.length > 0 && char === '{') depths[depths.length - 1] = (depths.at(-1) ?? 0) + 1;
      if (depths.length > 0 && char === '}') depths[depths.length - 1] = (depths.at(-1) ?? 0) - 1;
      if (!/\s/.test(char)) previous = char;
      at += 1;
    }
  }
  return out.join('');
}

function endOf(source: string, mark: string, from: number, length: number): number {
  const at = source.indexOf(mark, from);
  return at === -1 ? source.length : at + length;
}

/** A string never spans lines: an apostrophe in JSX text spoils its own line at most. */
function endOfString(source: string, quote: string, from: number): number {
  let at = from;
  while (at < source.length && source[at] !== quote && source[at] !== '\n') at += source[at] === '\\' ? 2 : 1;
  return Math.min(at, source.length);
}

function endOfTemplate(source: string, from: number): number {
  let at = from;
  while (at < source.length && source[at] !== '`' && !source.startsWith('${', at))
    at += source[at] === '\\' ? 2 : 1;
  return Math.min(at, source.length);
}

function startsRegex(previous: string, source: string, at: number): boolean {
  if (previous === '' || '(,=:[!&|?{};+-*%~^'.includes(previous)) return true;
  return /\b(?:return|typeof|case|in|of|await|yield|throw)\s*$/.test(source.slice(Math.max(0, at - 12), at));
}

function endOfRegex(source: string, from: number): number {
  let inClass = false;
  for (let at = from + 1; at < source.length && source[at] !== '\n'; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === '[') inClass = true;
    else if (source[at] === ']') inClass = false;
    else if (source[at] === '/' && !inClass) return at + 1;
  }
  return from + 1;
}

function lineAt(code: string, at: number): number {
  return code.slice(0, at).split('\n').length;
}
