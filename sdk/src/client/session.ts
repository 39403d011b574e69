// Opens a session at a gateway for any viem account or wallet client.
import { type Account, bytesToHex, type Hex, type WalletClient } from 'viem';
import type { Address } from '../domain/address.ts';
import {
  buildGrantTypedData,
  buildSessionTypedData,
  type GrantDocument,
  type SessionTypedData,
} from '../domain/sessionDocument.ts';
import type { SessionBody, SessionReply } from '../schemas/sessions.ts';
import { type DocumentSigner, signDocument } from '../send/signDocument.ts';
import { gatewayRoutes } from './clientRoutes.ts';
import { type Connection, createRequest } from './request.ts';

/** A viem account that signs locally, a wallet client with an account, or any other signer of typed data. */
export type SessionWallet =
  | { readonly address: Address; readonly signTypedData: (typedData: SessionTypedData) => Promise<Hex> }
  | (Pick<WalletClient, 'request'> & { readonly account: Account });

export type SessionOptions = {
  readonly chainId: number;
  /** Unix seconds; in 12 hours unless given. */
  readonly validUntil?: number;
};

const usualSeconds = 12 * 3_600;
const nonceBytes = 32;

/** The signed document, ready to be sent to the gateway at `gateway` and to no other. */
export async function signSession(
  wallet: SessionWallet,
  gateway: string | URL,
  { chainId, validUntil = Math.floor(Date.now() / 1_000) + usualSeconds }: SessionOptions,
): Promise<SessionBody> {
  const nonce = bytesToHex(crypto.getRandomValues(new Uint8Array(nonceBytes)));
  const document = { wallet: addressOf(wallet), gateway: new URL(gateway).origin, nonce, validUntil };
  const signature = await signDocument(wallet, buildSessionTypedData(chainId, document));
  return { ...document, signature };
}

export function addressOf(wallet: DocumentSigner): Address {
  return 'account' in wallet ? wallet.account.address : wallet.address;
}

/** The owner's word that a client of the tools may do this for its wallet. */
export function signGrant(
  wallet: DocumentSigner,
  chainId: number,
  document: Omit<GrantDocument, 'wallet'>,
): Promise<Hex> {
  return signDocument(wallet, buildGrantTypedData(chainId, { wallet: addressOf(wallet), ...document }));
}

/** Throws API_REFUSED with the gateway's own message, and API_UNREACHABLE. */
export async function openSession(
  connection: Connection,
  wallet: SessionWallet,
  options: SessionOptions,
): Promise<SessionReply> {
  const body = await signSession(wallet, connection.baseUrl, options);
  return createRequest(connection)(gatewayRoutes.openSession, {}, body);
}
