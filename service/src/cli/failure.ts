// How a command that failed tells its user, and with which exit code it ends.

import { type ErrorCode, errorMessages, SvcError } from '@svc/sdk/domain';
import { redact } from '#config.ts';
import { exitCodes } from './exitCodes.ts';

export type Output = { readonly out: (text: string) => void; readonly err: (text: string) => void };

/** What is wrong with the command line, and not with anything it found. */
const mistakes: ReadonlySet<ErrorCode> = new Set([
  'USAGE',
  'ACTION_UNKNOWN',
  'ARGUMENTS_INVALID',
  'MARKET_MISMATCH',
  'DOCUMENT_INVALID',
  'DOCUMENT_TOO_LARGE',
]);

/** People read standard error; with `asJson` programs find the same on standard output, and beside it what is known. */
export function reportFailure(
  error: unknown,
  { out, err }: Output,
  asJson: boolean,
  beside: object = {},
): number {
  const known = error instanceof SvcError ? error : null;
  const message = known === null ? errorMessages.INTERNAL : redact(known.message);
  // Not foreseen, hence a mistake of ours: the stack helps whoever reports it.
  err(known === null ? `svc failed unexpectedly: ${redact(describeUnknown(error))}` : message);
  if (asJson) out(JSON.stringify({ error: message, code: known?.code ?? 'INTERNAL', ...beside }));
  return known !== null && mistakes.has(known.code) ? exitCodes.wronglyCalled : exitCodes.failed;
}

/** For what is wrong before a command is found. */
export function reportMistake(reason: string, output: Output, asJson: boolean): number {
  return reportFailure(new SvcError('USAGE', { reason }), output, asJson);
}

function describeUnknown(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
