// Which tests to try on a mutant, and in which order: one failing test is enough, so near and quick ones come first.
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Mutant } from './mutants.ts';
import { isNode, type Node, parseSolidity, walk } from './syntax.ts';
import { readSources, tree } from './tree.ts';
import type { Selection, TestResult } from './worker.ts';

type Code = {
  /** The functions that call a function of this name; which contract it belongs to does not count. */
  callersOf(name: string): string[];
  functionsOf(contract: string): string[];
};

/** A file that takes more than this share of all the time is put off. */
const heavyShare = 0.05;

/** All tests but the invariants. */
export function everythingQuick(): Selection {
  return { effort: 'quick', files: listTests().filter((file) => !hasInvariants(file)) };
}

/** All tests there are, with as many fuzz runs as ever: for a mutant that nothing else kills. */
export function everythingThorough(): Selection {
  return { effort: 'thorough', files: listTests() };
}

/** @param usual what all tests say, and how long they take, while every mutant sleeps */
export function createPlanner(usual: readonly TestResult[]): (mutant: Mutant) => Selection[] {
  const all = everythingQuick();
  const heavy = findHeavy(usual);
  const light: Selection = { ...all, files: all.files.filter((file) => !heavy.includes(file)) };
  const heavyTests = usual.filter(({ file }) => heavy.includes(file));
  const code = readCode();

  return ({ contract, where, text }) => {
    const attempts = [...pickNear(contract, where), ...pickFolders(contract), light];
    // A guard against reentrancy shows only where a test reenters, which is the business of the long ones.
    return text === 'nonReentrant' ? [...pickHeavy(contract, where), ...attempts] : attempts;
  };

  /** Outward from the function through its callers, up to the first that a test file is named after. */
  function pickNear(contract: string, where: string): Selection[] {
    const seen = new Set<string>();
    let layer = [contract, where];
    while (layer.length > 0) {
      const near = light.files.filter((file) =>
        layer.some((name) => isSameWord(basename(file, '.t.sol'), name)),
      );
      if (near.length > 0) return [{ effort: 'quick', files: near }];
      for (const name of layer) seen.add(name);
      layer = layer.flatMap((name) => code.callersOf(name)).filter((name) => !seen.has(name));
    }
    return [];
  }

  /** Where the tests of the contract's functions lie. */
  function pickFolders(contract: string): Selection[] {
    const names = [contract, ...code.functionsOf(contract)];
    const own = light.files.filter((file) =>
      names.some((name) => isSameWord(basename(file, '.t.sol'), name)),
    );
    const folders = new Set(own.map((file) => dirname(file)));
    const files = light.files.filter((file) => folders.has(dirname(file)));
    return files.length > 0 ? [{ effort: 'quick', files }] : [];
  }

  /** The long tests named after the function, and the quickest named after a neighbour of it. */
  function pickHeavy(contract: string, where: string): Selection[] {
    const isAfter = (name: string) => (result: TestResult) =>
      result.test.toLowerCase().includes(name.toLowerCase());
    const own = heavyTests.filter(isAfter(where));
    const neighbours = code.functionsOf(contract).flatMap((name) => heavyTests.filter(isAfter(name)));
    const quickest = neighbours.sort((left, right) => left.ms - right.ms).slice(0, 1);
    return [...own, ...quickest].map(({ file, test }) => ({
      effort: 'quick',
      files: [file],
      grep: `^${test}\\(`,
    }));
  }
}

function listTests(): string[] {
  return globSync('test/**/*.t.sol', { cwd: tree }).sort();
}

function hasInvariants(file: string): boolean {
  return /function invariant_/.test(readFileSync(join(tree, file), 'utf8'));
}

function findHeavy(usual: readonly TestResult[]): string[] {
  const timeOf = new Map<string, number>();
  for (const { file, ms } of usual) timeOf.set(file, (timeOf.get(file) ?? 0) + ms);
  const total = usual.reduce((sum, { ms }) => sum + ms, 0);
  return [...timeOf].filter(([, ms]) => ms > total * heavyShare).map(([file]) => file);
}

function isSameWord(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

function readCode(): Code {
  const callers = new Map<string, Set<string>>();
  const functions = new Map<string, string[]>();
  for (const { name: file, text } of readSources()) {
    walk(parseSolidity(file, text), (contract) => {
      if (contract.nodeType !== 'ContractDefinition') return;
      walk(contract, (definition) => {
        if (definition.nodeType !== 'FunctionDefinition' || definition.name === '') return;
        const name = String(definition.name);
        functions.set(String(contract.name), [...(functions.get(String(contract.name)) ?? []), name]);
        walk(definition, (node) => {
          const called = calledName(node);
          if (called !== undefined) callers.set(called, (callers.get(called) ?? new Set()).add(name));
        });
      });
    });
  }
  return {
    callersOf: (name) => [...(callers.get(name) ?? [])],
    functionsOf: (contract) => functions.get(contract) ?? [],
  };
}

function calledName({ nodeType, expression }: Node): string | undefined {
  if (nodeType !== 'FunctionCall' || !isNode(expression)) return undefined;
  return String(expression.nodeType === 'MemberAccess' ? expression.memberName : expression.name);
}
