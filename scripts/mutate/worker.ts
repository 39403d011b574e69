// A process of its own that runs tests against one mutant after the other, as it is told.
import { createRunner, type Selection, type TestResult } from './runner.ts';

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

// Nobody is left to answer to.
process.on('disconnect', () => process.exit());
