// Asks a chain whether it is the embedded one, which tells where its contracts are.
import { type Deployment, parseDeployment } from '@svc/sdk/chain';
import { SvcError } from '@svc/sdk/domain';

const timeoutMs = 15_000;

/** Null where another kind of chain answers. */
export async function readEmbeddedDeployment(rpcUrl: string): Promise<Deployment | null> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'svc_deployment', params: [] }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: Error) => {
    throw new SvcError('CHAIN_UNREACHABLE', { reason: 'no connection' }, error);
  });
  const { result } = (await response.json().catch(() => ({}))) as { result?: unknown };
  return result === undefined ? null : parseDeployment(JSON.stringify(result));
}
