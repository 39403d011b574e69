// The EIP-1193 provider of a wallet that this page opens itself: some methods are its own, the rest reads the chain.
import { createClient, http, numberToHex } from 'viem';
import { chain } from '../data/chain.ts';
import type { OwnWallet } from './ownConnector.ts';

export function createProvider(
  rpcUrl: string,
  accounts: OwnWallet['accounts'],
  methods: Readonly<Record<string, (params: readonly unknown[]) => Promise<unknown>>>,
): OwnWallet['provider'] {
  const reader = createClient({ chain, transport: http(rpcUrl) });
  return {
    request: async ({ method, params = [] }) => {
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return accounts();
      if (method === 'eth_chainId') return numberToHex(chain.id);
      return methods[method]?.(params) ?? reader.request({ method, params } as never);
    },
  };
}
