// Profiles at a gateway: read and find them, and publish the one of a wallet.
import type { Address } from '../domain/address.ts';
import { hashCanonical } from '../domain/canonical.ts';
import { buildProfileTypedData } from '../domain/signedDocuments.ts';
import type {
  ProfileBody,
  ProfileDocument,
  ProfileList,
  ProfileReply,
  ShownProfile,
} from '../schemas/profiles.ts';
import { type DocumentSigner, signDocument } from '../send/signDocument.ts';
import { gatewayRoutes } from './clientRoutes.ts';
import { type Connection, createRequest, type Signal } from './request.ts';
import { addressOf } from './session.ts';

export type ProfileSearch = {
  readonly skill?: string | undefined;
  readonly q?: string | undefined;
  readonly kind?: ProfileDocument['kind'] | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type ProfileClient = ReturnType<typeof createProfileClient>;

/** Reads and publishes profiles at the gateway of `connection`. */
export function createProfileClient(connection: Connection) {
  const request = createRequest(connection);
  return {
    /** What a wallet says about itself, and its records on both markets. */
    get: (address: string, { signal }: Signal = {}): Promise<ProfileReply> =>
      request(gatewayRoutes.getProfile, { signal }, undefined, { params: { address } }),

    /** The best record as worker first. */
    find: (search: ProfileSearch = {}): Promise<ProfileList> =>
      request(gatewayRoutes.findProfiles, { ...search }),

    /** Names that wallets gave themselves, at most 50 wallets at once. */
    names: (addresses: readonly string[], { signal }: Signal = {}) =>
      request(gatewayRoutes.walletNames, { addresses: addresses.join(), signal }),

    /** Signs and publishes; `version` is now unless given. */
    publish: async (
      wallet: DocumentSigner,
      document: ProfileDocument,
      options: { readonly chainId: number; readonly version?: number },
    ): Promise<ShownProfile> => {
      const body = await signProfile(wallet, document, options);
      return request(gatewayRoutes.putProfile, {}, body, { params: { address: addressOf(wallet) } });
    },

    /** Removes the document; `token` is that of a session of the wallet. */
    withdraw: (address: Address, token: string) =>
      request(gatewayRoutes.deleteProfile, {}, undefined, { params: { address }, token }),
  };
}

/** The signed document, ready for any gateway of this chain. */
export async function signProfile(
  wallet: DocumentSigner,
  document: ProfileDocument,
  {
    chainId,
    version = Math.floor(Date.now() / 1_000),
  }: { readonly chainId: number; readonly version?: number },
): Promise<ProfileBody> {
  const account = addressOf(wallet);
  const typedData = buildProfileTypedData(chainId, { account, document: hashCanonical(document), version });
  return { document, version, signature: await signDocument(wallet, typedData) };
}
