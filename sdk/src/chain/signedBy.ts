// Whether a wallet has signed: plain accounts by their key, contracts by their own word (ERC-1271, ERC-6492).
import {
  fallback,
  hashTypedData,
  http,
  type PublicClient,
  recoverAddress,
  type TypedDataDefinition,
} from 'viem';
import { type Address, isSameAddress } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import type { Hash } from '#domain/task.ts';
import { explainChainError, readChainId } from './connection.ts';
import { createChainClient } from './publicClient.ts';

/** One that hangs must not keep a mailbox or a page waiting much longer. */
const patience = { timeout: 10_000 } as const;

/** Answers whether a wallet has signed a digest, by any of the nodes. Throws as isDigestSigned. */
export function createDigestReader(rpcUrls: readonly string[]) {
  const transport = fallback(
    rpcUrls.map((url) => http(url, patience)),
    { retryCount: 1 },
  );
  const client = createChainClient({ transport });
  return (address: Address, digest: Hash, signature: Hash) =>
    isDigestSigned(client, address, digest, signature);
}

/** The same of a document. */
export function createSignatureReader(rpcUrls: readonly string[]) {
  const isSigned = createDigestReader(rpcUrls);
  return async (address: Address, typedData: TypedDataDefinition, signature: Hash): Promise<boolean> => {
    const digest = hashOrNothing(typedData);
    return digest !== null && isSigned(address, digest, signature);
  };
}

/**
 * Throws CHAIN_UNREACHABLE where only the chain could tell, and it is away. Signatures are bytes of strangers, on which
 * the libraries that unwrap them throw whatever they like: all of that means no.
 */
export async function isDigestSigned(
  client: PublicClient,
  address: Address,
  digest: Hash,
  signature: Hash,
): Promise<boolean> {
  if (await isSignedByKey(address, digest, signature)) return true;
  await meetChain(client);
  try {
    return await client.verifyHash({ address, hash: digest, signature });
  } catch (error) {
    const explained = explainChainError(error);
    if (explained instanceof SvcError && explained.code === 'CHAIN_UNREACHABLE') throw explained;
    return false;
  }
}

async function isSignedByKey(address: Address, hash: Hash, signature: Hash): Promise<boolean> {
  try {
    return isSameAddress(await recoverAddress({ hash, signature }), address);
  } catch {
    return false;
  }
}

/** A chain that is away must not make a good signature a bad one, and viem would: asked first, it says so. */
async function meetChain(client: PublicClient): Promise<void> {
  try {
    await readChainId(client);
  } catch (error) {
    const explained = explainChainError(error);
    if (!(explained instanceof SvcError) || explained.code === 'CHAIN_UNREACHABLE') throw explained;
    // A node that refuses even this is none to ask.
    throw new SvcError('CHAIN_UNREACHABLE', { reason: 'it refuses to tell its chain id' }, error);
  }
}

/** Only what makes the document: it is a stranger's JSON. Null where nobody could sign it. */
function hashOrNothing({ domain, types, primaryType, message }: TypedDataDefinition): Hash | null {
  try {
    return hashTypedData({ domain, types, primaryType, message } as TypedDataDefinition);
  } catch {
    return null;
  }
}
