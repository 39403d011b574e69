// Where the chain is asked: as configured, else at the public RPC of a deployed market, else at the embedded chain.
import type { Config } from '#config.ts';

/** Of chain 8453: what clients are told to use, and what is used where no provider is configured. */
export const publicRpcUrl = 'https://mainnet.base.org';

/** They may hold a provider's key: never to be shown. */
export function chooseRpcUrls({ rpcUrls, deploymentFile, chainPort }: Config): string[] {
  if (rpcUrls.length > 0) return rpcUrls.map((url) => url.reveal());
  return [deploymentFile === undefined ? `http://127.0.0.1:${chainPort}` : publicRpcUrl];
}
