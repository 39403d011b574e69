// The id of the request that is being answered, for log lines, statements and questions to the chain that it causes.
//
// Reads that are answered before the router do not enter it: they only read rows, and their own errors carry the id.
import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

export function inRequest(requestId: string, work: () => void): void {
  current.run(requestId, work);
}

/** Undefined outside of a request, as in background work. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}
