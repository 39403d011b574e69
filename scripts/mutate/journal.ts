// Keeps the results of a mutation run in a file, so that a run that was stopped, or one contract at a time, goes on where it
// was. Results count only for exactly the same mutants and tests.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tree } from './tree.ts';
import type { TestResult } from './worker.ts';

/** What the tests said about a mutant; `killer` is null when all of them passed. */
export type Result = { readonly killer: TestResult | null; readonly isThorough: boolean };

type Line =
  | { readonly of: string; readonly file: string; readonly usual: readonly TestResult[] }
  | ({ readonly of: string; readonly mutant: number } & Result);

export type Journal = {
  /** What a file's tests say without any mutant. */
  readonly usualOf: (file: string) => readonly TestResult[] | undefined;
  readonly saveUsual: (file: string, results: readonly TestResult[]) => void;
  /** Undefined where the mutant has not been tried, or survived a quick run and a thorough one is wanted. */
  readonly resultOf: (mutant: number, wantsThorough: boolean) => Result | undefined;
  readonly saveResult: (mutant: number, result: Result) => void;
};

const file = join(tree, 'results.jsonl');

export function openJournal(): Journal {
  const of = fingerprint();
  const usual = new Map<string, readonly TestResult[]>();
  const results = new Map<number, Result>();
  for (const line of readLines()) {
    if (line.of !== of) continue;
    if ('usual' in line) usual.set(line.file, line.usual);
    else results.set(line.mutant, line);
  }
  const save = (line: Line) => appendFileSync(file, `${JSON.stringify(line)}\n`);

  return {
    usualOf: (name) => usual.get(name),
    saveUsual(name, found) {
      usual.set(name, found);
      save({ of, file: name, usual: found });
    },
    resultOf(mutant, wantsThorough) {
      const known = results.get(mutant);
      return known?.killer === null && wantsThorough && !known.isThorough ? undefined : known;
    },
    saveResult(mutant, result) {
      results.set(mutant, result);
      save({ of, mutant, ...result });
    },
  };
}

/** A line that was cut off when the run was stopped is left out. */
function readLines(): Line[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text) => {
      try {
        return [JSON.parse(text) as Line];
      } catch {
        return [];
      }
    });
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const name of globSync(['{src,test}/**/*.sol', 'vectors/**/*.json'], { cwd: tree }).sort())
    hash.update(`${name}\n${readFileSync(join(tree, name), 'utf8')}\n`);
  return hash.digest('hex');
}
