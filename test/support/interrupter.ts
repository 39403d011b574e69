// Ends work at any of its calls, as a kill would: nothing after that call is done.
export type Interruption = {
  /** Counts from 1; none when it is larger than the number of calls. */
  readonly at: number;
  readonly when: 'before' | 'after';
};

/** What is thrown there. */
export const interrupted = new Error('interrupted');

type Interrupter = {
  /** The same object, whose every asynchronous function counts as a call. */
  readonly wrap: <T extends object>(target: T) => T;
  readonly calls: () => number;
};

export function createInterrupter({ at, when }: Interruption): Interrupter {
  let calls = 0;
  const interrupt = (now: Interruption['when'], call: number) => {
    if (call === at && when === now) throw interrupted;
  };
  return {
    calls: () => calls,
    wrap: (target) =>
      new Proxy(target, {
        get: (object, name) => {
          const value = Reflect.get(object, name);
          if (typeof value !== 'function') return value;
          return (...params: unknown[]) => {
            const call = ++calls;
            interrupt('before', call);
            const result = value.apply(object, params);
            if (!(result instanceof Promise)) return result;
            return result.then((answer: unknown) => {
              interrupt('after', call);
              return answer;
            });
          };
        },
      }),
  };
}
