// A process that runs compiled tests against one mutant after the other, with the engine below Hardhat: nothing is read
// again between two mutants.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CollectStackTraces,
  type Artifact as EdrArtifact,
  EdrContext,
  FsAccessPermission,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkFromString,
  l1SolidityTestRunnerFactory,
  PRAGUE,
  type SolidityTestRunnerConfigArgs,
  type SuiteResult,
} from '@nomicfoundation/edr';
import type { SolidityTestProfileUserConfig } from 'hardhat/types/test';
import config from '#contracts/hardhat.config.ts';
import type { Artifact } from '../artifacts.ts';
import { sleeping, tree, wake } from './tree.ts';

/** `quick` tries each fuzz test a few times; `thorough` searches as `npm run contracts:test` does. */
export type Effort = 'quick' | 'thorough';

/** Which tests to run: all in these files, or those of them whose name matches a regular expression. */
export type Selection = {
  readonly files: readonly string[];
  readonly grep?: string;
  readonly effort: Effort;
};

export type TestResult = {
  readonly file: string;
  readonly test: string;
  readonly hasFailed: boolean;
  readonly ms: number;
};

/** @param mutant 0 for none */
type Runner = (mutant: number, selection: Selection) => Promise<TestResult[]>;

async function createRunner(): Promise<Runner> {
  const context = new EdrContext();
  await context.registerSolidityTestRunnerFactory(L1_CHAIN_TYPE, l1SolidityTestRunnerFactory());
  const artifacts = readArtifacts();

  return async (mutant, selection) => {
    // Other tests are left out: handing all of them to the engine takes longer than most tests.
    const awake = artifacts
      .filter(({ id }) => id.source.startsWith('src/') || selection.files.includes(id.source))
      .map((artifact) => wakeMutant(artifact, mutant));
    const suites = awake.filter((artifact) => isWanted(artifact, selection.files)).map(({ id }) => id);
    if (suites.length === 0) throw new Error(`There is no test in ${selection.files.join(', ')}.`);
    const results = await new Promise<TestResult[]>((resolve, reject) => {
      const done: SuiteResult[] = [];
      // The last suites may be reported after the run has ended.
      const collect = (suite: SuiteResult) => {
        if (done.push(suite) === suites.length) resolve(done.flatMap(readResults));
      };
      context.runSolidityTests(L1_CHAIN_TYPE, awake, suites, configure(selection), {}, collect).catch(reject);
    });
    if (results.length === 0) throw new Error(`No test ran in ${selection.files.join(', ')}.`);
    return results;
  };
}

function readArtifacts(): EdrArtifact[] {
  return globSync('artifacts/{src,test}/**/*.json', { cwd: tree }).map((path) => {
    const artifact = JSON.parse(readFileSync(join(tree, path), 'utf8')) as Artifact;
    const { contractName, sourceName, abi, bytecode, deployedBytecode } = artifact;
    return {
      id: { name: contractName, source: sourceName, solcVersion: '0.8.37' },
      contract: { abi: JSON.stringify(abi), bytecode, deployedBytecode },
    };
  });
}

/** Only what was mutated has the place where the number of the mutant stands. */
function wakeMutant({ id, contract }: EdrArtifact, mutant: number): EdrArtifact {
  const replace = (code = '0x') => code.replaceAll(sleeping, wake(mutant));
  return {
    id,
    contract: {
      ...contract,
      bytecode: replace(contract.bytecode),
      deployedBytecode: replace(contract.deployedBytecode),
    },
  };
}

function isWanted({ id, contract }: EdrArtifact, files: readonly string[]): boolean {
  return files.includes(id.source) && contract.bytecode !== '0x' && /"(?:test|invariant)/.test(contract.abi);
}

function configure({ effort, grep }: Selection): SolidityTestRunnerConfigArgs {
  const { fuzz = {}, invariant = {} } = (config.test?.solidity ?? {}) as SolidityTestProfileUserConfig;
  const { timeout: _, ...searching } = invariant;
  const thorough = { fuzz: { runs: fuzz.runs ?? 256 }, invariant: searching };
  const quick = { fuzz: { runs: 10 }, invariant: { runs: 1, depth: 1 } };
  return {
    projectRoot: tree,
    hardfork: PRAGUE,
    localPredeploys: l1GenesisState(l1HardforkFromString(PRAGUE)),
    disableBlockGasLimit: true,
    disableTransactionGasCap: true,
    fsPermissions: [{ access: FsAccessPermission.ReadDirectory, path: 'vectors' }],
    collectStackTraces: CollectStackTraces.OnFailure,
    ...(effort === 'quick' ? quick : thorough),
    ...(grep !== undefined && { testPattern: grep }),
  };
}

function readResults({ id, testResults }: SuiteResult): TestResult[] {
  return testResults.map(({ name, status, durationNs }) => ({
    file: id.source,
    test: name.replace(/\(.*/, ''),
    hasFailed: status === 'Failure',
    ms: Number(durationNs) / 1e6,
  }));
}

/** What the pool sends to this process, and what it gets back. */
export type Order = { readonly mutant: number; readonly selection: Selection };

export type Answer = { readonly results: readonly TestResult[] } | { readonly error: string };

const runTests = await createRunner();

process.on('message', async ({ mutant, selection }: Order) => {
  const answer: Answer = await runTests(mutant, selection).then(
    (results) => ({ results }),
    (error: Error) => ({ error: error.message }),
  );
  process.send?.(answer);
});

// The pool has ended.
process.on('disconnect', () => process.exit());
