// A block header's bloom filter: says for sure that an address has no logs in the block, or that it may have some.
import { hexToBytes, keccak256 } from 'viem';
import type { Hash } from '#domain/task.ts';

const filterBytes = 256;

export function bloomMayHold(bloom: Hash, address: Hash): boolean {
  const filter = hexToBytes(bloom);
  if (filter.length !== filterBytes) return true;
  const hash = hexToBytes(keccak256(address));
  return [0, 2, 4].every((at) => {
    const bit = (((hash[at] as number) << 8) | (hash[at + 1] as number)) & 0x7ff;
    return ((filter[filterBytes - 1 - (bit >> 3)] as number) >> (bit & 7)) & 1;
  });
}
