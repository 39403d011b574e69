// Writes a copy of the contracts in which every mutant sleeps, with the tests that are to wake up at each of them.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../tools.ts';
import { type Mutant, mutate, type Source } from './mutants.ts';

/** Inside the repository, so that libraries are found; in an ignored folder, so that nothing else finds it. */
export const tree = join(root, 'cache/mutants');
export const mutantVariable = 'SVC_MUTANT';

const guardImport = '@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol';

/** The contracts as they are, without interfaces and what only the embedded chain uses. */
export function readSources(): Source[] {
  const names = globSync('contracts/src/*.sol', { cwd: root }).sort();
  return names.map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
}

/** Files that stay as they were are left alone: what was compiled of them then still counts. */
export function writeTree(): Mutant[] {
  const { mutants, sources } = mutate(readSources());
  const wanted = new Map(sources.map(({ name, text }) => [name, wireMutants(text)]));
  wanted.set('contracts/src/Mutant.sol', mutantLibrary);
  // A package of its own, or else Hardhat takes the whole repository for the project.
  wanted.set('package.json', '{ "name": "mutants", "version": "0.0.0", "private": true, "type": "module" }');
  const copied = [
    'contracts/src/{interfaces,local}/**/*.sol',
    'contracts/test/**/*.sol',
    'test/vectors/**/*.json',
  ];
  for (const name of copied.flatMap((pattern) => globSync(pattern, { cwd: root })))
    wanted.set(name, readFileSync(join(root, name), 'utf8'));

  for (const name of globSync(['contracts/**/*.sol', 'test/**/*.json'], { cwd: tree })) {
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

// The chosen mutant comes from the environment by a cheatcode. It is declared pure, so that any function may ask.
// The guard is the library's own, opened so that a single use of it can be left out.
const mutantLibrary = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

library Mutant {
    address private constant VM = address(uint160(uint256(keccak256("hevm cheat code"))));

    function isOff(uint256 number) internal pure returns (bool) {
        return asPure(chosen)() == number;
    }

    function chosen() private view returns (uint256) {
        (, bytes memory answer) = VM.staticcall(
            abi.encodeWithSignature("envOr(string,uint256)", "${mutantVariable}", uint256(0))
        );
        return abi.decode(answer, (uint256));
    }

    function asPure(function() internal view returns (uint256) viewer)
        private
        pure
        returns (function() internal pure returns (uint256) same)
    {
        assembly {
            same := viewer
        }
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
