// The log of a server: one JSON object per line, on standard error.
import { hostname } from 'node:os';
import { destination, type Logger, pino } from 'pino';
import type { LogLevel } from '../config.ts';
import { currentRequestId } from '../http/requestLog.ts';
import { redact } from '../secrets.ts';
import { eraseLine } from './progress.ts';

/** In every line, so that the lines of all replicas can be kept together. */
export function nameSource(service: string, port: number) {
  return { service, instance: `${hostname()}:${port}` };
}

export function createLog(level: LogLevel, service: string, port: number): Logger {
  // On a terminal a line replaces a progress bar, which is then drawn again below it.
  const file = destination(2);
  const write = process.stderr.isTTY
    ? (line: string) => process.stderr.write(eraseLine + line)
    : (line: string) => file.write(line);
  const options = { level, errorKey: 'error', base: nameSource(service, port), mixin: nameRequest };
  return pino(options, { write: (line) => write(redact(line)) });
}

function nameRequest(): object {
  const requestId = currentRequestId();
  return requestId === undefined ? {} : { requestId };
}
