// Renders the state of a query: a sentence and its shape while it loads, a sentence when it failed, else its data.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isNotReady, usePagesInfo } from '#data/client.ts';
import type { Shape } from '#data/pageList.ts';
import { Skeleton } from './Skeleton.tsx';

export function QueryView<T>({
  query,
  what,
  shape,
  children,
}: {
  readonly query: UseQueryResult<T>;
  /** What is loaded, as in "Loading the open tasks…". */
  readonly what: string;
  readonly shape?: Shape;
  readonly children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError)
    return <LoadError error={query.error} what={what} onRetry={() => void query.refetch()} />;
  const text =
    query.fetchStatus === 'paused'
      ? `You are offline. This page loads ${what} when you are online again.`
      : `Loading ${what}…${explainWait(query.failureReason)}`;
  return <Skeleton text={text} {...(shape !== undefined && { shape })} />;
}

/** The service says what it waits for; the query client retries. */
function explainWait(error: Error | null): string {
  return error !== null && isNotReady(error) ? ` ${error.message} This page retries automatically.` : '';
}

export function LoadError({
  error,
  what,
  onRetry,
}: {
  readonly error: Error;
  readonly what: string;
  readonly onRetry: () => void;
}) {
  return (
    <div className="notice" data-is="risk" role="alert">
      <p>
        Cannot load {what}. {error.message}
      </p>
      <button type="button" className="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

/** What went wrong with something that the reader did, or nothing. */
export function Failure({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return (
    <p className="notice" data-is="risk" role="alert">
      {text}
    </p>
  );
}

/** Shows its children on the gateway. On the site, which has no such data, it links to the gateway. */
export function GatewayOnly({
  what,
  shape,
  children,
}: {
  readonly what: string;
  readonly shape?: Shape;
  readonly children: ReactNode;
}) {
  const info = usePagesInfo();
  return (
    <QueryView query={info} what={what} {...(shape !== undefined && { shape })}>
      {({ isGateway, gatewayUrl }) => {
        if (isGateway) return children;
        return (
          <p className="notice">
            {gatewayUrl === null ? (
              'Only the gateway shows this. Start it with npm start, or run svc gateway beside this site.'
            ) : (
              <>
                Only the gateway shows this:{' '}
                <a href={`${gatewayUrl}${location.pathname}${location.search}`}>open this page there</a>.
              </>
            )}
          </p>
        );
      }}
    </QueryView>
  );
}
