// A JSON-RPC proxy through which a test sees every call: it lets it pass, holds it back, or answers in the node's stead.
import { text } from 'node:stream/consumers';
import { serve } from './listen.ts';

export type InterceptingProxy = { readonly url: string; readonly close: () => void };
type Answer = {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
};

/** By which a signature is judged; a gateway asks its chain for other things now and then. */
export const signatureMethods: readonly string[] = ['eth_call', 'eth_getCode'];

/** Where `intercept` fails, the connection is cut. */
export async function startInterceptingProxy(
  target: string,
  intercept: (method: string, forward: () => Promise<Answer>) => Promise<Answer>,
): Promise<InterceptingProxy> {
  const headers = { 'content-type': 'application/json' };
  return serve(async (request, response) => {
    const body = await text(request);
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    const forward = async () => (await fetch(target, { method: 'POST', headers, body })).json();
    const answer = await intercept(method, forward as () => Promise<Answer>).catch(() => null);
    if (answer === null) response.destroy();
    else response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', ...answer, id }));
  });
}
