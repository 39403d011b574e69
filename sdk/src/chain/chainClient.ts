// viem clients of the market's chain, and their errors as SvcError. No message contains the URL of a node, which may hold
// a key.
import {
  BaseError,
  createPublicClient,
  createWalletClient,
  defineChain,
  fallback,
  type Hex,
  HttpRequestError,
  hexToNumber,
  http,
  isHex,
  type PublicClient,
  type PublicClientConfig,
  RpcRequestError,
  TimeoutError,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { SvcError } from '#domain/errors.ts';
import { toShown } from '#domain/text.ts';
import { createSender, type Sender } from './send.ts';

/**
 * Turns off offchain lookups (ERC-3668, on by default in viem): any contract could make this machine send requests into
 * its own network.
 */
export function createChainClient(options: PublicClientConfig): PublicClient {
  return createPublicClient({ ...options, ccipRead: false }) as PublicClient;
}

export type HttpSenderOptions = {
  readonly rpcUrls: readonly string[];
  readonly chainId: number;
  readonly privateKey: string;
};

/** A sender with its own key over HTTP endpoints, each the fallback of the one before. */
export function createHttpSender({ rpcUrls, chainId, privateKey }: HttpSenderOptions): Sender {
  // Transactions are signed for this chain id, whatever an endpoint reports.
  const chain = defineChain({
    id: chainId,
    name: 'the market’s chain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [...rpcUrls] } },
  });
  const transport = fallback(rpcUrls.map((url) => http(url, { timeout: 10_000, retryCount: 1 })));
  const account = privateKeyToAccount(privateKey as Hex);
  return createSender({
    publicClient: createChainClient({ chain, transport, cacheTime: 0 }),
    walletClient: createWalletClient({ chain, transport, account }),
  });
}

const notAChain = 'the server there is not a chain node';

/** The first request to a node: throws CHAIN_UNREACHABLE when the server is not a node. */
export async function readChainId(publicClient: PublicClient): Promise<number> {
  const chainId: unknown = await publicClient.request({ method: 'eth_chainId' });
  if (!isHex(chainId)) throw new SvcError('CHAIN_UNREACHABLE', { reason: notAChain });
  return hexToNumber(chainId);
}

/** Converts an error of viem into an SvcError; returns other errors unchanged. */
export function explainChainError(error: unknown): unknown {
  if (!(error instanceof BaseError)) return error;
  const find = <Kind extends Error>(kind: abstract new (...args: never[]) => Kind) =>
    error.walk((cause) => cause instanceof kind) as Kind | null;
  const failed = find(HttpRequestError);
  if (failed !== null) return new SvcError('CHAIN_UNREACHABLE', { reason: explainHttp(failed) }, error);
  if (find(TimeoutError) !== null)
    return new SvcError('CHAIN_UNREACHABLE', { reason: 'no answer in time' }, error);
  const refusal = find(RpcRequestError);
  return new SvcError('CHAIN_REFUSED', { reason: toShown(refusal?.details ?? error.shortMessage) }, error);
}

function explainHttp({ status, cause }: HttpRequestError): string {
  if (status !== undefined) return `it answers HTTP ${status}`;
  return cause instanceof SyntaxError ? notAChain : 'no connection';
}
