// Writes and compiles a copy of the contracts in which every mutant is switched off until its number is set.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createHardhatRuntimeEnvironment } from 'hardhat/hre';
import { compiler, describeProject } from '#contracts/hardhat.config.ts';
import { isNext, project } from '../artifacts.ts';
import { byHand } from './byHand.ts';
import { byHandNext } from './byHandNext.ts';
import { type Mutant, mutate, type Source } from './mutants.ts';

/** Inside the repository, so that libraries are found; in an ignored folder, so that nothing else finds it. */
export const tree = join(project, 'cache/mutants');
/** A placeholder in the compiled code, in hexadecimal digits: the number of the active mutant replaces it. */
export const sleeping = '5eed'.repeat(16);

const guardImport = '@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol';

/** The contracts as they are, without interfaces and what only the embedded chain uses. */
export function readSources(folder = project): Source[] {
  const names = globSync('src/*.sol', { cwd: folder }).sort();
  return names.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

/** Files that stay as they were are left alone: what was compiled of them then still counts. */
export function writeTree(): Mutant[] {
  const { mutants, sources } = mutate(readSources(), isNext ? byHandNext : byHand);
  const wanted = new Map(sources.map(({ name, text }) => [name, wireMutants(text)]));
  wanted.set('src/Mutant.sol', mutantLibrary);
  // Needs its own package.json; otherwise Hardhat uses the whole repository as the project.
  wanted.set('package.json', '{ "name": "mutants", "version": "0.0.0", "private": true, "type": "module" }');
  const copied = ['{local,src/interfaces,src/local}/**/*.sol', 'test/**/*.sol', 'vectors/**/*.json'];
  for (const name of copied.flatMap((pattern) => globSync(pattern, { cwd: project })))
    wanted.set(name, readFileSync(join(project, name), 'utf8'));

  for (const name of globSync(['{local,src,test}/**/*.sol', 'vectors/**/*.json'], { cwd: tree })) {
    if (!wanted.has(name)) rmSync(join(tree, name));
  }
  for (const [name, text] of wanted) {
    const file = join(tree, name);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return mutants;
}

function wireMutants(text: string): string {
  if (!text.includes('Mutant.isOff(')) return text;
  const wired = text.replace(guardImport, './Mutant.sol');
  return wired.replace(/^(pragma .*\n)/m, '$1import {Mutant} from "./Mutant.sol";\n');
}

/** What takes the place of `sleeping` when a mutant is to be awake; 0 is none of them. */
export function wake(mutant: number): string {
  return mutant.toString(16).padStart(sleeping.length, '0');
}

// The guard is the library's own, opened so that a single use of it can be left out.
const mutantLibrary = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

library Mutant {
    uint256 private constant AWAKE = 0x${sleeping};

    function isOff(uint256 number) internal pure returns (bool) {
        return number == AWAKE;
    }
}

abstract contract ReentrancyGuardTransient {
    bool private transient _entered;

    error ReentrancyGuardReentrantCall();

    function _enterGuard() internal {
        if (_entered) revert ReentrancyGuardReentrantCall();
        _entered = true;
    }

    function _leaveGuard() internal {
        _entered = false;
    }
}
`;

/** Without the optimizer: it would take longer than it saves, and might decide beforehand that no mutant is ever awake. */
export async function compileTree(): Promise<void> {
  const settings = { ...compiler.settings, optimizer: { enabled: false } };
  const solidity = { profiles: { default: { ...compiler, settings } } };
  const config = describeProject(tree, isNext ? ['src', 'local'] : 'src');
  const mutated = await createHardhatRuntimeEnvironment({ ...config, solidity }, {}, tree);
  await mutated.tasks.getTask('build').run({ quiet: true });
}
