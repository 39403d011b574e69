// The EIP-712 documents by which wallets publish their profiles and listings: the hash of the document and its version.
import { type Hex, zeroHash } from 'viem';
import type { Address } from './address.ts';
import type { SigningPlace } from './terms.ts';
import { buildTypedData } from './typedData.ts';

/** A version is Unix seconds; clocks differ by less. */
export const maxVersionAheadSeconds = 600;

/** The document of a withdrawn profile and of a closed listing: nothing. */
export const noDocument = zeroHash;

export type SignedProfile = {
  readonly account: Address;
  /** keccak-256 of the canonical document; `noDocument` withdraws the profile. */
  readonly document: Hex;
  readonly version: number;
};

export function buildProfileTypedData(chainId: number, { account, document, version }: SignedProfile) {
  return buildTypedData(
    { name: 'svc profile', version: '1', chainId },
    'Profile',
    { account: 'address', document: 'bytes32', version: 'uint64' },
    { account, document, version: BigInt(version) },
  );
}

export type SignedListing = {
  /** 32 bytes that the poster chooses. */
  readonly id: Hex;
  readonly poster: Address;
  /** keccak-256 of the canonical document; `noDocument` closes the listing. */
  readonly document: Hex;
  readonly version: number;
  /** Unix seconds. */
  readonly expiresAt: number;
};

/** The registry of a market is part of it, so that a listing of one market is none of the other. */
export function buildListingTypedData({ chainId, registry }: SigningPlace, listing: SignedListing) {
  return buildTypedData(
    { name: 'svc listing', version: '1', chainId, verifyingContract: registry },
    'Listing',
    { id: 'bytes32', poster: 'address', document: 'bytes32', version: 'uint64', expiresAt: 'uint64' },
    { ...listing, version: BigInt(listing.version), expiresAt: BigInt(listing.expiresAt) },
  );
}
