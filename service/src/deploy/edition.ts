// The edition of the contracts: whether those of a deployment are the ones that this build was made for.

import { codes, edition } from '@svc/contracts/code';
import { createRpc, type Deployment } from '@svc/sdk/chain';
import { type Address, markets } from '@svc/sdk/domain';
import { createChainClient } from '@svc/sdk/internal/chain/chainClient';
import { type Hex, keccak256, type PublicClient } from 'viem';
import { OperatorError } from '../errors/operatorError.ts';

type CodeName = keyof typeof codes;
const codeNames = Object.keys(codes) as CodeName[];

export const ownEdition = {
  name: edition,
  codes: Object.fromEntries(codeNames.map((name) => [name, codes[name].hash])),
} as const;

/** The contracts that have other code on the chain than in this build. Throws where the chain cannot be reached. */
export async function findOtherCode(publicClient: PublicClient, deployment: Deployment): Promise<string[]> {
  const places = listPlaces(deployment);
  const found = await Promise.all(places.map(({ address }) => publicClient.getCode({ address })));
  return places.flatMap(({ subject, name }, at) =>
    hashCode(found[at] ?? '0x', codes[name].immutables) === codes[name].hash ? [] : [subject],
  );
}

/**
 * Throws CONTRACTS_DIFFER for another edition: by the file, which needs no chain, and by the code on the chain. Returns
 * false where the chain did not answer.
 */
export async function checkEdition(publicClient: PublicClient, deployment: Deployment): Promise<boolean> {
  const named = deployment.edition;
  const differing = codeNames.filter((name) => named.codes[name] !== codes[name].hash);
  if (differing.length > 0) throw differ(named.name, differing);
  const other = await findOtherCode(publicClient, deployment).catch(() => null);
  if (other !== null && other.length > 0) throw differ(undefined, other);
  return other !== null;
}

/** As `checkEdition`, of a chain that may be away: no start waits long for it. */
export async function checkEditionAt(urls: readonly string[], deployment: Deployment): Promise<boolean> {
  const asking = createRpc({ urls, rounds: 1, timeoutMs: 5_000 });
  return checkEdition(createChainClient(asking), deployment).finally(asking.close);
}

export const notCompared = 'the code of the contracts could not be compared with this build: no RPC answers';

function differ(found: string | undefined, names: readonly string[]): OperatorError {
  const shown = names.slice(0, 3).join(', ');
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return new OperatorError('CONTRACTS_DIFFER', {
    expected: edition,
    found: found === undefined ? 'of another one' : `of edition ${found}`,
    contracts: shown + more,
  });
}

function listPlaces({ tokToken, priceFeed, usdOracle, marketLens, markets: both }: Deployment) {
  const shared = { tokToken, postedPriceFeed: priceFeed, usdOracle, marketLens } as const;
  const place = (name: string, address: Address, subject = name) => ({
    name: name as CodeName,
    address,
    subject,
  });
  return [
    ...Object.entries(shared).map(([name, address]) => place(name, address)),
    ...markets.flatMap((market) => {
      const { parameters: _, ...addresses } = both[market];
      return Object.entries(addresses).map(([name, address]) => place(name, address, `${market}.${name}`));
    }),
  ];
}

/** With zeros where the constructor wrote its immutables. */
function hashCode(code: Hex, immutables: readonly (readonly [start: number, length: number])[]): Hex {
  let masked: string = code;
  for (const [start, length] of immutables) {
    const at = 2 + 2 * start;
    masked = masked.slice(0, at) + '0'.repeat(2 * length) + masked.slice(at + 2 * length);
  }
  return keccak256(masked.length === code.length ? (masked as Hex) : code);
}
