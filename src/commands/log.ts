// The log of a running server: one JSON object a line, on standard error.
import { destination, type Logger, pino } from 'pino';
import type { LogLevel } from '#config.ts';
import { eraseLine } from './progress.ts';

export function createLog(level: LogLevel): Logger {
  // On a terminal a line takes the place of a bar that may stand there, which is drawn again below it.
  const terminal = { write: (line: string) => process.stderr.write(eraseLine + line) };
  const output = process.stderr.isTTY ? terminal : destination(2);
  return pino({ level, errorKey: 'error', base: null }, output);
}
