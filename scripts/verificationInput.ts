// The generated file from which `svc deploy` writes what an explorer needs to verify a contract: its sources and settings.
//
// Hardhat compiles many contracts together, in groups that depend on its cache. A contract's own part of the group, which
// is what it imports, gives the same bytecode and depends on nothing else.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import solc from 'solc';
import type { Artifact } from './artifacts.ts';
import { root } from './tools.ts';

type BuildInfo = {
  readonly solcLongVersion: string;
  readonly input: {
    readonly sources: Readonly<Record<string, { readonly content: string }>>;
    readonly settings: Readonly<Record<string, unknown>>;
  };
};

type BuildOutput = {
  readonly output: {
    readonly sources: Readonly<Record<string, { readonly ast: { readonly nodes: readonly AstNode[] } }>>;
  };
};

type AstNode = { readonly nodeType: string; readonly absolutePath?: string };

type Entry = {
  readonly artifact: Artifact;
  readonly settings: Readonly<Record<string, unknown>>;
  /** By the names that the imports spell. */
  readonly sources: ReadonlyMap<string, string>;
};

/** `header` is the first line of every generated file. */
export function buildVerificationFile(artifacts: readonly Artifact[], header: string): string {
  const { version, entries } = readEntries(artifacts);
  const contracts = entries.map(({ artifact, settings, sources }) => {
    const entry = { contract: nameOf(artifact), settings, sources: [...sources.keys()].sort() };
    const key = artifact.contractName.charAt(0).toLowerCase() + artifact.contractName.slice(1);
    return `  ${key}: ${JSON.stringify(entry)},\n`;
  });
  const sources = new Map(entries.flatMap((entry) => [...entry.sources]));
  const texts = [...sources].sort(([left], [right]) => (left < right ? -1 : 1));
  return [
    `${header} from contracts/src; do not edit.\n\n`,
    'export type ContractSources = {\n  /** Source file and name. */\n  readonly contract: string;\n',
    '  readonly settings: Readonly<Record<string, unknown>>;\n  /** Names in `sourceTexts`. */\n',
    '  readonly sources: readonly string[];\n};\n\n',
    `export const compilerVersion = '${version}';\n\n`,
    'export const contractSources: Readonly<Record<string, ContractSources>> = {\n',
    ...contracts,
    '};\n\nexport const sourceTexts: Readonly<Record<string, string>> = {\n',
    ...texts.map(([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`),
    '};\n',
  ].join('');
}

/**
 * Compiles every contract as an explorer does: from its own sources and settings alone. Takes most of a minute, and need not
 * be repeated while the file stays the same, because the same input always compiles to the same bytecode.
 */
export function assertSourcesCompile(artifacts: readonly Artifact[]): void {
  for (const { artifact, settings, sources } of readEntries(artifacts).entries) {
    const [file = '', name = ''] = nameOf(artifact).split(':');
    const outputSelection = { [file]: { [name]: ['evm.bytecode.object'] } };
    const input = {
      language: 'Solidity',
      sources: Object.fromEntries([...sources].map(([path, content]) => [path, { content }])),
      settings: { ...settings, outputSelection },
    };
    const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input)));
    if (`0x${contracts?.[file]?.[name]?.evm.bytecode.object}` !== artifact.bytecode)
      throw new Error(`${name} compiles to other bytecode alone. ${JSON.stringify(errors ?? [])}`);
  }
}

function readEntries(artifacts: readonly Artifact[]): { version: string; entries: Entry[] } {
  const builds = new Map(artifacts.map(({ buildInfoId }) => [buildInfoId, readBuild(buildInfoId)]));
  const [version = '', ...others] = new Set([...builds.values()].map((build) => build.version));
  if (others.length > 0) throw new Error('The contracts were compiled by several compilers.');
  const entries = artifacts.map((artifact) => {
    const { input, importsOf } = builds.get(artifact.buildInfoId) as ReturnType<typeof readBuild>;
    const names = listSources(artifact.inputSourceName, importsOf);
    const { outputSelection: _, remappings: __, ...settings } = input.settings;
    const sources = new Map(names.map((name) => [publicName(name), input.sources[name]?.content ?? '']));
    return { artifact, settings, sources };
  });
  return { version, entries };
}

/** Source file and name, as explorers ask for it. */
function nameOf({ sourceName, contractName }: Artifact): string {
  return `${sourceName}:${contractName}`;
}

function readBuild(id: string) {
  const read = (end: string) =>
    JSON.parse(readFileSync(join(root, 'contracts/artifacts/build-info', `${id}${end}`), 'utf8'));
  const { solcLongVersion: version, input } = read('.json') as BuildInfo;
  const { output } = read('.output.json') as BuildOutput;
  const importsOf = (name: string) =>
    (output.sources[name]?.ast.nodes ?? []).flatMap(({ nodeType, absolutePath }) =>
      nodeType === 'ImportDirective' && absolutePath !== undefined ? [absolutePath] : [],
    );
  return { version, input, importsOf };
}

/** The file and everything it imports, directly or not. */
function listSources(first: string, importsOf: (name: string) => readonly string[]): string[] {
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const next of importsOf(name)) add(next);
  };
  add(first);
  return [...found];
}

/** As the imports spell it, so that the input needs no remappings. */
function publicName(name: string): string {
  return name.replace(/^project\//, '').replace(/^npm\/(@?[^@]+)@[^/]+\//, '$1/');
}
