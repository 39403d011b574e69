// Whether a wallet has signed a document: plain accounts by their key, contracts by their own word (ERC-1271, ERC-6492).
import { fallback, http, type TypedDataDefinition } from 'viem';
import type { Address } from '#domain/address.ts';
import type { Hash } from '#domain/task.ts';
import { explainChainError } from './connection.ts';
import { createChainClient } from './publicClient.ts';

export function createSignatureReader(rpcUrls: readonly string[]) {
  const client = createChainClient({ transport: fallback(rpcUrls.map((url) => http(url))) });
  return async (address: Address, typedData: TypedDataDefinition, signature: Hash): Promise<boolean> => {
    // Only what makes the document: it is a stranger's JSON, and viem takes more, such as who is asked about the signature.
    const { domain, types, primaryType, message } = typedData;
    const document = { domain, types, primaryType, message } as TypedDataDefinition;
    try {
      return await client.verifyTypedData({ ...document, signature, address });
    } catch (error) {
      throw explainChainError(error);
    }
  };
}
