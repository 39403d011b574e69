// The connected wallet: its address and a way to ask the chain through it.

import type { Address } from '@svc/sdk/domain';
import type { Account, Chain, Client, Transport } from 'viem';
import { useConnection, useConnectorClient } from 'wagmi';
import { chainId, walletConfig } from './config.ts';

export type WalletClient = Client<Transport, Chain, Account>;

export type Wallet = {
  readonly address: Address;
  /** Null while the wallet is on another chain, or its connection is not up yet. */
  readonly client: WalletClient | null;
  readonly isOnChain: boolean;
};

/** Null while none is connected. */
export function useWallet(): Wallet | null {
  const { address, chainId: current, isConnected } = useConnection();
  const { data } = useConnectorClient({ config: walletConfig, chainId });
  if (!isConnected || address === undefined) return null;
  const isOnChain = current === chainId;
  const isCurrent = data?.account?.address === address;
  return { address, isOnChain, client: isOnChain && isCurrent ? data : null };
}

/** Throws in words, with what to do, where there is no way to the chain through the wallet. */
export function requireClient(wallet: Wallet | null): WalletClient {
  if (wallet === null) throw new Error('The wallet is not connected any more; connect it again.');
  if (!wallet.isOnChain)
    throw new Error('The wallet is on another chain. Switch it to Base, then try again.');
  if (wallet.client === null) throw new Error('The wallet does not answer yet; try again in a moment.');
  return wallet.client;
}
