// A process of its own that runs tests against one chosen mutant after the other; Hardhat's own output goes nowhere.
import { createProject, type Effort, runTests, type Selection, type TestResult } from './project.ts';
import { mutantVariable } from './tree.ts';

export type Order = Selection & { readonly mutant: number; readonly effort: Effort };

export type Answer = { readonly results: readonly TestResult[] } | { readonly error: string };

const projects = { quick: await createProject('quick'), thorough: await createProject('thorough') };

process.on('message', async ({ mutant, effort, ...selection }: Order) => {
  // The cheatcode in the contracts reads it anew at each question.
  process.env[mutantVariable] = String(mutant);
  const answer: Answer = await runTests(projects[effort], selection).then(
    (results) => ({ results }),
    (error: Error) => ({ error: error.message }),
  );
  process.send?.(answer);
});

// Nobody is left to answer to.
process.on('disconnect', () => process.exit());
