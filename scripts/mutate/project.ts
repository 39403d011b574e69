// The mutated tree as a Hardhat project of its own.
import { createHardhatRuntimeEnvironment } from 'hardhat/hre';
import type { SolcUserConfig } from 'hardhat/types/config';
import type { HardhatRuntimeEnvironment } from 'hardhat/types/hre';
import config from '../../hardhat.config.ts';
import { tree } from './tree.ts';

/** `quick` tries each fuzz test once; `thorough` searches as `npm run contracts:test` does. */
export type Effort = 'quick' | 'thorough';

export type TestFailure = { readonly file: string; readonly test: string };

type SuiteResult = {
  readonly id: { readonly source: string };
  readonly testResults: readonly { readonly name: string; readonly status: string }[];
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
}

/** Runs the tests in `files` as they were compiled, and answers the first that fails, if any does. */
export async function runTests(
  project: HardhatRuntimeEnvironment,
  files: readonly string[],
): Promise<TestFailure | undefined> {
  const task = project.tasks.getTask(['test', 'solidity']);
  const result: RunResult = await task.run({ testFiles: [...files], noCompile: true });
  const suites = (result.value ?? result.error)?.suiteResults ?? [];
  if (suites.length === 0) throw new Error(`No test ran in ${files.join(', ')}.`);
  for (const { id, testResults } of suites) {
    const failed = testResults.find(({ status }) => status === 'Failure');
    if (failed !== undefined) return { file: id.source.replace(/^project\//, ''), test: failed.name };
  }
  return undefined;
}
