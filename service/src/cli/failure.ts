// The exit codes of svc, and how a failed command reports its error.
import { type ErrorCode, SvcError } from '@svc/sdk/domain';
import { errorMessages } from '@svc/sdk/internal/domain/errors';
import { redact } from '../secrets.ts';

export const exitCodes = { ok: 0, failed: 1, wronglyCalled: 2, wouldRevert: 3, notSettled: 4 } as const;

export type ExitName = keyof typeof exitCodes;

export const exitMeanings: Readonly<Record<ExitName, string>> = {
  ok: 'success, including a server or a watcher that was stopped',
  failed:
    'failure; differences (audit), faults (doctor) or failed calls (keeper --once) were found; a message stays in the outbox (send, send-proposal, inbox); or the transport or the chain could not be reached (inbox)',
  wronglyCalled:
    'usage error: an unknown command or option, a missing or malformed argument; nothing was done',
  wouldRevert: 'the calls would revert, and no wallet was asked (prepare)',
  notSettled:
    'the wallet request was rejected, failed or expired, or the wait was interrupted (prepare, request)',
};

export type Output = { readonly out: (text: string) => void; readonly err: (text: string) => void };

/** Errors in the command line. */
const usageErrors: ReadonlySet<ErrorCode> = new Set([
  'USAGE',
  'ACTION_UNKNOWN',
  'ARGUMENTS_INVALID',
  'MARKET_MISMATCH',
  'DOCUMENT_INVALID',
  'DOCUMENT_TOO_LARGE',
]);

/** Writes the error to standard error and, with `asJson`, also to standard output, with the fields of `extra`. Returns the exit code. */
export function reportFailure(
  error: unknown,
  { out, err }: Output,
  asJson: boolean,
  extra: object = {},
): number {
  const known = error instanceof SvcError ? error : null;
  const message = known === null ? errorMessages.INTERNAL : redact(known.message);
  // An unexpected error is a bug in svc: its stack helps to report it.
  err(known === null ? `svc failed unexpectedly: ${redact(describeUnknown(error))}` : message);
  if (asJson) out(JSON.stringify({ error: message, code: known?.code ?? 'INTERNAL', ...extra }));
  return known !== null && usageErrors.has(known.code) ? exitCodes.wronglyCalled : exitCodes.failed;
}

function describeUnknown(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
