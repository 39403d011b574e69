// Reads the options of a command line, the same way for every command; a mistake in them is told as such.
import { parseArgs } from 'node:util';
import { SvcError } from '@svc/sdk/domain';
import type { Option, Usage } from './usage.ts';

type Shared = {
  readonly json: { readonly type: 'boolean'; readonly default: false };
  readonly help: { readonly type: 'boolean'; readonly short: 'h' };
};

const shared: Shared = { json: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } };

export function text<const Value extends string>(value: Value, about: string) {
  return { type: 'string', value, about } as const;
}

export function flag(about: string) {
  return { type: 'boolean', default: false, about } as const;
}

/** Throws USAGE that names the option which is unknown or lacks its value. */
export function parseOptions<const Options extends Readonly<Record<string, Option>>>(
  usage: Usage<Options>,
  args: readonly string[],
) {
  const options = { ...usage.options, ...shared } as Options & Shared;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    // A stray word may be a key that lost its option, so it is not repeated.
    if (positionals.length > (usage.words ?? 0))
      throw new SvcError('USAGE', { reason: `${describeWords(usage)}; see svc ${usage.command} --help.` });
    return { values, words: positionals };
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throw new SvcError('USAGE', { reason: explain(error as Error, usage) }, error);
  }
}

/** Runs a parser over an option's value; its complaint is told with the option's name. */
export function readValue<Value>(
  name: string,
  value: string | undefined,
  parse: (value: string) => Value,
): Value | undefined {
  if (value === undefined) return undefined;
  try {
    return parse(value);
  } catch (error) {
    throw new SvcError('USAGE', { reason: `--${name}: ${(error as Error).message}` }, error);
  }
}

/** For `readValue`: a whole number. */
export function parseWhole(high: number): (value: string) => number {
  return (value) => {
    if (!/^[0-9]{1,15}$/.test(value) || Number(value) > high)
      throw new SvcError('USAGE', { reason: `must be a whole number from 0 to ${high}.` });
    return Number(value);
  };
}

/** For `readValue`. The message does not repeat the value, since providers put keys into it. */
export function parseHttpUrl(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new SvcError('USAGE', { reason: 'must be a http:// or https:// address.' });
  return value.replace(/\/+$/, '');
}

function describeWords({ command, words = 0 }: Usage): string {
  if (words === 0) return `svc ${command} takes options only`;
  return `svc ${command} takes ${words === 1 ? 'one word' : `${words} words`} and options`;
}

function explain({ message }: Error, { command, options }: Usage): string {
  // What Node adds to its first sentence speaks of words that begin with a dash, which no command takes.
  const [reason = ''] = message.split(/\.\s|\n/);
  const [, wrong] = /^Unknown option '--?([^']+)'/.exec(reason) ?? [];
  const near = wrong === undefined ? undefined : findNear(wrong, [...Object.keys(options), 'json', 'help']);
  const hint = near === undefined ? '' : ` Did you mean --${near}?`;
  return `${reason.replace(/\.$/, '')}; see svc ${command} --help.${hint}`;
}

/** The known name that takes the fewest changes to reach, where those are few. */
function findNear(wrong: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((name) => ({ name, changes: countChanges(wrong, name) }))
    .sort((one, other) => one.changes - other.changes);
  return best !== undefined && best.changes <= Math.min(2, wrong.length / 2) ? best.name : undefined;
}

function countChanges(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (const [column, other] of [...to].entries())
      next.push(
        Math.min(
          (row[column] as number) + (letter === other ? 0 : 1),
          (row[column + 1] as number) + 1,
          (next[column] as number) + 1,
        ),
      );
    row = next;
  }
  return row[to.length] as number;
}
