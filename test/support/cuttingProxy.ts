// A JSON-RPC proxy that falls silent at a chosen request, to break a program off at an exact point.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type CuttingProxy = { readonly url: string; readonly close: () => void };

/**
 * `isCut` sees every method and how often it was called before; from the first request on that it cuts, nothing is
 * forwarded any more. `onCut` is called once, before the silence can be noticed.
 */
export async function startCuttingProxy(
  target: string,
  isCut: (method: string, calledBefore: number) => boolean,
  onCut: () => void,
): Promise<CuttingProxy> {
  const called = new Map<string, number>();
  let isSilent = false;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { method } = JSON.parse(body) as { method: string };
    const before = called.get(method) ?? 0;
    called.set(method, before + 1);
    if (!isSilent && isCut(method, before)) {
      isSilent = true;
      onCut();
    }
    if (isSilent) return;
    const answer = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    response.setHeader('content-type', 'application/json');
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
