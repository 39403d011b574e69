// A process of its own that runs tests against one chosen mutant after the other; Hardhat's own output goes nowhere.
import { createProject, type Effort, runTests, type TestFailure } from './project.ts';
import { mutantVariable } from './tree.ts';

export type Order = { readonly mutant: number; readonly effort: Effort; readonly files: readonly string[] };

export type Answer = { readonly failure: TestFailure | undefined } | { readonly error: string };

const projects = { quick: await createProject('quick'), thorough: await createProject('thorough') };

process.on('message', async ({ mutant, effort, files }: Order) => {
  // The cheatcode in the contracts reads it anew at each question.
  process.env[mutantVariable] = String(mutant);
  const answer: Answer = await runTests(projects[effort], files).then(
    (failure) => ({ failure }),
    (error: Error) => ({ error: error.message }),
  );
  process.send?.(answer);
});
