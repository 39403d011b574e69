// The chain of the market, as the server wrote it into the page: a wallet's settings are needed before the first reply.
import { defaultChainId, knownChains, type PublicChain } from '@svc/sdk/domain';
import { type Chain, defineChain } from 'viem';

type MarketChain = PublicChain & { readonly id: number };

export const chain: Chain = buildChain(readChain());

/** Base unless the page names another chain, as service/src/http/pages.ts does. */
function readChain(): MarketChain {
  const text = document.querySelector<HTMLMetaElement>('meta[name="svc-chain"]')?.content;
  if (text !== undefined) return JSON.parse(text);
  return { id: defaultChainId, ...(knownChains[defaultChainId] as PublicChain) };
}

function buildChain({ id, name, rpcUrl, explorerUrl }: MarketChain): Chain {
  return defineChain({
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    ...(explorerUrl !== null && { blockExplorers: { default: { name, url: explorerUrl } } }),
  });
}
