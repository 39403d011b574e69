// A block header's bloom filter: proves that an address has no logs in the block, or that it may have some. Ours instead of
// `ethereum-bloom-filters`, which hashes the address again for every block.
import { bytesToHex, type Hex, hexToBytes, keccak256 } from 'viem';

const filterBytes = 256;

export type Bloom = Uint8Array;

/** Null where the text is no filter: some chains have none. */
export function parseBloom(text: Hex): Bloom | null {
  const bytes = hexToBytes(text);
  return bytes.length === filterBytes ? bytes : null;
}

/** `bits` are those of the address or topic. */
export function bloomMayHold(bloom: Bloom, bits: readonly number[]): boolean {
  return bits.every((bit) => ((bloom[byteOf(bit)] as number) >> (bit & 7)) & 1);
}

/** The filter that a block with exactly these logs has. */
export function buildBloom(logs: readonly { readonly address: Hex; readonly topics: readonly Hex[] }[]): Hex {
  const bloom = new Uint8Array(filterBytes);
  // Most logs share their address and topics with others, and each value costs a hash.
  const values = new Set(logs.flatMap(({ address, topics }) => [address, ...topics]));
  for (const value of values) {
    for (const bit of bloomBits(value)) {
      const at = byteOf(bit);
      bloom[at] = (bloom[at] as number) | (1 << (bit & 7));
    }
  }
  return bytesToHex(bloom);
}

/** From 0, which matches nothing, to 1, which matches everything. */
export function bloomDensity(bloom: Bloom): number {
  let set = 0;
  for (const byte of bloom) for (let rest = byte; rest > 0; rest >>= 1) set += rest & 1;
  return set / (8 * filterBytes);
}

/** The three bits that an address or a topic sets. */
export function bloomBits(value: Hex): number[] {
  const hash = hexToBytes(keccak256(value));
  return [0, 2, 4].map((at) => (((hash[at] as number) << 8) | (hash[at + 1] as number)) & 0x7ff);
}

function byteOf(bit: number): number {
  return filterBytes - 1 - (bit >> 3);
}
