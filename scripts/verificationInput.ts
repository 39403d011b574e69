// The generated file from which `svc deploy` writes what an explorer needs to verify a contract: its sources and settings.
//
// Hardhat compiles many contracts together, in groups that depend on its cache. A contract with what it imports, alone,
// gives the same bytecode and depends on nothing else.
import { join } from 'node:path';
import { createHardhatRuntimeEnvironment } from 'hardhat/hre';
import solc from 'solc';
import config from '#contracts/hardhat.config.ts';
import type { Artifact } from './artifacts.ts';
import { root } from './tools.ts';

type Entry = {
  readonly artifact: Artifact;
  readonly version: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** By the names that the imports spell. */
  readonly sources: ReadonlyMap<string, string>;
};

export async function readEntries(artifacts: readonly Artifact[]): Promise<Entry[]> {
  const project = join(root, 'contracts');
  const { solidity } = await createHardhatRuntimeEnvironment(config, {}, project);
  const readEntry = async (artifact: Artifact): Promise<Entry> => {
    const path = join(project, artifact.sourceName);
    const jobs = await solidity.getCompilationJobs([path], { force: true, quiet: true });
    const job = 'compilationJobsPerFile' in jobs ? jobs.compilationJobsPerFile.get(path) : undefined;
    if (job === undefined) throw new Error(`Hardhat cannot compile ${artifact.sourceName}.`);
    const input = await job.getSolcInput();
    const { outputSelection: _, remappings: __, ...settings } = input.settings;
    const sources = Object.entries(input.sources).map(
      ([name, { content }]) => [publicName(name), content] as const,
    );
    return { artifact, version: job.solcLongVersion, settings, sources: new Map(sources) };
  };
  return Promise.all(artifacts.map(readEntry));
}

/** `header` is the first line of every generated file. */
export function buildVerificationFile(entries: readonly Entry[], header: string): string {
  const [version, ...others] = new Set(entries.map((entry) => entry.version));
  if (others.length > 0) throw new Error('The contracts were compiled by several compilers.');
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
export function assertSourcesCompile(entries: readonly Entry[]): void {
  for (const { artifact, settings, sources } of entries) {
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

/** Source file and name, as explorers ask for it. */
function nameOf({ sourceName, contractName }: Artifact): string {
  return `${sourceName}:${contractName}`;
}

/** As the imports spell it, so that the input needs no remappings. */
function publicName(name: string): string {
  return name.replace(/^project\//, '').replace(/^npm\/(@?[^@]+)@[^/]+\//, '$1/');
}
