// The mutated tree as a Hardhat project of its own.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createHardhatRuntimeEnvironment } from 'hardhat/hre';
import type { SolcUserConfig } from 'hardhat/types/config';
import type { HardhatRuntimeEnvironment } from 'hardhat/types/hre';
import config from '../../hardhat.config.ts';
import { tree } from './tree.ts';

/** `quick` tries each fuzz test once; `thorough` searches as `npm run contracts:test` does. */
export type Effort = 'quick' | 'thorough';

export type TestResult = {
  readonly file: string;
  readonly test: string;
  readonly hasFailed: boolean;
  readonly ms: number;
};

/** Which tests to run: all in these files, or those whose name matches a regular expression. */
export type Selection = { readonly files: readonly string[]; readonly grep?: string };

type SuiteResult = {
  readonly id: { readonly source: string };
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly durationNs: bigint;
  }[];
};

type RunResult = {
  readonly value?: { readonly suiteResults: readonly SuiteResult[] };
  readonly error?: { readonly suiteResults: readonly SuiteResult[] };
};

export function createProject(effort: Effort): Promise<HardhatRuntimeEnvironment> {
  const { solidity: tests } = config.test ?? {};
  const quickTests = { ...tests, fuzz: { runs: 1 }, invariant: { runs: 1, depth: 1 } };
  return createHardhatRuntimeEnvironment(
    {
      ...config,
      solidity: { profiles: { default: withoutOptimizer() } },
      test: { solidity: effort === 'quick' ? quickTests : (tests ?? {}) },
    },
    {},
    tree,
  );
}

/** Mutants are run a few times only, so that the optimizer would take longer than it saves. */
function withoutOptimizer(): SolcUserConfig {
  const { solidity } = config;
  if (typeof solidity !== 'object' || !('profiles' in solidity))
    throw new Error('There are no build profiles.');
  const profile = solidity.profiles.default as SolcUserConfig;
  return { ...profile, settings: { ...profile.settings, optimizer: { enabled: false } } };
}

export async function compile(project: HardhatRuntimeEnvironment): Promise<void> {
  await project.tasks.getTask('build').run({ quiet: true });
  // Only stack traces need what the compiler said about each source, and every run would read all of it again.
  for (const file of globSync(`${project.config.paths.artifacts}/build-info/*.output.json`)) {
    const info = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...info, output: { sources: {}, contracts: {} } }));
  }
}

/** Runs tests as they were compiled. */
export async function runTests(
  project: HardhatRuntimeEnvironment,
  { files, grep = '' }: Selection,
): Promise<TestResult[]> {
  const task = project.tasks.getTask(['test', 'solidity']);
  const result: RunResult = await task.run({ testFiles: [...files], grep, noCompile: true });
  const suites = (result.value ?? result.error)?.suiteResults ?? [];
  const results = suites.flatMap(({ id, testResults }) =>
    testResults.map(({ name, status, durationNs }) => ({
      file: id.source.replace(/^.*contracts\/test\//, ''),
      test: name.replace(/\(.*/, ''),
      hasFailed: status === 'Failure',
      ms: Number(durationNs) / 1e6,
    })),
  );
  if (results.length === 0) throw new Error(`No test ran in ${files.join(', ')}.`);
  return results;
}
