// Whether a wallet has signed a document: plain accounts by their key, contracts by their own word (ERC-1271, ERC-6492).
import { fallback, http, type TypedDataDefinition } from 'viem';
import type { Address } from '#domain/address.ts';
import type { Hash } from '#domain/task.ts';
import { explainChainError } from './connection.ts';
import { createChainClient } from './publicClient.ts';

export function createSignatureReader(rpcUrls: readonly string[]) {
  const client = createChainClient({ transport: fallback(rpcUrls.map((url) => http(url))) });
  return async (address: Address, typedData: TypedDataDefinition, signature: Hash): Promise<boolean> => {
    try {
      return await client.verifyTypedData({ address, ...typedData, signature });
    } catch (error) {
      throw explainChainError(error);
    }
  };
}
