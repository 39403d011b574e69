// A sender with a key of its own, over HTTP endpoints that stand in for each other.
import { createWalletClient, defineChain, fallback, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createChainClient } from './publicClient.ts';
import { createSender, type Sender } from './send.ts';

export type HttpSenderOptions = {
  readonly rpcUrls: readonly string[];
  readonly chainId: number;
  readonly privateKey: string;
};

const timeout = 10_000;

export function createHttpSender({ rpcUrls, chainId, privateKey }: HttpSenderOptions): Sender {
  // Signed for the chain that is meant, whatever an endpoint says of itself.
  const chain = defineChain({
    id: chainId,
    name: 'the market’s chain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [...rpcUrls] } },
  });
  const transport = fallback(rpcUrls.map((url) => http(url, { timeout, retryCount: 1 })));
  const account = privateKeyToAccount(privateKey as Hex);
  return createSender({
    publicClient: createChainClient({ chain, transport, cacheTime: 0 }),
    walletClient: createWalletClient({ chain, transport, account }),
  });
}
