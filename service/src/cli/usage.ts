// What a command says of itself: the one source of its help, its options and its page in the documentation.
import type { ParseArgsOptionDescriptor } from 'node:util';

/** One option: how it is read, and what the help says about it. */
export type Option = ParseArgsOptionDescriptor & {
  /** What stands for its value in the help, such as <url>. */
  readonly value?: string;
  readonly about: string;
};

export type Usage<Options extends Readonly<Record<string, Option>> = Readonly<Record<string, Option>>> = {
  /** As typed after svc, such as "send-proposal" or "prepare claim-task". */
  readonly command: string;
  /** What follows the name, one for each way to call it. */
  readonly synopsis: readonly string[];
  /** What it does; sentences, wrapped when shown. */
  readonly about: string;
  /** Its own; --json and --help are every command's. */
  readonly options: Options;
  /** What --json prints. */
  readonly json: string;
  /** How many words that are no options it takes. */
  readonly words?: number;
  /** Such words, each with what it means. */
  readonly wordList?: Readonly<Record<string, string>>;
  /** Paragraphs after the options. */
  readonly notes?: readonly string[];
  readonly examples: readonly string[];
};

const width = 118;
/** A term that is longer stands on a line of its own. */
const widestTerm = 24;

export function formatUsage({ command, synopsis, about, options, json, ...rest }: Usage): string {
  const flags = Object.entries(options).map(([name, option]) => [nameOption(name, option), option.about]);
  const rows = [...flags, ['--json', json], ['-h, --help', 'show this']] as [string, string][];
  const calls = synopsis.map((words, at) =>
    `${at === 0 ? 'Usage:' : '      '} svc ${command} ${words}`.trimEnd(),
  );
  const words = Object.entries(rest.wordList ?? {});
  return [
    calls.join('\n'),
    wrap(about, width),
    ...(words.length > 0 ? [formatRows(words)] : []),
    formatRows(rows),
    ...(rest.notes ?? []).map((note) => wrap(note, width)),
    `${rest.examples.length > 1 ? 'Examples' : 'Example'}\n${rest.examples.map((line) => `  ${line}`).join('\n')}`,
  ].join('\n\n');
}

function nameOption(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function formatRows(rows: readonly (readonly [string, string])[]): string {
  const short = rows.map(([term]) => term.length).filter((length) => length <= widestTerm);
  const indent = Math.max(...short, 0) + 4;
  return rows
    .map(([term, meaning]) => {
      const lines = wrap(meaning, width - indent).split('\n');
      const text = lines.join(`\n${' '.repeat(indent)}`);
      return term.length + 4 <= indent
        ? `  ${term.padEnd(indent - 2)}${text}`
        : `  ${term}\n${' '.repeat(indent)}${text}`;
    })
    .join('\n');
}

function wrap(text: string, limit: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > limit) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}
