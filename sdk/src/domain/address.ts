// Wallet and contract addresses: accepted in any case, returned checksummed, compared in lower case.
import { getAddress } from 'viem';
import { SvcError } from './errors.ts';

export type Address = `0x${string}`;

export const zeroAddress: Address = '0x0000000000000000000000000000000000000000';

const shape = /^0x[0-9a-fA-F]{40}$/;

/** Whether it is 0x and 40 hexadecimal digits, in any case. */
export function isAddress(value: unknown): value is Address {
  return typeof value === 'string' && shape.test(value);
}

/** Returns the checksummed form. A wrong checksum is accepted, since many tools write addresses in one case. */
export function parseAddress(value: unknown): Address {
  if (!isAddress(value)) throw new SvcError('ADDRESS_MALFORMED', {});
  return getAddress(value.toLowerCase());
}

/** The form for comparison and storage. */
export function addressKey(address: Address): Address {
  return address.toLowerCase() as Address;
}

/** Compares without regard to case. */
export function isSameAddress(left: Address, right: Address): boolean {
  return addressKey(left) === addressKey(right);
}
