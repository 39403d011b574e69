// The log of a running server: one JSON object a line, on standard error.
import { destination, type Logger, pino } from 'pino';

export function createLog(level: 'info' | 'warn'): Logger {
  return pino({ level, errorKey: 'error', base: null }, destination(2));
}
