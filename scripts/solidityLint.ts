// `npm run contracts:lint`: what neither the compiler nor the formatter complains about in Solidity sources.
//
// Fails on a warning of the compiler, on an import that its file never uses, and on a function, event or error of an
// interface without a notice that says what it is for.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './tools.ts';

type Node = {
  readonly nodeType: string;
  readonly name?: string;
  readonly contractKind?: string;
  readonly nodes?: readonly Node[];
  readonly documentation?: { readonly text: string };
  readonly symbolAliases?: readonly {
    readonly foreign: { readonly name: string };
    readonly local?: string;
  }[];
};

type Output = {
  readonly errors?: readonly {
    readonly formattedMessage: string;
    readonly sourceLocation?: { readonly file: string };
  }[];
  readonly sources: Readonly<Record<string, { readonly ast: Node }>>;
};

const contracts = join(root, 'contracts');
const require = createRequire(join(contracts, 'package.json'));
const solc: { compile(input: string, callbacks: object): string } = require('solc');
const documented = new Set(['FunctionDefinition', 'EventDefinition', 'ErrorDefinition']);

const sources = Object.fromEntries(
  globSync(['src/**/*.sol', 'test/**/*.sol'], { cwd: contracts }).map((file) => [
    file.replaceAll('\\', '/'),
    { content: readFileSync(join(contracts, file), 'utf8') },
  ]),
);
const { errors = [], sources: parsed } = compile();
const complaints = [
  ...errors
    .filter(({ sourceLocation }) => sourceLocation === undefined || sourceLocation.file in sources)
    .map(({ formattedMessage }) => formattedMessage.trimEnd()),
  ...Object.entries(sources).flatMap(([file, { content }]) => {
    const { nodes = [] } = parsed[file]?.ast ?? { nodeType: 'SourceUnit' };
    return [...findUnusedImports(file, content, nodes), ...findSilent(file, nodes)];
  }),
];
for (const complaint of complaints) console.error(complaint);
console.log(`${Object.keys(sources).length} Solidity files, ${complaints.length} complaints`);
process.exitCode = complaints.length > 0 ? 1 : 0;

/** Without code: types and names are checked in seconds, and nothing else is asked for. */
function compile(): Output {
  const outputSelection = { '*': { '': ['ast'] } };
  const input = { language: 'Solidity', sources, settings: { evmVersion: 'cancun', outputSelection } };
  const read = (path: string) => ({ contents: readFileSync(require.resolve(path), 'utf8') });
  return JSON.parse(solc.compile(JSON.stringify(input), { import: read }));
}

function findUnusedImports(file: string, content: string, nodes: readonly Node[]): string[] {
  // `@inheritdoc` names an interface that its file has to import.
  const code = content
    .replace(/(?<!\/)\/\/(?!\/ @inheritdoc ).*$/gm, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^import [^;]*;/gm, '');
  return nodes
    .flatMap(({ symbolAliases = [] }) => symbolAliases.map(({ foreign, local }) => local ?? foreign.name))
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(code))
    .map((name) => `${file} imports ${name} and never uses it.`);
}

function findSilent(file: string, nodes: readonly Node[]): string[] {
  return nodes
    .filter(({ contractKind }) => contractKind === 'interface' && file.startsWith('src/'))
    .flatMap(({ nodes: members = [] }) => members)
    .filter(
      ({ nodeType, documentation }) => documented.has(nodeType) && !documentation?.text.includes('@notice'),
    )
    .map(({ name }) => `${file}: ${name} has no @notice.`);
}
