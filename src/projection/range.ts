// How many blocks of logs to ask for at once: half as many after a refusal, slowly more after each success.

export type Range = {
  readonly size: () => number;
  /** Runs one question of that size and learns from how it went. */
  readonly use: <T>(question: () => Promise<T>) => Promise<T>;
};

export function createRange(first = 2_000, largest = 10_000): Range {
  let size = first;
  return {
    size: () => size,
    use: async (question) => {
      try {
        const answer = await question();
        size = Math.min(largest, Math.ceil(size * 1.25));
        return answer;
      } catch (error) {
        size = Math.max(1, Math.floor(size / 2));
        throw error;
      }
    },
  };
}
