// The log of a running server: one JSON object a line, on standard error.
import { destination, type Logger, pino } from 'pino';
import type { LogLevel } from '#config.ts';

export function createLog(level: LogLevel): Logger {
  return pino({ level, errorKey: 'error', base: null }, destination(2));
}
