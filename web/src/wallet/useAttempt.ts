// Something that the reader starts by a click: busy until it ends, then done, or a sentence that says what went wrong.
import { useMutation } from '@tanstack/react-query';
import { explainError } from './send.ts';

export type Attempt<Args extends readonly unknown[], Result> = ReturnType<typeof useAttempt<Args, Result>>;

export function useAttempt<Args extends readonly unknown[], Result>(run: (...args: Args) => Promise<Result>) {
  const { mutateAsync, isPending, error, data } = useMutation({
    // Also without a connection: the failure is what the reader has to know.
    networkMode: 'always',
    mutationFn: (args: Args) => run(...args),
  });
  return {
    isBusy: isPending,
    failure: error === null ? null : explainError(error),
    /** What the last one returned. */
    result: data,
    /** Returns null after a failure. */
    start: (...args: Args): Promise<Result | null> => mutateAsync(args).catch(() => null),
  };
}
