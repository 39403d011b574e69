// A time limit for work that has none.

/** Rejects with the sentence where the promise takes longer. */
export function withTimeout<T>(promise: Promise<T>, milliseconds: number, sentence: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(sentence)), milliseconds);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
