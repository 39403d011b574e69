// Something that the reader starts by a click: busy until it ends, then done, or a sentence that says what went wrong.
import { useMutation } from '@tanstack/react-query';

export type Attempt<Args extends readonly unknown[], Result> = ReturnType<typeof useAttempt<Args, Result>>;

export function useAttempt<Args extends readonly unknown[], Result>(run: (...args: Args) => Promise<Result>) {
  const { mutateAsync, isPending, error, data } = useMutation({
    // Also without a connection: the failure is what the reader has to know.
    networkMode: 'always',
    mutationFn: (args: Args) => run(...args).catch(explain),
  });
  return {
    isBusy: isPending,
    failure: error === null ? null : error.message,
    /** What the last one returned. */
    result: data,
    /** Returns null after a failure. */
    start: (...args: Args): Promise<Result | null> => mutateAsync(args).catch(() => null),
  };
}

/** A chunk of its own, loaded for the first failure: it knows the errors of all contracts. */
async function explain(error: unknown): Promise<never> {
  const sentence = await import('./explainError.ts').then(
    (chunk) => chunk.explainError(error),
    // Nothing can be loaded any more.
    () => String((error as Error).message),
  );
  throw new Error(sentence);
}
