// Asks for an orderly end when the process is told to stop.

/** The first signal aborts, with its name as the reason; a second one does not wait for what is still under way. */
export function watchSignals(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(1);
      controller.abort(signal);
    });
  }
  return controller.signal;
}
