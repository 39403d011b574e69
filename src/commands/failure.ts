// How a command that failed tells its user, and with which exit code it ends.
import { SvcError } from '#domain/errors.ts';

export function reportFailure(error: unknown, write: (text: string) => void): number {
  if (error instanceof SvcError) {
    write(error.message);
    return error.code === 'USAGE' ? 2 : 1;
  }
  // Not foreseen, hence a mistake of ours: the stack helps whoever reports it.
  write(
    `svc failed unexpectedly: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  return 1;
}
