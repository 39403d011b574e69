// Compiles the contracts and reads what the compiler made of them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runTool } from './tools.ts';

export type Artifact = {
  readonly contractName: string;
  readonly sourceName: string;
  readonly abi: readonly unknown[];
  readonly bytecode: string;
  readonly deployedBytecode: string;
  readonly linkReferences: Readonly<Record<string, unknown>>;
  readonly immutableReferences?: Readonly<
    Record<string, readonly { readonly start: number; readonly length: number }[]>
  >;
};

/** `--next`, of any script that builds: the next contracts instead of those in use. */
export const isNext = process.argv.includes('--next');
export const project = join(root, isNext ? 'contracts/next' : 'contracts');

/** `npm run verify` sets the variable: its tests build everything, and Hardhat takes seconds to find that nothing changed. */
export async function buildContracts(...options: string[]): Promise<void> {
  if (process.env.SVC_CONTRACTS_BUILT === 'yes') return;
  const { exitCode } = await runTool('hardhat', ['build', '--quiet', ...options], 'shown', project);
  if (exitCode !== 0) throw new Error('The contracts do not compile.');
}

/** Every contract below src that can be deployed, sorted by name; interfaces and abstract ones have no code. */
export async function buildArtifacts(): Promise<Artifact[]> {
  await buildContracts('--no-tests');
  return globSync('artifacts/src/**/*.json', { cwd: project })
    .map((path) => JSON.parse(readFileSync(join(project, path), 'utf8')) as Artifact)
    .filter(({ bytecode }) => bytecode !== '0x')
    .sort((left, right) => (left.contractName < right.contractName ? -1 : 1));
}

export function isLocal(artifact: Artifact): boolean {
  return artifact.sourceName.startsWith('src/local/');
}
