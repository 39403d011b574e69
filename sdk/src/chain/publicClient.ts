// The client of viem with which we ask a chain.
import { createPublicClient, type PublicClient, type PublicClientConfig } from 'viem';

/**
 * Follows no address that a contract names (ERC-3668, on by default): anyone may put a contract on the chain, and it
 * would make this machine send requests into its own network.
 */
export function createChainClient(options: PublicClientConfig): PublicClient {
  return createPublicClient({ ...options, ccipRead: false }) as PublicClient;
}
