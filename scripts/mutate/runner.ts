// Runs compiled tests against one mutant after the other, with the engine below Hardhat: nothing is compiled or read again
// between two mutants.
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
export type Selection = { readonly files: readonly string[]; readonly effort: 'quick' | 'thorough' };

/** Returns the tests that fail, as `registry/ClaimTask: test_name`. Mutant 0 is none. */
export type Runner = (mutant: number, selection: Selection) => Promise<string[]>;

export async function createRunner(): Promise<Runner> {
  const context = new EdrContext();
  await context.registerSolidityTestRunnerFactory(L1_CHAIN_TYPE, l1SolidityTestRunnerFactory());
  const artifacts = readArtifacts();

  return async (mutant, { files, effort }) => {
    // Other tests are left out: passing all of them to the engine takes longer than most tests.
    const awake = artifacts
      .filter(({ id }) => /^(?:local|src)\//.test(id.source) || files.includes(id.source))
      .map((artifact) => wakeMutant(artifact, mutant));
    const suites = awake.filter((artifact) => isSuite(artifact, files)).map(({ id }) => id);
    if (suites.length === 0) throw new Error(`There is no test in ${files.join(', ')}.`);
    const results = await new Promise<SuiteResult[]>((resolve, reject) => {
      const done: SuiteResult[] = [];
      // The last suites may be reported after the run has ended.
      const collect = (suite: SuiteResult) => {
        if (done.push(suite) === suites.length) resolve(done);
      };
      context.runSolidityTests(L1_CHAIN_TYPE, awake, suites, configure(effort), {}, collect).catch(reject);
    });
    if (!results.some(({ testResults }) => testResults.length > 0))
      throw new Error(`No test ran in ${files.join(', ')}.`);
    return results.flatMap(({ id, testResults }) =>
      testResults
        .filter(({ status }) => status === 'Failure')
        .map(({ name }) => `${id.source.replace(/^test\/|\.t\.sol$/g, '')}: ${name.replace(/\(.*/, '')}`),
    );
  };
}

function readArtifacts(): EdrArtifact[] {
  return globSync('artifacts/{local,src,test}/**/*.json', { cwd: tree }).map((path) => {
    const artifact = JSON.parse(readFileSync(join(tree, path), 'utf8')) as Artifact;
    const { contractName, sourceName, abi, bytecode, deployedBytecode } = artifact;
    return {
      id: { name: contractName, source: sourceName, solcVersion: '0.8.37' },
      contract: { abi: JSON.stringify(abi), bytecode, deployedBytecode },
    };
  });
}

/** Only mutated contracts contain the placeholder for the number. */
function wakeMutant({ id, contract }: EdrArtifact, mutant: number): EdrArtifact {
  const replace = (code = '0x') => code.replaceAll(sleeping, wake(mutant));
  const bytecode = replace(contract.bytecode);
  return { id, contract: { ...contract, bytecode, deployedBytecode: replace(contract.deployedBytecode) } };
}

function isSuite({ id, contract }: EdrArtifact, files: readonly string[]): boolean {
  return files.includes(id.source) && contract.bytecode !== '0x' && /"(?:test|invariant)/.test(contract.abi);
}

function configure(effort: Selection['effort']): SolidityTestRunnerConfigArgs {
  const { fuzz = {}, invariant = {} } = (config.test?.solidity ?? {}) as SolidityTestProfileUserConfig;
  const { timeout: _, ...searching } = invariant;
  // One seed for all: a value that fails without any mutant must not count as a killer.
  const seed = '0x1';
  const thorough = { fuzz: { runs: fuzz.runs ?? 256, seed }, invariant: searching };
  const quick = { fuzz: { runs: 10, seed }, invariant: { runs: 1, depth: 1 } };
  return {
    projectRoot: tree,
    hardfork: PRAGUE,
    localPredeploys: l1GenesisState(l1HardforkFromString(PRAGUE)),
    disableBlockGasLimit: true,
    disableTransactionGasCap: true,
    fsPermissions: [{ access: FsAccessPermission.ReadDirectory, path: 'vectors' }],
    collectStackTraces: CollectStackTraces.OnFailure,
    ...(effort === 'quick' ? quick : thorough),
  };
}
