// Compiles the contracts with the npm solc and runs the Solidity tests, without any download.
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { defineConfig } from 'hardhat/config';
import type { HardhatUserConfig } from 'hardhat/types/config';
import type { HardhatPlugin } from 'hardhat/types/plugins';
import type { CompilerInput, CompilerOutput } from 'hardhat/types/solidity';

// On an interactive terminal Hardhat sends telemetry and fetches a banner; these two settings keep it offline.
process.env.HARDHAT_DISABLE_TELEMETRY = 'true';
process.env.CI ??= 'true';

const require = createRequire(import.meta.url);

// Hardhat downloads a compiler unless the config gives one; `path` must name soljson.js itself.
const solc = { version: '0.8.37', path: require.resolve('solc/soljson.js') };
const settings = {
  optimizer: { enabled: true, runs: 200 },
  evmVersion: 'cancun',
  // Without the hash of sources in it, bytecode changes only when code does, not with a comment.
  metadata: { bytecodeHash: 'none' },
};

// Most of the time it takes to compile the tests goes into optimising them, and no chain ever runs them. With
// `enabled: false` the compiler would still run two of these steps, which take a tenth of the time.
const noOptimizer = {
  details: {
    peephole: false,
    inliner: false,
    jumpdestRemover: false,
    orderLiterals: false,
    deduplicate: false,
    cse: false,
    constantOptimizer: false,
    yul: false,
  },
};
export const compiler = { ...solc, settings };
const testCompiler = { ...solc, settings: { ...settings, optimizer: noOptimizer } };
/** Hardhat compiles together files that share one compiler object, but gives each override a separate object. */
const compileTestsTogether: HardhatPlugin = {
  id: 'svc-compile-tests-together',
  hookHandlers: {
    config: async () => ({
      default: async () => ({
        resolveUserConfig: async (userConfig, resolveVariable, next) => {
          const config = await next(userConfig, resolveVariable);
          for (const { overrides } of Object.values(config.solidity.profiles)) {
            const tests = Object.keys(overrides).filter((file) => file.startsWith('test/'));
            const shared = overrides[tests[0] ?? ''];
            for (const file of tests) if (shared !== undefined) overrides[file] = shared;
          }
          return config;
        },
      }),
    }),
  },
};

/**
 * Hardhat asks for a list of opcodes beside the bytecode: two fifths of what the compiler writes, and nobody reads it. And it parses the
 * answer piece by piece, for answers that are too long for a text: twenty times slower than at once.
 */
const compileQuickly: HardhatPlugin = {
  id: 'svc-compile-quickly',
  hookHandlers: {
    solidity: async () => ({
      default: async () => ({
        invokeSolc: async (_context, _compiler, input) => {
          const wanted = mapValues(input.settings.outputSelection, (ofFile) =>
            mapValues(ofFile, (names) => names.filter((name) => !name.endsWith('.opcodes'))),
          );
          const settings = { ...input.settings, outputSelection: wanted };
          const output: CompilerOutput = JSON.parse(await compile({ ...input, settings }));
          // Builds have to have the field.
          for (const { evm } of Object.values(output.contracts ?? {}).flatMap(Object.values))
            for (const code of [evm?.bytecode, evm?.deployedBytecode]) if (code) code.opcodes = '';
          return output;
        },
      }),
    }),
  },
};

/** On another thread: the compiler takes up to a minute, and several can run at once. */
function compile(input: CompilerInput): Promise<string> {
  const code = `const { parentPort, workerData } = require('node:worker_threads');
    parentPort.postMessage(require(workerData.solc).compile(workerData.input));`;
  const workerData = { solc: require.resolve('solc'), input: JSON.stringify(input) };
  return new Promise((resolve, reject) => {
    new Worker(code, { eval: true, workerData }).on('message', resolve).on('error', reject);
  });
}

/** A project in this folder: its sources, and its tests in `test`. */
export function describeProject(folder: string, sources: string | string[]): HardhatUserConfig {
  return {
    plugins: [compileTestsTogether, compileQuickly],
    solidity: {
      profiles: { default: { compilers: [compiler], overrides: overridesIn(folder) } },
    },
    paths: {
      sources,
      tests: { solidity: 'test' },
      artifacts: 'artifacts',
      cache: 'cache',
    },
    networks: {
      default: {
        type: 'edr-simulated',
        chainType: 'l1',
        hardfork: 'cancun',
        allowUnlimitedContractSize: false,
      },
    },
    test: {
      solidity: {
        fsPermissions: { readDirectory: ['vectors'] },
        // Hardhat's seed is fixed, so each run of the tests repeats the same values: a hundred notice a change that breaks a
        // property. The 5,000 of `npm run contracts:fuzz` search for rare values, and SVC_FUZZ_SEED searches elsewhere.
        fuzz: {
          runs: readCount('SVC_FUZZ_RUNS', 100),
          ...(process.env.SVC_FUZZ_SEED && {
            seed: `0x${BigInt(process.env.SVC_FUZZ_SEED).toString(16).padStart(64, '0')}`,
          }),
        },
        // 800 states, each checked by every invariant. A run needs a hundred steps to get to most operations; that all are
        // reached is shown by a run of 9,000 steps in test/invariants/Reach.sol, a part of the long form `npm run contracts:fuzz`.
        invariant: {
          runs: readCount('SVC_INVARIANT_RUNS', 8),
          depth: readCount('SVC_INVARIANT_DEPTH', 100),
          // A handler foresees every refusal, so a step that reverts is a mistake in the handler.
          failOnRevert: true,
          // Our handlers take a number and roll dice with it: interesting words from storage are worth nothing to them.
          dictionaryWeight: 0,
          includeStorage: false,
          includePushBytes: false,
        },
      },
    },
  };
}

/** Only the registry needs the slower way through the compiler's intermediate language: without it, it is too large. */
function overridesIn(folder: string) {
  return {
    'src/TaskRegistry.sol': {
      ...solc,
      settings: { ...settings, optimizer: { enabled: true, runs: 1 }, viaIR: true },
    },
    ...Object.fromEntries(globSync('test/**/*.sol', { cwd: folder }).map((file) => [file, testCompiler])),
  };
}

export default defineConfig(describeProject(import.meta.dirname, 'src'));

function mapValues<From, To>(
  of: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, map(value)]));
}

function readCount(name: string, fallback: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  if (!/^[1-9][0-9]*$/.test(text))
    throw new Error(`${name} must be a whole number above 0, but is "${text}"`);
  return Number(text);
}
