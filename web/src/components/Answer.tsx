// Shows what a question brought: words while it is under way, words when it failed, else the answer.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isUnready } from '../data/client.ts';

export function Answer<T>({
  of,
  what,
  children,
}: {
  readonly of: UseQueryResult<T>;
  /** What is asked for, as in «Loading the open tasks…». */
  readonly what: string;
  readonly children: (value: T) => ReactNode;
}) {
  if (of.data !== undefined) return children(of.data);
  if (of.isError) return <Failure error={of.error} what={what} onRetry={() => void of.refetch()} />;
  return (
    <p className="notice" role="status">
      {of.fetchStatus === 'paused'
        ? `You are offline; ${what} will come when you are back.`
        : `Loading ${what}…${explainWait(of.failureReason)}`}
    </p>
  );
}

/** The service says what it waits for, and to come again. */
function explainWait(error: Error | null): string {
  return error !== null && isUnready(error) ? ` ${error.message} This page does so by itself.` : '';
}

export function Failure({
  error,
  what,
  onRetry,
}: {
  readonly error: Error;
  readonly what: string;
  readonly onRetry?: () => void;
}) {
  return (
    <div className="notice" data-is="risk" role="alert">
      <p>
        {capitalize(what)} cannot be shown. {error.message}
      </p>
      {onRetry !== undefined && (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
