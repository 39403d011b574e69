// viem clients of the market's chain, and their errors as SvcError. No message contains the URL of a node, which may hold
// a key.
import {
  BaseError,
  type Chain,
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hex,
  hexToNumber,
  isHex,
  type LocalAccount,
  type PublicClient,
  type PublicClientConfig,
  type Transport,
  type WalletClient,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { SvcError } from '../domain/errors.ts';
import { toShown } from '../domain/text.ts';
import type { Rpc } from './rpc.ts';

export type ChainClients = {
  readonly publicClient: PublicClient;
  /** With a local key: transactions are signed here, so their hashes are known before they are sent. */
  readonly walletClient: WalletClient<Transport, Chain | undefined, LocalAccount>;
};

/**
 * Turns off offchain lookups (ERC-3668, on by default in viem): any contract could make this machine send requests into
 * its own network.
 */
export function createChainClient(options: PublicClientConfig): PublicClient {
  return createPublicClient({ ...options, ccipRead: false }) as PublicClient;
}

/** Clients with a key. Transactions are signed for `chainId`, if it is given, whatever an endpoint reports. */
export function createKeyClients(
  { transport }: Pick<Rpc, 'transport'>,
  privateKey: string,
  chainId?: number,
): ChainClients {
  const chain =
    chainId === undefined
      ? undefined
      : defineChain({
          id: chainId,
          name: 'the market’s chain',
          nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
          rpcUrls: { default: { http: [] } },
        });
  const account = privateKeyToAccount(privateKey as Hex);
  return {
    publicClient: createChainClient({ chain, transport, cacheTime: 0 }),
    walletClient: createWalletClient({ chain, transport, account }),
  };
}

/** The first request to a node: throws CHAIN_UNREACHABLE when the server is not a node. */
export async function readChainId(publicClient: PublicClient): Promise<number> {
  const chainId: unknown = await publicClient.request({ method: 'eth_chainId' });
  if (!isHex(chainId))
    throw new SvcError('CHAIN_UNREACHABLE', { reason: 'the server there is not a chain node' });
  return hexToNumber(chainId);
}

/** Converts an error of viem into an SvcError; returns other errors unchanged. */
export function explainChainError(error: unknown): unknown {
  if (!(error instanceof BaseError)) return error;
  const known = error.walk((cause) => cause instanceof SvcError);
  return (
    known ?? new SvcError('CHAIN_REFUSED', { reason: toShown(error.details || error.shortMessage) }, error)
  );
}
