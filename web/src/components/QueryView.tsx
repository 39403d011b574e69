// Renders the state of a query: a sentence and its shape while it loads, a sentence when it failed, else its data.
import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { isNotReady, usePagesInfo } from '../data/client.ts';
import { type Shape, shapeBlocks } from '../data/pageList.ts';
import { Button, Failure } from './Form.tsx';

type QueryViewProps<T> = {
  query: UseQueryResult<T> | UseInfiniteQueryResult<T>;
  /** What is loaded, as in "Loading the open tasks…". */
  what: string;
  shape?: Shape | undefined;
  children: (data: T) => ReactNode;
};

export function QueryView<T>({ query, what, shape, children }: QueryViewProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError)
    return (
      <Failure text={`Cannot load ${what}. ${query.error.message}`}>
        <Button onClick={() => void query.refetch()}>Try again</Button>
      </Failure>
    );
  const text =
    query.fetchStatus === 'paused'
      ? `You are offline. This page loads ${what} when you are online again.`
      : `Loading ${what}…${explainWait(query.failureReason)}`;
  return <Skeleton text={text} shape={shape} />;
}

const blocks = shapeBlocks.map((block) => <i key={block} />);

type LoadingProps = { what: string; shape?: Shape };

/** In place of what loads: a line, or its shape. */
export function Loading({ what, shape }: LoadingProps) {
  const text = `Loading ${what}…`;
  if (shape !== undefined) return <Skeleton text={text} shape={shape} />;
  return (
    <p className="small soft" role="status">
      {text}
    </p>
  );
}

/** Grey blocks about as large as what loads, with words: nothing below moves when it arrives. */
export function Skeleton({ text, shape = 'lines' }: { text: string; shape?: Shape | undefined }) {
  return (
    <div className="skeleton" data-is={shape} role="status">
      <p>{text}</p>
      {blocks}
    </div>
  );
}

/** The service says what it waits for; the query client retries. */
function explainWait(error: Error | null): string {
  return error !== null && isNotReady(error) ? ` ${error.message} This page retries automatically.` : '';
}

type GatewayOnlyProps = Pick<QueryViewProps<unknown>, 'what' | 'shape'> & { children: ReactNode };

/** Shows its children on the gateway. On the site, which has no such data, it links to the gateway. */
export function GatewayOnly({ what, shape, children }: GatewayOnlyProps) {
  return (
    <QueryView query={usePagesInfo()} what={what} shape={shape}>
      {({ isGateway, gatewayUrl }) =>
        isGateway ? (
          children
        ) : (
          <p className="notice">
            {gatewayUrl === null ? (
              'Only the gateway does this. Start it with npm start, or run svc gateway beside this site.'
            ) : (
              <>
                Only the gateway does this:{' '}
                <a href={`${gatewayUrl}${location.pathname}${location.search}`}>open this page there</a>.
              </>
            )}
          </p>
        )
      }
    </QueryView>
  );
}

/** A part of a page in a separate chunk, with what stands in its place while it loads. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode,
): ComponentType<Props> {
  const Part = lazy(async () => ({ default: (await load()) as ComponentType<object> }));
  return (props) => (
    <Suspense fallback={fallback}>
      <Part {...props} />
    </Suspense>
  );
}
