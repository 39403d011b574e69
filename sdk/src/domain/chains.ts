// Chains that are known by id, so that an operator has to set nothing for them.
import type { Address } from './address.ts';

/** What clients of a market learn about its chain. */
export type PublicChain = {
  readonly name: string;
  /** Without a key: anyone can read it. */
  readonly rpcUrl: string;
  /** The address of a block explorer, without a slash at its end; null where there is none. */
  readonly explorerUrl: string | null;
};

export type KnownChain = PublicChain & {
  /** Circle's USDC. */
  readonly usdc: Address;
};

/** Base: the chain of a market unless its deployment names another one. */
export const defaultChainId = 8_453;

export const knownChains: Readonly<Record<number, KnownChain>> = {
  [defaultChainId]: {
    name: 'Base',
    rpcUrl: 'https://mainnet.base.org',
    explorerUrl: 'https://basescan.org',
    usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  },
  84532: {
    name: 'Base Sepolia',
    rpcUrl: 'https://sepolia.base.org',
    explorerUrl: 'https://sepolia.basescan.org',
    usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  },
};
