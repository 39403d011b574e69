// Names of wallets from a registry such as ENS or Basenames. Anyone can write any name into the reverse record of their own
// wallet, so a name counts only if it leads back to the same wallet.
import { createRpc } from '@svc/sdk/chain';
import { type Address, isSameAddress } from '@svc/sdk/domain';
import { createChainClient } from '@svc/sdk/internal/chain/chainClient';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { LRUCache } from 'lru-cache';
import { parseAbi } from 'viem';
import { namehash, normalize } from 'viem/ens';

export type NameOptions = {
  /** Of the chain that has the registry; it may be another one than the market's. */
  readonly rpcUrl: { readonly reveal: () => string };
  readonly registry: Address;
  /** The domain of reverse records, such as `addr.reverse`. */
  readonly reverse: string;
};

/** Null where there is no name, or where it is not known now. */
export type FindName = (address: Address) => Promise<string | null>;

const abi = parseAbi([
  'function resolver(bytes32 node) view returns (address)',
  'function name(bytes32 node) view returns (string)',
  'function addr(bytes32 node) view returns (address)',
]);

const timeoutMs = 10_000;
const keptMs = 600_000;
const keptAfterFailureMs = 60_000;
const maxKept = 5_000;
/** Of all readers together; more are answered without a name. */
const maxRunning = 8;
const maxNameLength = 255;

export function createNames({ rpcUrl, registry, reverse }: NameOptions): FindName {
  // Its tables are large: unpacking them must not hold up the first reader.
  normalize('a.eth');
  const client = createChainClient({
    transport: createRpc({ urls: [rpcUrl.reveal()], rounds: 1, timeoutMs }).transport,
  });
  let running = 0;
  /** Also shares a lookup that is under way. */
  const names = new LRUCache<Address, { readonly name: string | null }>({
    max: maxKept,
    ttl: keptMs,
    fetchMethod: async (address, _, { options }) => {
      running++;
      try {
        return { name: await resolve(address) };
      } catch {
        // No resolver, no record, no answer: all of these are no name.
        options.ttl = keptAfterFailureMs;
        return { name: null };
      } finally {
        running--;
      }
    },
  });

  const read = (address: Address, functionName: 'resolver' | 'name' | 'addr', name: string) =>
    client.readContract({ address, abi, functionName, args: [namehash(name)] });
  const findResolver = async (name: string) => (await read(registry, 'resolver', name)) as Address;

  /** `address` in lower case. */
  async function resolve(address: Address): Promise<string | null> {
    const record = `${address.slice(2)}.${reverse}`;
    const name = await read(await findResolver(record), 'name', record);
    if (!isProperName(name)) return null;
    const owner = await read(await findResolver(name), 'addr', name);
    return isSameAddress(owner as Address, address) ? name : null;
  }

  return async (address) => {
    const key = addressKey(address);
    if (running >= maxRunning && !names.has(key)) return null;
    return (await names.fetch(key))?.name ?? null;
  };
}

/** In the one spelling that ENS allows; others imitate known names. */
function isProperName(name: string): boolean {
  if (name.length > maxNameLength || !name.includes('.')) return false;
  try {
    return normalize(name) === name;
  } catch {
    return false;
  }
}
