// What `svc prepare` says of itself: of all actions, and of each.
import type { Action } from '@svc/sdk/actions';
import { actions, buildCommand, flagOf } from '@svc/sdk/actions';
import { exitCodes, exitMeanings } from './failure.ts';
import type { Option, Usage } from './options.ts';
import { flag, text } from './options.ts';
import { type ArgumentShape, listArguments } from './prepareArguments.ts';

export const walletOptions = {
  wallet: text(
    '<kind>',
    "local (default): the gateway's page asks the wallet's owner; none: print the calls and ask nobody; key: sign and send with PRIVATE_KEY; mcp: hand the calls to a wallet tool server",
  ),
  'wallet-server': text('<url or command>', 'the tool server of --wallet mcp'),
  'yes-real-chain': flag('let --wallet key sign for another chain than the embedded one'),
  wait: flag('wait until the request is settled, rejected, failed or expired'),
};

const fileOption = {
  ...text('<file>', 'a file that the receipt tells of, with its hash; may be repeated'),
  multiple: true,
} as const;

const json = 'is always so: one JSON document on standard output, words for people on standard error';
const inputNote =
  'Arguments may also come as one JSON object on standard input: end the line with "-". Options win over it.';

export const prepareUsage = {
  command: 'prepare',
  synopsis: ['<action> [arguments] [--wallet <kind>] [--wait]', '<action> --help'],
  about:
    'Builds the unsigned calls of an action, tries them on the chain as it is, and hands them to a wallet. svc prepare <action> --help shows the arguments of one.',
  wordList: Object.fromEntries(actions.map(({ name, summary }) => [name, summary])),
  options: walletOptions,
  json,
  notes: [
    inputNote,
    `Ends with ${exitCodes.wouldRevert}: ${exitMeanings.wouldRevert}. Ends with ${exitCodes.notSettled}: ${exitMeanings.notSettled}.`,
  ],
  examples: ['svc prepare claim-task --task-id v2:standard:12 --wait', 'svc prepare post-task --help'],
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

function toOption({ kind, description, isRequired }: ArgumentShape): Option {
  const about = `${isRequired ? '(required) ' : ''}${description}`;
  if (kind === 'flag') return { type: 'boolean', about };
  return { type: 'string', multiple: kind === 'list', value: `<${valueNames[kind]}>`, about };
}

const valueNames = { text: 'value', list: 'a,b,…', json: 'JSON or @file' } as const;
