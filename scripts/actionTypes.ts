// Builds sdk/src/client/marketActions.ts: the type of every action, with the words of the catalog as TSDoc, so that editors
// show what an action does, what it risks and what each argument means.
import type { z } from 'zod';
import type { Action } from '#sdk/actions/action.ts';
import { marketAndWallet, taskAndWallet } from '#sdk/actions/arguments.ts';
import { purchaseArguments } from '#sdk/actions/buyTok.ts';
import { catalog } from '#sdk/actions/catalog.ts';
import { deliveryArguments } from '#sdk/actions/deliver.ts';
import { evidenceArguments } from '#sdk/actions/evidence.ts';
import { amountArguments } from '#sdk/rules/values.ts';
import { workFields } from '#sdk/rules/work.ts';

export const actionTypesFile = 'sdk/src/client/marketActions.ts';

type Shape = Readonly<Record<string, z.ZodType>>;

/** Arguments that several actions share, and an action that has these. */
const shared: readonly (readonly [type: string, doc: string, shape: Shape, of: string])[] = [
  ['OnTask', 'The task, and the wallet that acts on it.', taskAndWallet, 'claimTask'],
  ['ByWallet', 'The market, and the wallet that acts.', marketAndWallet, 'topUp'],
  ['Amount', 'An amount of TOK, in one of two units.', amountArguments, 'stake'],
  ['Purchase', 'What the wallet lacks, bought with its USDC.', purchaseArguments, 'claimTask'],
  ['Work', 'What the work pays, when it is due, and its words.', workFields, 'postTask'],
  ['Delivery', 'A note, links and files.', deliveryArguments, 'submitProof'],
  ['Evidence', 'Evidence: its words and files, or its hash.', evidenceArguments, 'openDispute'],
];

export function buildActionTypes(header: string): string {
  const entries = Object.entries(catalog) as [string, Action][];
  const namesOf = (isWrite: boolean) =>
    entries.filter(([, { kind }]) => (kind === 'write') === isWrite).map(([name]) => `  '${name}',\n`);
  const methodsOf = (isWrite: boolean) =>
    entries
      .filter(([, { kind }]) => (kind === 'write') === isWrite)
      .map(([name, action]) => buildMethod(name, action))
      .join('');
  return [
    `${header} from the catalog of actions; do not edit.\n`,
    `import type { DocumentRun, InputOf, WriteRun } from './runAction.ts';\n\n`,
    `/** Actions that change something. */\nexport const writeNames = [\n${namesOf(true).join('')}] as const;\n\n`,
    `/** Actions that read or build a document. */\nexport const documentNames = [\n${namesOf(false).join('')}] as const;\n`,
    ...shared.map(
      ([type, doc, shape, of]) => `\n/** ${doc} */\nexport type ${type} = ${buildFields(of, shape)};\n`,
    ),
    '\n/** Every action that changes something; what it returns differs. */\n',
    `export type WriteActions<Result> = {\n${methodsOf(true)}};\n`,
    '\n/** Every action that reads or builds a document. */\n',
    `export type DocumentActions = {\n${methodsOf(false)}};\n`,
    '\n/** Every action of the catalog: call it with its arguments, then `prepare`, `simulate`, `send` and `wait`. */\n',
    'export type MarketActions = WriteActions<WriteRun> & DocumentActions;\n',
  ].join('');
}

function buildArguments(name: string, { input }: Action): string {
  const shape: Shape = input.shape;
  const bases = shared.filter(([, , all]) =>
    Object.entries(all).every(([field, schema]) => shape[field] === schema),
  );
  const known = Object.assign({}, ...bases.map(([, , all]) => all));
  const own = Object.entries(shape).filter(([field]) => known[field] === undefined);
  const fields = own.length === 0 ? [] : [buildFields(name, Object.fromEntries(own))];
  const parts = [...bases.map(([type]) => type), ...fields];
  return `args: ${parts.join(' & ')}`.replaceAll('\n', '\n  ');
}

/** Arguments that say nothing in the schema: the list of tools, which models read, has to stay short. */
const moreWords: Readonly<Record<string, string>> = {
  tags: 'words by which the task is found; at most 20',
  criteria: 'the text to hash',
};

function buildFields(name: string, shape: Shape): string {
  const fields = Object.entries(shape).map(([field, schema]) => {
    if (field === 'from')
      return `  /** The wallet that acts; the one that sends unless given. */\n  readonly from?: string;\n`;
    const inner = (schema as { unwrap?: () => z.ZodType }).unwrap?.();
    const words = schema.description ?? inner?.description ?? moreWords[field] ?? field;
    const mark = schema.safeParse(undefined).success ? '?' : '';
    return `  /** ${toSentence(words)} */\n  readonly ${field}${mark}: InputOf<'${name}'>['${field}'];\n`;
  });
  return `{\n${fields.join('')}}`;
}

function buildMethod(name: string, action: Action): string {
  const isWrite = action.kind === 'write';
  const risk = isWrite ? action.risk() : null;
  const words = [toSentence(action.summary), isWrite && action.effect, risk !== null && `Risk: ${risk}`];
  const doc = words.filter((part) => part !== false).join(' ');
  const args = buildArguments(name, action);
  return `  /** ${doc} */\n  readonly ${name}: (${args}) => ${isWrite ? 'Result' : 'DocumentRun'};\n`;
}

function toSentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith('.') ? '' : '.'}`;
}
