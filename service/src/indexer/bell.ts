// A wait that a ring, or the end, cuts short; a ring while nobody waits is not lost.

export type Bell = {
  readonly ring: () => void;
  readonly wait: (milliseconds: number) => Promise<void>;
};

export function createBell(signal: AbortSignal): Bell {
  let isRung = signal.aborted;
  let wake = () => {};
  const ring = () => {
    isRung = true;
    wake();
  };
  signal.addEventListener('abort', ring);
  return {
    ring,
    wait: async (milliseconds) => {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isRung = signal.aborted;
    },
  };
}
