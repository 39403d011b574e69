// Chains that are known by id, so that an operator has to set nothing for them.
import type { Address } from './address.ts';

/** What clients of a market learn about its chain, beside its id. */
export type PublicChain = {
  readonly name: string;
  /** Without a key: anyone can read it. */
  readonly rpcUrl: string;
  /** The address of a block explorer, without a slash at its end; null where there is none. */
  readonly explorerUrl: string | null;
};

export type KnownChain = PublicChain & {
  /** Its name in x402 version 1 and at hosted wallets. */
  readonly network: string;
  /** Circle's USDC. */
  readonly usdc: Address;
};

/** Base: the chain of a market unless its deployment names another one. */
export const defaultChainId = 8_453;

export const knownChains: Readonly<Record<number, KnownChain>> = {
  [defaultChainId]: {
    name: 'Base',
    network: 'base',
    rpcUrl: 'https://mainnet.base.org',
    explorerUrl: 'https://basescan.org',
    usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  },
  84532: {
    name: 'Base Sepolia',
    network: 'base-sepolia',
    rpcUrl: 'https://sepolia.base.org',
    explorerUrl: 'https://sepolia.basescan.org',
    usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  },
};

/**
 * Chains with real money: Ethereum, OP, Cronos, BNB, Gnosis, Unichain, Polygon, Sonic, zkSync, World, HyperEVM, Sei, Lisk, Soneium,
 * Mantle, Base, Mode, Arbitrum, Celo, Avalanche, Ink, Linea, Berachain, Blast, Scroll, Zora.
 */
export const publicChainIds: ReadonlySet<number> = new Set([
  1, 10, 25, 56, 100, 130, 137, 146, 324, 480, 999, 1_329, 1_135, 1_868, 5_000, 8_453, 34_443, 42_161, 42_220,
  43_114, 57_073, 59_144, 80_094, 81_457, 534_352, 7_777_777,
]);

/** Those of them whose blocks one sequencer makes, which may stand still. */
export const sequencedChainIds: ReadonlySet<number> = new Set([
  10, 130, 324, 480, 1_135, 1_868, 5_000, 8_453, 34_443, 42_161, 42_220, 57_073, 59_144, 81_457, 534_352,
  7_777_777,
]);

/** How x402 version 1 and hosted wallets call a chain; one that they have no name for is called as in CAIP-2. */
export function networkOf(chainId: number): string {
  return knownChains[chainId]?.network ?? `eip155:${chainId}`;
}
