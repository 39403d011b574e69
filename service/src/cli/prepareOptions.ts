// The command line of `svc prepare`: flags and JSON for any action, made from the schema of its arguments.
import { readFileSync } from 'node:fs';
import type { Action } from '@svc/sdk/actions';
import { flagOf } from '@svc/sdk/actions';
import { SvcError } from '@svc/sdk/domain';
import { readArtifact } from './artifactFile.ts';
import { parseOptions } from './options.ts';
import { type ArgumentShape, listArguments } from './prepareArguments.ts';
import { buildActionUsage } from './prepareUsage.ts';

export const walletKinds = ['local', 'none', 'key', 'mcp'] as const;
export type WalletKind = (typeof walletKinds)[number];

export type PrepareOptions = {
  readonly wallet: WalletKind;
  readonly walletServer: string | undefined;
  /** Whether PRIVATE_KEY may sign for another chain than the embedded one. */
  readonly isConsented: boolean;
  readonly wait: boolean;
  /** What the action is given. */
  readonly args: Record<string, unknown>;
};

/** `readStdin` is called where `-` asks for it. Throws USAGE that names what is wrong. */
export async function parsePrepareOptions(
  action: Action,
  argv: readonly string[],
  readStdin: () => Promise<string>,
): Promise<PrepareOptions> {
  const shapes = listArguments(action);
  const { values, words } = parseOptions(buildActionUsage(action), argv);
  if (words.some((word) => word !== '-'))
    throw usage(`svc prepare ${action.name} takes options and "-"; see svc prepare ${action.name} --help.`);
  const { wallet = 'local', file = [] } = values as { wallet?: string; file?: string[] };
  const kind = walletKinds.find((known) => known === wallet);
  if (kind === undefined) throw usage(`--wallet must be one of ${walletKinds.join(', ')}.`);
  const given = shapes.flatMap((shape) => {
    const value = values[flagOf(shape.name).slice(2)];
    return value === undefined ? [] : [[shape.name, readFlag(shape, value)] as const];
  });
  return {
    wallet: kind,
    walletServer: values['wallet-server'] as string | undefined,
    isConsented: values['yes-real-chain'] === true,
    wait: values.wait === true,
    args: {
      ...(words.length > 0 && parseObject(await readStdin(), 'what came on standard input')),
      ...(file.length > 0 && { artifacts: file.map(readArtifact) }),
      ...Object.fromEntries(given),
    },
  };
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
