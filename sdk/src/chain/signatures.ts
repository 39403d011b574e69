// Whether a wallet has signed. Two questions: who speaks (a key, or a smart wallet, deployed or not), and what the contracts
// of the market would accept, by their own rule.
import {
  concatHex,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  isErc6492Signature,
  type PublicClient,
  parseAbi,
  type TypedDataDefinition,
} from 'viem';
import type { Address } from '../domain/address.ts';
import { isErrorOf } from '../domain/errors.ts';
import { normaliseSignature, type VerifyDigest, verifyPlainAccount } from '../domain/verifyDigest.ts';
import { createChainClient, explainChainError } from './chainClient.ts';
import type { Rpc } from './rpc.ts';
import { codeOf, runCode } from './rpcRequests.ts';

type Ask = Pick<Rpc, 'ask'>;

/**
 * The signature in the form that the contracts accept, or null where they refuse it. Their rule is that of OpenZeppelin's
 * SignatureChecker: an address with code decides itself (ERC-1271), also a plain account with delegated code (EIP-7702); an
 * address without code signs with its key. Throws WALLET_NOT_DEPLOYED, and CHAIN_UNREACHABLE where no node answers.
 */
export async function readAcceptedSignature(
  rpc: Ask,
  wallet: Address,
  digest: Hex,
  signature: Hex,
): Promise<Hex | null> {
  const hasCode = (await rpc.ask(codeOf(wallet))) !== '0x';
  const normal = normaliseSignature(wallet, signature, hasCode);
  const isAccepted = hasCode
    ? await isAcceptedByCode(rpc, wallet, digest, normal)
    : await verifyPlainAccount(wallet, digest, normal);
  return isAccepted ? normal : null;
}

const walletAbi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
]);
/** The selector of isValidSignature, in the first bytes of a word. */
const accepted: Hex = `0x1626ba7e${'0'.repeat(56)}`;

/** Any failure of the wallet's code is a no, as in the contracts. */
async function isAcceptedByCode(rpc: Ask, wallet: Address, digest: Hex, signature: Hex): Promise<boolean> {
  const data = encodeFunctionData({
    abi: walletAbi,
    functionName: 'isValidSignature',
    args: [digest, signature],
  });
  try {
    return (await rpc.ask(runCode(buildStaticCall(wallet, data)))) === accepted;
  } catch (error) {
    if (isErrorOf(error, 'CHAIN_REFUSED')) return false;
    throw error;
  }
}

/**
 * Code that calls the wallet as the contracts do, by STATICCALL, and returns the first word of the answer, or zero. A plain
 * eth_call would let the wallet write, and so say yes where the contracts get no.
 */
function buildStaticCall(wallet: Address, data: Hex): Hex {
  const length = '33';
  return concatHex([
    // PUSH1 length, CODESIZE, SUB, DUP1, PUSH1 length, PUSH0, CODECOPY: the data stands behind this code.
    `0x60${length}380380` + `60${length}5f39`,
    // PUSH1 32, PUSH0, DUP3, PUSH0, PUSH20 wallet, GAS, STATICCALL: the answer replaces the data.
    `0x60205f825f73${wallet.slice(2)}5afa`,
    // RETURNDATASIZE, PUSH1 31, LT, AND, PUSH0, MLOAD, MUL, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN
    '0x3d601f10165f51025f5260205ff3',
    data,
  ] as Hex[]);
}

/**
 * Whether the wallet speaks, with any of the nodes: its key, else its code, also code that is not deployed yet (ERC-6492).
 * Throws CHAIN_UNREACHABLE when only the chain can decide and no node answers.
 */
export function createDigestReader(rpc: Pick<Rpc, 'ask' | 'transport'>): VerifyDigest {
  const client = createChainClient({ transport: rpc.transport });
  return async (address, digest, signature) => {
    if (await verifyPlainAccount(address, digest, signature)) return true;
    if ((await rpc.ask(codeOf(address))) !== '0x')
      return isAcceptedByCode(rpc, address, digest, normaliseSignature(address, signature, true));
    // A key has one spelling of a signature, which was checked above.
    return isErc6492Signature(signature) && isSignedUndeployed(client, address, digest, signature);
  };
}

/**
 * The signature of an EIP-712 document in its normal form, or null where it is none of this wallet. What a contract verifies
 * is judged by the rule of the contracts.
 */
export function createSignatureReader(rpc: Pick<Rpc, 'ask' | 'transport'>) {
  const isSpeaking = createDigestReader(rpc);
  return async (address: Address, typedData: TypedDataDefinition, signature: Hex): Promise<Hex | null> => {
    const digest = hashOrNull(typedData);
    if (digest === null) return null;
    if (typedData.domain?.verifyingContract !== undefined)
      return readAcceptedSignature(rpc, address, digest, signature);
    const asKey = normaliseSignature(address, signature, isErc6492Signature(signature));
    if (await verifyPlainAccount(address, digest, asKey)) return asKey;
    return (await isSpeaking(address, digest, signature)) ? signature : null;
  };
}

/** Signatures come from unknown senders, and viem throws many kinds of errors on malformed ones: all of them mean no. */
async function isSignedUndeployed(
  client: PublicClient,
  address: Address,
  hash: Hex,
  signature: Hex,
): Promise<boolean> {
  try {
    return await client.verifyHash({ address, hash, signature });
  } catch (error) {
    const explained = explainChainError(error);
    if (isErrorOf(explained, 'CHAIN_UNREACHABLE')) throw explained;
    return false;
  }
}

/** Takes only the four parts of typed data from foreign JSON. Null where they cannot be hashed. */
function hashOrNull({ domain, types, primaryType, message }: TypedDataDefinition): Hex | null {
  try {
    return hashTypedData({ domain, types, primaryType, message } as TypedDataDefinition);
  } catch {
    return null;
  }
}
