// The EIP-712 documents between wallets and gateways: the session, which names its gateway so that no other can use it, and
// the receipt by which a relay says that it holds a message.
import type { Hex } from 'viem';
import type { Address } from './address.ts';
import { buildTypedData } from './typedData.ts';

export type SessionDocument = {
  readonly wallet: Address;
  /** The origin of the gateway, such as https://gateway.example. */
  readonly gateway: string;
  /** 32 random bytes: each document works once. */
  readonly nonce: Hex;
  /** Unix seconds. */
  readonly validUntil: number;
};

export const maxSessionSeconds = 24 * 3_600;

/** The EIP-712 domain of everything that gateways sign and check. */
export function gatewayDomain(chainId: number) {
  return { name: 'svc gateway', version: '1', chainId } as const;
}

export function buildSessionTypedData(chainId: number, document: SessionDocument) {
  return buildTypedData(
    gatewayDomain(chainId),
    'Session',
    { wallet: 'address', gateway: 'string', nonce: 'bytes32', validUntil: 'uint64' },
    { ...document, validUntil: BigInt(document.validUntil) },
  );
}

export type SessionTypedData = ReturnType<typeof buildSessionTypedData>;

/** What an owner lets a client of the tools do. It binds one request of one client: nobody else can use the signature. */
export type GrantDocument = {
  readonly wallet: Address;
  /** The origin of the gateway. */
  readonly gateway: string;
  /** The address of the tools. */
  readonly resource: string;
  readonly client: string;
  /** Where the browser goes with the code. */
  readonly redirect: string;
  /** Separated by spaces. */
  readonly scopes: string;
  /** Unix seconds. */
  readonly validUntil: number;
  readonly codeChallenge: string;
};

export const maxGrantSeconds = 30 * 86_400;

export function buildGrantTypedData(chainId: number, document: GrantDocument) {
  const fields = {
    wallet: 'address',
    gateway: 'string',
    resource: 'string',
    client: 'string',
    redirect: 'string',
    scopes: 'string',
    validUntil: 'uint64',
    codeChallenge: 'string',
  };
  const { wallet, gateway, resource, client, redirect, scopes, validUntil, codeChallenge } = document;
  const message = {
    wallet,
    gateway,
    resource,
    client,
    redirect,
    scopes,
    validUntil: BigInt(validUntil),
    codeChallenge,
  };
  return buildTypedData(gatewayDomain(chainId), 'Grant', fields, message);
}

/** The gateway signs that it holds a message for a wallet since a moment. */
export type HeldDocument = {
  readonly hash: Hex;
  readonly to: Address;
  /** Unix seconds. */
  readonly receivedAt: number;
};

export function buildHeldTypedData(chainId: number, { hash, to, receivedAt }: HeldDocument) {
  const fields = { hash: 'bytes32', to: 'address', receivedAt: 'uint64' };
  const message = { hash, to, receivedAt: BigInt(receivedAt) };
  return buildTypedData(gatewayDomain(chainId), 'Held', fields, message);
}
