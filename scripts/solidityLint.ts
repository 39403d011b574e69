// `npm run contracts:lint`: what neither the compiler nor the formatter complains about in Solidity sources.
//
// Fails on a warning of the compiler, on an import that its file never uses, and on a function, event or error of an
// interface without a notice that says what it is for.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildContracts } from './artifacts.ts';
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

type Warning = {
  readonly errorCode?: string;
  readonly formattedMessage: string;
  readonly sourceLocation?: { readonly file: string };
};

type Build = {
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  readonly output: {
    readonly errors?: readonly Warning[];
    readonly sources: Readonly<Record<string, { readonly ast: Node }>>;
  };
};

const contracts = join(root, 'contracts');
const documented = new Set(['FunctionDefinition', 'EventDefinition', 'ErrorDefinition']);
/** A contract or its constructor is larger than a chain allows. */
const sizeWarnings = new Set(['5574', '3860']);

const texts = new Map(
  globSync(['src/**/*.sol', 'test/**/*.sol'], { cwd: contracts }).map((file) => [
    file.replaceAll('\\', '/'),
    readFileSync(join(contracts, file), 'utf8'),
  ]),
);
const builds = await readBuilds();
const complaints = [
  ...new Set(builds.flatMap(findWarnings)),
  ...[...texts].flatMap(([file, text]) => {
    const { nodes = [] } = findTree(file);
    return [...findUnusedImports(file, text, nodes), ...findSilent(file, nodes)];
  }),
];
for (const complaint of complaints) console.error(complaint);
console.log(`${texts.size} Solidity files, ${complaints.length} complaints`);
process.exitCode = complaints.length > 0 ? 1 : 0;

/** The compiler has checked every file for the tests; a second time only for its trees would take half a minute. */
async function readBuilds(): Promise<Build[]> {
  await buildContracts();
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
  return globSync(join(contracts, 'artifacts/build-info/*.output.json')).map((path) => ({
    sources: read(path.replace(/\.output\.json$/, '.json')).input.sources,
    output: read(path).output,
  }));
}

/** A build stays for the sake of other files when one of its files has changed and was compiled again. */
function isPresent({ sources }: Build, file: string): boolean {
  return texts.has(file) && sources[`project/${file}`]?.content === texts.get(file);
}

function findTree(file: string): Node {
  const build = builds.find((one) => isPresent(one, file));
  const tree = build?.output.sources[`project/${file}`]?.ast;
  if (tree === undefined) throw new Error(`${file} is part of no build.`);
  return tree;
}

/** Warnings in libraries are not ours, and a test may be larger than a chain allows. */
function findWarnings(build: Build): string[] {
  return (build.output.errors ?? [])
    .filter(({ errorCode = '', sourceLocation }) => {
      if (sourceLocation === undefined) return true;
      const file = sourceLocation.file.replace(/^project\//, '');
      return isPresent(build, file) && !(sizeWarnings.has(errorCode) && file.startsWith('test/'));
    })
    .map(({ formattedMessage }) => formattedMessage.trimEnd());
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
