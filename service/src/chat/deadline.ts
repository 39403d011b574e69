// Ends what takes too long, and what nobody waits for any more.

export type Deadline = {
  readonly signal: AbortSignal;
  readonly isLate: () => boolean;
  /** Whatever is still under way is ended. */
  readonly end: () => void;
};

export function createDeadline(client: AbortSignal, milliseconds: number): Deadline {
  const controller = new AbortController();
  let isLate = false;
  const abort = () => controller.abort();
  const timer = setTimeout(() => {
    isLate = true;
    abort();
  }, milliseconds);
  client.addEventListener('abort', abort);
  if (client.aborted) abort();
  return {
    signal: controller.signal,
    isLate: () => isLate,
    end: () => {
      clearTimeout(timer);
      client.removeEventListener('abort', abort);
      abort();
    },
  };
}
