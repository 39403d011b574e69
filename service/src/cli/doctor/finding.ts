// What a check of the doctor finds, and how a check that breaks down is told.
import { SvcError } from '@svc/sdk/domain';

export type Finding = {
  readonly subject: string;
  /** «warn» may be meant so; «fail» keeps something from working. */
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What to do about it; null where nothing is to be done. */
  readonly mend: string | null;
};

export type Check = () => Promise<readonly Finding[]>;

export function ok(subject: string, found: string): Finding {
  return { subject, verdict: 'ok', found, mend: null };
}

export function warn(subject: string, found: string, mend: string): Finding {
  return { subject, verdict: 'warn', found, mend };
}

export function fail(subject: string, found: string, mend: string): Finding {
  return { subject, verdict: 'fail', found, mend };
}

/** Only messages of ours are shown: a library's may hold an address with a key in it. */
export function explain(error: unknown): string {
  if (error instanceof SvcError) return error.message;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === 'string' ? code : 'an unexpected error';
}
