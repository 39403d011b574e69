// Whether a wallet has signed: plain accounts by their key, smart wallets by their contract (ERC-1271, ERC-6492).
import { fallback, hashTypedData, http, type PublicClient, type TypedDataDefinition } from 'viem';
import type { Address } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import type { Hash } from '#domain/task.ts';
import { type VerifyDigest, verifyPlainAccount } from '#domain/verifyDigest.ts';
import { createChainClient, explainChainError, readChainId } from './chainClient.ts';

/** Verifies with any of the nodes. Throws CHAIN_UNREACHABLE when only the chain can decide and no node answers. */
export function createDigestReader(rpcUrls: readonly string[]): VerifyDigest {
  const transport = fallback(
    rpcUrls.map((url) => http(url, { timeout: 10_000 })),
    { retryCount: 1 },
  );
  const client = createChainClient({ transport });
  return async (address, digest, signature) =>
    (await verifyPlainAccount(address, digest, signature)) ||
    isSignedByContract(client, address, digest, signature);
}

/** The same for EIP-712 documents. */
export function createSignatureReader(rpcUrls: readonly string[]) {
  const isSigned = createDigestReader(rpcUrls);
  return async (address: Address, typedData: TypedDataDefinition, signature: Hash): Promise<boolean> => {
    const digest = hashOrNull(typedData);
    return digest !== null && isSigned(address, digest, signature);
  };
}

/** Signatures come from unknown senders, and viem throws many kinds of errors on malformed ones: all of them mean no. */
async function isSignedByContract(
  client: PublicClient,
  address: Address,
  hash: Hash,
  signature: Hash,
): Promise<boolean> {
  await checkChain(client);
  try {
    return await client.verifyHash({ address, hash, signature });
  } catch (error) {
    const explained = explainChainError(error);
    if (explained instanceof SvcError && explained.code === 'CHAIN_UNREACHABLE') throw explained;
    return false;
  }
}

/** viem reports a valid signature as false while the chain is unreachable, so check the chain first. */
async function checkChain(client: PublicClient): Promise<void> {
  try {
    await readChainId(client);
  } catch (error) {
    const explained = explainChainError(error);
    if (!(explained instanceof SvcError) || explained.code === 'CHAIN_UNREACHABLE') throw explained;
    throw new SvcError('CHAIN_UNREACHABLE', { reason: 'it refuses to return its chain id' }, error);
  }
}

/** Takes only the four parts of typed data from foreign JSON. Null where they cannot be hashed. */
function hashOrNull({ domain, types, primaryType, message }: TypedDataDefinition): Hash | null {
  try {
    return hashTypedData({ domain, types, primaryType, message } as TypedDataDefinition);
  } catch {
    return null;
  }
}
