// Which tests to try on a mutant, and in which order: the nearest first, since one failing test is enough.
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../tools.ts';
import type { Mutant, Source } from './mutants.ts';
import type { Attempt } from './pool.ts';
import { isNode, type Node, parseSolidity, walk } from './syntax.ts';
import { tree } from './tree.ts';

export type Planner = {
  /** All tests but the invariants, quickly. */
  readonly everythingQuick: Attempt;
  plan(mutant: Mutant): Attempt[];
  /** All tests there are, with as many fuzz runs as ever: for a mutant that nothing else kills. */
  readonly everythingThorough: Attempt;
};

export function createPlanner(): Planner {
  const names = globSync('contracts/test/**/*.t.sol', { cwd: tree }).sort();
  const all = names.map((name) => join(tree, name));
  const unit = all.filter((file) => !/function invariant_/.test(readFileSync(file, 'utf8')));
  const callersOf = findCallers();
  const everythingQuick: Attempt = { effort: 'quick', files: unit };

  return {
    everythingQuick,
    everythingThorough: { effort: 'thorough', files: all },
    plan({ contract, where }) {
      // Outward from the function through its callers, up to the first that a test file is named after.
      const seen = new Set<string>();
      for (
        let layer = [contract, where];
        layer.length > 0;
        layer = layer.flatMap((name) => callersOf(name))
      ) {
        layer = layer.filter((name) => !seen.has(name));
        for (const name of layer) seen.add(name);
        const near = unit.filter((file) => layer.some((name) => isNamedAfter(file, name)));
        if (near.length > 0) return [{ effort: 'quick', files: near }, everythingQuick];
      }
      return [everythingQuick];
    },
  };
}

function isNamedAfter(file: string, name: string): boolean {
  return basename(file, '.t.sol').toLowerCase() === name.toLowerCase();
}

/** By name alone: a call of another contract's function counts as much as one inside a contract. */
function findCallers(): (name: string) => string[] {
  const callers = new Map<string, Set<string>>();
  for (const { name: file, text } of readSources()) {
    walk(parseSolidity(file, text), (definition) => {
      if (definition.nodeType !== 'FunctionDefinition') return;
      walk(definition, (node) => {
        const called = calledName(node);
        if (called !== undefined)
          callers.set(called, (callers.get(called) ?? new Set()).add(String(definition.name)));
      });
    });
  }
  return (name) => [...(callers.get(name) ?? [])];
}

function calledName({ nodeType, expression }: Node): string | undefined {
  if (nodeType !== 'FunctionCall' || !isNode(expression)) return undefined;
  return String(expression.nodeType === 'MemberAccess' ? expression.memberName : expression.name);
}

function readSources(): Source[] {
  const names = globSync('contracts/src/*.sol', { cwd: root });
  return names.map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
}
