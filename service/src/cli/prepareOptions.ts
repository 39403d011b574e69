// The command line of `svc prepare`: flags, JSON and help of any action, built from the schema of its arguments.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { type Action, actions } from '@svc/sdk/actions';
import { buildCommand, flagOf } from '@svc/sdk/internal/actions/arguments';
import { cleanFileName } from '@svc/sdk/internal/domain/documentNames';
import * as z from 'zod';
import { explainFileError } from '../app/durableFile.ts';
import { mediaTypeOf } from '../app/outgoingFile.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { exitCodes, exitMeanings } from './failure.ts';
import {
  flag,
  type Option,
  parseOneOf,
  parseOptions,
  text,
  type Usage,
  usageError,
  type Values,
} from './options.ts';

export const policyOption = text(
  '<file>',
  'the spending policy of a wallet that signs: what exceeds it becomes a request to the owner; default SVC_POLICY',
);

/** Of wallets that sign without a page of the gateway. */
export const signingOptions = {
  'wallet-server': text('<url or command>', 'the tool server of --wallet mcp'),
  'yes-real-chain': flag('let --wallet key sign for another chain than the embedded one'),
  policy: policyOption,
};

const walletOptions = {
  wallet: text(
    '<kind>',
    "local (default): the gateway's page asks the wallet's owner; none: print the calls and ask nobody; key: sign and send with PRIVATE_KEY; mcp: send the calls to a wallet tool server",
    parseOneOf(['local', 'none', 'key', 'mcp']),
    'local',
  ),
  ...signingOptions,
  wait: flag('wait until the request is settled, rejected, failed or expired'),
};

const fileOption = {
  ...text('<file>', 'a file of the delivery: its name, size and hash are listed; may be repeated'),
  multiple: true,
} as const;

const json = 'is always so: one JSON document on standard output, words for people on standard error';
const inputNote =
  'Arguments may also come as one JSON object on standard input: end the line with "-". Options win over it.';

export const prepareUsage = {
  command: 'prepare',
  synopsis: ['<action> [arguments] [--wallet <kind>] [--wait]', '<action> --help'],
  about:
    'Builds the unsigned calls of an action, tries them on the chain as it is, and sends them to a wallet. svc prepare <action> --help shows the arguments of one.',
  wordList: Object.fromEntries(actions.map(({ name, summary }) => [name, summary])),
  options: walletOptions,
  json,
  notes: [
    inputNote,
    `Ends with ${exitCodes.wouldRevert}: ${exitMeanings.wouldRevert}. Ends with ${exitCodes.notSettled}: ${exitMeanings.notSettled}.`,
  ],
  examples: [
    'svc prepare claim-task --task-id v2:standard:12 --from 0xa0Ee7A142d267C1f36714E4a8F75612F20a79720 --wait',
    'svc prepare post-task --help',
  ],
} as const satisfies Usage;

export function buildActionUsage(action: Action): Usage {
  const shapes = listArguments(action);
  const own = shapes.map((shape) => [flagOf(shape.name).slice(2), toOption(shape)]);
  return {
    command: `prepare ${action.name}`,
    synopsis: ['[arguments]'],
    about: `${action.summary[0]?.toUpperCase()}${action.summary.slice(1)}.`,
    // Standard input, given as "-".
    words: 1,
    options: {
      ...Object.fromEntries(own),
      ...(shapes.some(({ name }) => name === 'artifacts') && { file: fileOption }),
      ...walletOptions,
    },
    json,
    notes: [inputNote],
    examples: [buildCommand(action.name, action.example)],
  };
}

function toOption({ kind, description, isRequired, choices }: ArgumentShape): Option {
  const isSaid = choices.replace(' (default)', '') === description;
  const words = choices === '' || isSaid ? choices || description : `${choices}. ${description}`;
  const about = `${isRequired ? '(required) ' : ''}${words}`;
  if (kind === 'flag') return { type: 'boolean', about };
  return { type: 'string', multiple: kind === 'list', value: `<${valueNames[kind]}>`, about };
}

const valueNames = { text: 'value', list: 'a,b,…', json: 'JSON or @file' } as const;

/** One argument, as its JSON Schema describes it. */
type ArgumentShape = ReturnType<typeof listArguments>[number];

type Property = {
  readonly type?: string;
  readonly description?: string;
  readonly items?: Property;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
};

function listArguments({ input }: Action) {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties as Record<string, Property>).map(([name, property]) => ({
    name,
    description: property.description ?? '',
    kind: kindOf(property),
    isRequired: required.includes(name),
    choices: (property.enum ?? [])
      .map((one) => (one === property.default ? `${one} (default)` : `${one}`))
      .join(' or '),
  }));
}

function kindOf({ type, items }: Property): 'text' | 'flag' | 'list' | 'json' {
  if (type === 'boolean') return 'flag';
  if (type === 'object') return 'json';
  if (type === 'array') return items?.type === 'object' ? 'json' : 'list';
  return 'text';
}

export type PrepareOptions = Awaited<ReturnType<typeof parsePrepareOptions>>;

/** Calls `readStdin` where the arguments hold `-`. Throws USAGE that names the mistake. */
export async function parsePrepareOptions(
  action: Action,
  argv: readonly string[],
  readStdin = () => readAll(process.stdin),
) {
  const shapes = listArguments(action);
  const { values, words } = parseOptions(buildActionUsage(action), argv.map(takeOldFlag));
  if (words.some((word) => word !== '-'))
    throw usageError(
      `svc prepare ${action.name} takes options and "-"; see svc prepare ${action.name} --help.`,
    );
  const shared = values as Values<typeof walletOptions> & { readonly file?: readonly string[] };
  const { wallet, policy, wait, file = [] } = shared;
  const given = shapes.flatMap((shape) => {
    const value = values[flagOf(shape.name).slice(2)];
    return value === undefined ? [] : [[shape.name, readFlag(shape, value)] as const];
  });
  return {
    wallet,
    walletServer: shared['wallet-server'],
    /** Whether PRIVATE_KEY may sign for another chain than the embedded one. */
    isConsented: shared['yes-real-chain'] === true,
    /** The file of the spending policy. */
    policy,
    wait: wait === true,
    /** The arguments of the action. */
    args: {
      ...(words.length > 0 && parseObject(await readStdin(), 'what came on standard input')),
      ...(file.length > 0 && { artifacts: file.map(readArtifact) }),
      ...Object.fromEntries(given),
    } as Record<string, unknown>,
  };
}

/** `--criteria-text` of earlier versions is taken, and shown nowhere. */
function takeOldFlag(word: string): string {
  return word.replace(/^--criteria-text(?=$|=)/, '--criteria');
}

function readFlag({ name, kind }: ArgumentShape, value: unknown): unknown {
  if (kind === 'list') return (value as string[]).flatMap((text) => splitList(name, text));
  if (kind === 'json') return parseJson(readText(value as string), flagOf(name));
  return value;
}

function splitList(name: string, text: string): unknown[] {
  if (!text.startsWith('[')) return text.split(',').map((part) => part.trim());
  const list = parseJson(text, flagOf(name));
  if (!Array.isArray(list)) throw usageError(`${flagOf(name)} must be a list.`);
  return list;
}

/** `@path` stands for the content of that file. */
function readText(value: string): string {
  return value.startsWith('@') ? readBytes(value.slice(1)).toString('utf8') : value;
}

/** A file as an artifact of a document: its name, type, size and hash. */
function readArtifact(path: string) {
  const bytes = readBytes(path);
  const name = cleanFileName(basename(path));
  return { name, mediaType: mediaTypeOf(name), bytes: bytes.length, sha256: hash('sha256', bytes) };
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new OperatorError('FILE_UNUSABLE', { file, reason: explainFileError(error) }, error);
  }
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(`${what} is not valid JSON.`, error);
  }
}

function parseObject(text: string, what: string): Record<string, unknown> {
  const { success, data } = z.record(z.string(), z.unknown()).safeParse(parseJson(text, what));
  if (!success) throw usageError(`${what} must be a JSON object.`);
  return data;
}
