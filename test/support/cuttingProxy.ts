// A JSON-RPC proxy that falls silent at a chosen request, to break a program off at an exact point.
import { type InterceptingProxy, startInterceptingProxy } from './interceptingProxy.ts';

/**
 * `isCut` sees every method and how often it was called before; from the first request on that it cuts, nothing is
 * forwarded any more. `onCut` is called once, before the silence can be noticed.
 */
export async function startCuttingProxy(
  target: string,
  isCut: (method: string, calledBefore: number) => boolean,
  onCut: () => void,
): Promise<InterceptingProxy> {
  const called = new Map<string, number>();
  let isSilent = false;
  return startInterceptingProxy(target, (method, forward) => {
    const before = called.get(method) ?? 0;
    called.set(method, before + 1);
    if (!isSilent && isCut(method, before)) {
      isSilent = true;
      onCut();
    }
    return isSilent ? new Promise(() => undefined) : forward();
  });
}
