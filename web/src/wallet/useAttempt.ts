// Something that the reader starts by a click: busy until it ends, then done, or a sentence that says what went wrong.
import { useMutation } from '@tanstack/react-query';
import { explainError } from './send.ts';

export type Attempt<Args extends readonly unknown[], Result> = {
  readonly isBusy: boolean;
  readonly failure: string | null;
  /** What the last one returned. */
  readonly result: Result | undefined;
  /** Returns null after a failure. */
  readonly start: (...args: Args) => Promise<Result | null>;
};

export function useAttempt<Args extends readonly unknown[], Result>(
  run: (...args: Args) => Promise<Result>,
): Attempt<Args, Result> {
  const { mutateAsync, isPending, error, data } = useMutation({
    // Also without a connection: the failure is what the reader has to know.
    networkMode: 'always',
    mutationFn: (args: Args) => run(...args),
  });
  return {
    isBusy: isPending,
    failure: error === null ? null : explainError(error),
    result: data,
    start: (...args) => mutateAsync(args).catch(() => null),
  };
}
