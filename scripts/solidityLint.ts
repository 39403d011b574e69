// `npm run contracts:lint`, with `-- --next` for the next contracts: fails on a warning of the compiler, on an import that its file never uses, and on a function,
// event or error of an interface without a notice that says what it is for.
//
// solhint finds the last two, but no warnings; it adds 96 packages and takes twenty seconds for what takes one here.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildContracts, project } from './artifacts.ts';

type Warning = {
  readonly errorCode?: string;
  readonly formattedMessage: string;
  readonly sourceLocation?: { readonly file: string };
};
type Build = { readonly content: ReadonlyMap<string, string>; readonly warnings: readonly Warning[] };

/** A contract or its constructor is larger than a chain allows, which does not matter in tests. */
const sizeWarnings = ['5574', '3860'];

const texts = new Map(
  globSync('{src,local,test}/**/*.sol', { cwd: project }).map((file) => [
    file.replaceAll('\\', '/'),
    readFileSync(join(project, file), 'utf8'),
  ]),
);
await buildContracts();
const complaints = [
  ...new Set(readBuilds().flatMap(findWarnings)),
  ...[...texts].flatMap(([file, text]) => [...findUnusedImports(file, text), ...findSilent(file, text)]),
];
for (const complaint of complaints) console.error(complaint);
console.log(`${texts.size} Solidity files, ${complaints.length} complaints`);
process.exitCode = complaints.length > 0 ? 1 : 0;

function readBuilds(): Build[] {
  return globSync(join(project, 'artifacts/build-info/*.output.json')).map((path) => {
    const { input } = JSON.parse(readFileSync(path.replace(/\.output\.json$/, '.json'), 'utf8'));
    const sources = Object.entries(input.sources as Record<string, { content: string }>);
    const content = new Map(
      sources.map(([name, source]) => [name.replace(/^project\//, ''), source.content]),
    );
    return { content, warnings: JSON.parse(readFileSync(path, 'utf8')).output.errors ?? [] };
  });
}

/** Of our files as they are now: an older build stays as long as one of its files is unchanged. */
function findWarnings({ content, warnings }: Build): string[] {
  return warnings
    .filter(({ errorCode = '', sourceLocation }) => {
      const file = sourceLocation?.file.replace(/^project\//, '');
      if (file === undefined) return true;
      const isOurs = texts.has(file) && content.get(file) === texts.get(file);
      return isOurs && !(sizeWarnings.includes(errorCode) && file.startsWith('test/'));
    })
    .map(({ formattedMessage }) => formattedMessage.trimEnd());
}

function findUnusedImports(file: string, text: string): string[] {
  // The base of the tests collects the words of the market for them.
  if (file === 'test/MarketTest.sol') return [];
  // `@inheritdoc` names an interface that its file has to import.
  const code = text.replace(/(?<!\/)\/\/(?!\/ @inheritdoc ).*$/gm, '').replace(/^import [^;]*;/gm, '');
  return [...text.matchAll(/^import \{([^}]*)\}/gm)]
    .flatMap(([, names = '']) => names.split(',').map((name) => name.split(' as ').at(-1)?.trim() ?? ''))
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(code))
    .map((name) => `${file} imports ${name} and never uses it.`);
}

/** Every member of an interface stands on a line that follows its comment. */
function findSilent(file: string, text: string): string[] {
  if (!file.startsWith('src/interfaces/')) return [];
  return [...text.matchAll(/((?:^ {4}\/\/\/.*\n)*)^ {4}(?:function|event|error) (\w+)/gm)]
    .filter(([, comment = '']) => !comment.includes('@notice'))
    .map(([, , name]) => `${file}: ${name} has no @notice.`);
}
