// The option layer of all commands, over Node's parseArgs: options with parsers, mistakes in words, and the help text.
import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';
import { SvcError } from '@svc/sdk/domain';
import { findNear } from '@svc/sdk/internal/domain/text';
import { type Config, readConfig } from '../config.ts';

/** One option: how it is parsed, and what the help says about it. */
export type Option = ParseArgsOptionDescriptor & {
  /** Placeholder for its value in the help, such as <url>. */
  readonly value?: string;
  readonly about: string;
  /** Parses the value; receives undefined where the option is absent. */
  readonly read?: (given: string | undefined) => unknown;
};

/** What a command says about itself: the source of its options, its help and its section in docs/commands.md. */
export type Usage<Options extends Readonly<Record<string, Option>> = Readonly<Record<string, Option>>> = {
  /** As typed after svc, such as "send-proposal" or "prepare claim-task". */
  readonly command: string;
  /** What follows the name, one entry for each form. */
  readonly synopsis: readonly string[];
  readonly about: string;
  /** Its own options; every command also has --json and --help. */
  readonly options: Options;
  /** What --json prints. */
  readonly json: string;
  /** How many arguments it takes that are not options. */
  readonly words?: number;
  /** Such arguments, each with its meaning. */
  readonly wordList?: Readonly<Record<string, string>>;
  /** Paragraphs after the options. */
  readonly notes?: readonly string[];
  readonly examples: readonly string[];
};

type ValueOf<Given> = Given extends { readonly read: (given: string | undefined) => infer Value }
  ? Value
  : Given extends { readonly type: 'boolean' }
    ? boolean
    : unknown;

export type Values<Options> = { readonly [Name in keyof Options]: ValueOf<Options[Name]> } & {
  readonly json: boolean;
};

/** An option with a value. An absent one is `fallback`. NoInfer: `Usage` allows any value, which must not become `Value`. */
export function text<Value = string, const Fallback = undefined>(
  value: string,
  about: string,
  parse: (given: string) => Value = (given) => given as Value,
  fallback?: Fallback,
) {
  const read = (given: string | undefined): NoInfer<Value | Fallback> =>
    given === undefined ? (fallback as Fallback) : parse(given);
  return { type: 'string', value, about, read } as const;
}

export function flag(about: string) {
  return { type: 'boolean', default: false, about } as const;
}

export function usageError(reason: string, cause?: unknown): SvcError {
  return new SvcError('USAGE', { reason }, cause);
}

/** Throws USAGE that names the option that is unknown, has no value or has a wrong one. */
export function parseOptions<const Options extends Readonly<Record<string, Option>>>(
  usage: Usage<Options>,
  args: readonly string[],
): { readonly values: Values<Options>; readonly words: readonly string[] } {
  const { values, positionals: words } = parseRaw(usage, args);
  // A stray argument may be a key that lost its option, so the message does not repeat it.
  if (words.length > (usage.words ?? 0))
    throw usageError(`${describeWords(usage)}; see svc ${usage.command} --help.`);
  const parsed = Object.entries(usage.options).map(([name, option]) => [
    name,
    readValue(name, option, values[name]),
  ]);
  return { values: { ...Object.fromEntries(parsed), json: values.json === true }, words };
}

/** For commands whose first word is one of those in `wordList`. Throws USAGE for any other. */
export function parseVerb<
  const Options extends Readonly<Record<string, Option>>,
  const Words extends Readonly<Record<string, string>>,
>(usage: Usage<Options> & { readonly wordList: Words }, args: readonly string[]) {
  const { values, words } = parseOptions(usage, args);
  const verbs: readonly (keyof Words & string)[] = Object.keys(usage.wordList);
  const verb = verbs.find((one) => one === words[0]);
  if (verb === undefined) throw usageError(`svc ${usage.command} needs one of ${verbs.join(', ')}.`);
  const need = (what: string): string => {
    if (words[1] === undefined) throw usageError(`${verb} needs ${what}.`);
    return words[1];
  };
  const say = (result: object, ...lines: readonly string[]) =>
    void console.log(values.json ? JSON.stringify(result) : lines.join('\n'));
  return { verb, values, words, need, say };
}

/** What a command does with its options and the configuration. It returns its exit code, or nothing after a success. */
type Work<Given> = (given: Given, config: Config) => Promise<number | undefined>;

/** The `run` of a command that takes options. */
export function defineRun<const Options extends Readonly<Record<string, Option>>>(
  usage: Usage<Options>,
  work: Work<ReturnType<typeof parseOptions<Options>>>,
) {
  return async (args: readonly string[]): Promise<number> =>
    (await work(parseOptions(usage, args), readConfig())) ?? 0;
}

/** The `run` of a command whose first word is one of those in `wordList`. */
export function defineVerbs<
  const Options extends Readonly<Record<string, Option>>,
  const Words extends Readonly<Record<string, string>>,
>(
  usage: Usage<Options> & { readonly wordList: Words },
  work: Work<ReturnType<typeof parseVerb<Options, Words>>>,
) {
  return async (args: readonly string[]): Promise<number> =>
    (await work(parseVerb(usage, args), readConfig())) ?? 0;
}

/** The id of a request or of a webhook that begins with a dash, and is no option. */
const dashedId = /^-(?=[^-])(?:[\w-]{11}|[\w-]{21})$/;

function parseRaw(usage: Usage, args: readonly string[]) {
  const options: Record<string, ParseArgsOptionDescriptor> = {
    ...usage.options,
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  };
  try {
    const marked = spellTask(args, options).map((word) => word.replace(dashedId, '/$&'));
    const { values, positionals } = parseArgs({ args: marked, options, allowPositionals: true });
    return { values, positionals: positionals.map((word) => word.replace(/^\/(?=-)/, '')) };
  } catch (error) {
    throw usageError(explain(error as Error, usage), error);
  }
}

/** A task can be named by `--task-id` or `--task` in every command, whatever its own help says. */
function spellTask(args: readonly string[], options: object): string[] {
  const own = ['task-id', 'task', 'for'].find((name) => name in options);
  return args.map((word) =>
    word.replace(/^--(task-id|task)(?==|$)/, (whole, name) =>
      own === undefined || name in options ? whole : `--${own}`,
    ),
  );
}

function readValue(name: string, { read }: Option, given: unknown): unknown {
  if (read === undefined) return given;
  try {
    return read(given as string | undefined);
  } catch (error) {
    throw usageError(`--${name}: ${(error as Error).message}`, error);
  }
}

/** For `text`: a whole number. */
export function parseWhole(high: number, low = 0): (value: string) => number {
  return (value) => {
    const number = /^[0-9]{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= low && number <= high) return number;
    throw usageError(`must be a whole number from ${low} to ${high}.`);
  };
}

export const parsePort = parseWhole(65_535);

/** For `text`: one of these words. */
export function parseOneOf<const Names extends readonly string[]>(
  names: Names,
): (value: string) => Names[number] {
  return (value) => {
    const name = names.find((known) => known === value);
    if (name === undefined) throw usageError(`must be one of ${names.join(', ')}.`);
    return name;
  };
}

/** For `text`. The message does not repeat the value, because providers put keys into their URLs. */
export function parseHttpUrl(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw usageError('must be a http:// or https:// address.');
  return value.replace(/\/+$/, '');
}

function describeWords({ command, words = 0 }: Usage): string {
  if (words === 0) return `svc ${command} takes options only`;
  return `svc ${command} takes ${words === 1 ? 'one word' : `${words} words`} and options`;
}

function explain({ message }: Error, { command, options }: Usage): string {
  // The rest of Node's message is about arguments that begin with a dash, which no command takes.
  const [reason = ''] = message.split(/\.\s|\n/);
  const [, wrong = ''] = /^Unknown option '--?([^']+)'/.exec(reason) ?? [];
  const near = findNear(wrong, [...Object.keys(options), 'json', 'help']);
  const hint = near === undefined ? '' : ` Did you mean --${near}?`;
  return `${reason.replace(/\.$/, '')}; see svc ${command} --help.${hint}`;
}

const width = 118;
/** A longer term gets its own line. */
const widestTerm = 24;

export function formatUsage({ command, synopsis, about, options, json, ...rest }: Usage): string {
  const flags = Object.entries(options).map(([name, { value, about }]) => [
    value === undefined ? `--${name}` : `--${name} ${value}`,
    about,
  ]);
  const rows = [...flags, ['--json', json], ['-h, --help', 'show this help']] as [string, string][];
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

function formatRows(rows: readonly (readonly [string, string])[]): string {
  const short = rows.map(([term]) => term.length).filter((length) => length <= widestTerm);
  const indent = Math.max(...short, 0) + 4;
  return rows
    .map(([term, meaning]) => {
      const text = wrap(meaning, width - indent).replaceAll('\n', `\n${' '.repeat(indent)}`);
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
