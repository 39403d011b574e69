// The command line of `svc prepare`: flags and JSON for any action, made from the schema of its arguments.
import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { z } from 'zod';
import { SvcError } from '#domain/errors.ts';
import type { Action } from '#tools/prepare/action.ts';
import { flagOf } from '#tools/prepare/commandLine.ts';
import { readArtifact } from './artifactFile.ts';

export const walletKinds = ['local', 'none', 'key', 'mcp'] as const;
export type WalletKind = (typeof walletKinds)[number];

export type PrepareOptions = {
  readonly help: boolean;
  readonly wallet: WalletKind;
  readonly walletServer: string | undefined;
  /** Whether PRIVATE_KEY may sign for another chain than the embedded one. */
  readonly isConsented: boolean;
  readonly wait: boolean;
  /** What the action is given. */
  readonly args: Record<string, unknown>;
};

/** One argument as its JSON Schema tells it. */
export type ArgumentShape = {
  readonly name: string;
  readonly description: string;
  readonly kind: 'text' | 'flag' | 'list' | 'json';
  readonly isRequired: boolean;
};

type Property = { readonly type?: string; readonly description?: string; readonly items?: Property };

export function listArguments({ input }: Action): ArgumentShape[] {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties as Record<string, Property>).map(([name, property]) => ({
    name,
    description: property.description ?? '',
    kind: kindOf(property),
    isRequired: required.includes(name),
  }));
}

function kindOf({ type, items }: Property): ArgumentShape['kind'] {
  if (type === 'boolean') return 'flag';
  if (type === 'object') return 'json';
  if (type === 'array') return items?.type === 'object' ? 'json' : 'list';
  return 'text';
}

/** `readStdin` is called where `-` asks for it. Throws USAGE that names what is wrong. */
export async function parsePrepareOptions(
  action: Action,
  argv: readonly string[],
  readStdin: () => Promise<string>,
): Promise<PrepareOptions> {
  const shapes = listArguments(action);
  const { values, positionals } = readValues(action, shapes, argv);
  if (positionals.some((word) => word !== '-'))
    throw usage(`svc prepare ${action.name} takes flags and "-", but got "${positionals[0]}".`);
  const { wallet = 'local', file = [] } = values as { wallet?: string; file?: string[] };
  const kind = walletKinds.find((known) => known === wallet);
  if (kind === undefined) throw usage(`--wallet must be one of ${walletKinds.join(', ')}.`);
  const given = shapes.flatMap((shape) => {
    const value = values[flagOf(shape.name).slice(2)];
    return value === undefined ? [] : [[shape.name, readFlag(shape, value)] as const];
  });
  return {
    help: values.help === true,
    wallet: kind,
    walletServer: values['wallet-server'] as string | undefined,
    isConsented: values['yes-real-chain'] === true,
    wait: values.wait === true,
    args: {
      ...(positionals.length > 0 && parseObject(await readStdin(), 'what came on standard input')),
      ...(file.length > 0 && { artifacts: file.map(readArtifact) }),
      ...Object.fromEntries(given),
    },
  };
}

function readValues(
  action: Action,
  shapes: readonly ArgumentShape[],
  argv: readonly string[],
): { readonly values: Readonly<Record<string, unknown>>; readonly positionals: readonly string[] } {
  const own = shapes.map(({ name, kind }) => [
    flagOf(name).slice(2),
    kind === 'flag' ? { type: 'boolean' as const } : { type: 'string' as const, multiple: kind === 'list' },
  ]);
  const options: ParseArgsConfig['options'] = {
    ...Object.fromEntries(own),
    wallet: { type: 'string' },
    'wallet-server': { type: 'string' },
    'yes-real-chain': { type: 'boolean' },
    wait: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
    ...(shapes.some(({ name }) => name === 'artifacts') && { file: { type: 'string', multiple: true } }),
  };
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    const [reason = ''] = (error as Error).message.split(/\.\s/);
    throw usage(`${reason.replace(/\.$/, '')}; see svc prepare ${action.name} --help.`);
  }
}

function readFlag({ name, kind }: ArgumentShape, value: unknown): unknown {
  if (kind === 'list') return (value as string[]).flatMap((text) => splitList(name, text));
  if (kind === 'json') return parseJson(readText(value as string), flagOf(name));
  return value;
}

function splitList(name: string, text: string): unknown[] {
  if (!text.startsWith('[')) return text.split(',').map((part) => part.trim());
  const list = parseJson(text, flagOf(name));
  if (!Array.isArray(list)) throw usage(`${flagOf(name)} must be a list.`);
  return list;
}

/** `@path` stands for what is in that file. */
function readText(value: string): string {
  if (!value.startsWith('@')) return value;
  try {
    return readFileSync(value.slice(1), 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'it cannot be read';
    throw new SvcError('FILE_UNUSABLE', { file: value.slice(1), reason }, error);
  }
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SvcError('USAGE', { reason: `${what} is not valid JSON.` }, error);
  }
}

function parseObject(text: string, what: string): Record<string, unknown> {
  const value = parseJson(text, what);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw usage(`${what} must be a JSON object.`);
  return value as Record<string, unknown>;
}

function usage(reason: string): SvcError {
  return new SvcError('USAGE', { reason });
}
