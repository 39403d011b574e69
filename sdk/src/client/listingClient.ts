// Listings at a gateway: read and find them, publish, edit and close one's own.
import { bytesToHex, type Hex } from 'viem';
import { hashCanonical } from '../domain/canonical.ts';
import type { Market } from '../domain/market.ts';
import { buildListingTypedData } from '../domain/signedDocuments.ts';
import type { SigningPlace } from '../domain/terms.ts';
import type { Listing, ListingBody, ListingDocument, ListingList } from '../schemas/listings.ts';
import { type DocumentSigner, signDocument } from '../send/signDocument.ts';
import { gatewayRoutes } from './clientRoutes.ts';
import { type Connection, createRequest, type Signal } from './request.ts';
import { addressOf } from './session.ts';

export type ListingSearch = {
  readonly market?: Market | undefined;
  readonly tag?: string | undefined;
  readonly q?: string | undefined;
  readonly poster?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type ListingOptions = {
  /** The chain, and the registry of the listing's market. */
  readonly place: SigningPlace;
  /** That of the listing to edit; a new one unless given. */
  readonly id?: Hex;
  /** Unix seconds; now unless given. */
  readonly version?: number;
  /** Unix seconds; in 14 days unless given, 30 at most. */
  readonly expiresAt?: number;
};

export type ListingClient = ReturnType<typeof createListingClient>;

const usualSeconds = 14 * 86_400;

/** Reads and publishes listings at the gateway of `connection`. */
export function createListingClient(connection: Connection) {
  const request = createRequest(connection);
  return {
    /** One listing, also after its end. */
    get: (id: string, { signal }: Signal = {}): Promise<Listing> =>
      request(gatewayRoutes.getListing, { signal }, undefined, { params: { id } }),

    /** Live listings, newest first. */
    find: (search: ListingSearch = {}): Promise<ListingList> =>
      request(gatewayRoutes.findListings, { ...search }),

    /** Signs and publishes a listing, or a new version of one. */
    publish: async (
      wallet: DocumentSigner,
      document: ListingDocument,
      options: ListingOptions,
    ): Promise<Listing> => {
      const { id, ...body } = await signListing(wallet, document, options);
      return request(gatewayRoutes.putListing, {}, body, { params: { id } });
    },

    /** Ends a listing; `token` is that of a session of its poster. */
    close: (id: string, token: string) =>
      request(gatewayRoutes.closeListing, {}, undefined, { params: { id }, token }),
  };
}

/** The signed listing with its id. */
export async function signListing(
  wallet: DocumentSigner,
  document: ListingDocument,
  { place, id = createListingId(), version = Math.floor(Date.now() / 1_000), expiresAt }: ListingOptions,
): Promise<ListingBody & { readonly id: Hex }> {
  const poster = addressOf(wallet);
  const end = expiresAt ?? Math.min(version + usualSeconds, document.deadline - 1);
  const signed = { id, poster, document: hashCanonical(document), version, expiresAt: end };
  const signature = await signDocument(wallet, buildListingTypedData(place, signed));
  return { id, poster, document, version, expiresAt: end, signature };
}

/** 32 random bytes. */
export function createListingId(): Hex {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
}
