// Fills what docs/operations and docs/contracts.md repeat from the contracts: the data of errors, the contract of an
// event, and the types that parties sign.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as abis from '#contracts/generated/abi.ts';
import { root } from './tools.ts';

export type Entry = {
  readonly type: string;
  readonly name?: string;
  readonly stateMutability?: string;
  readonly inputs?: readonly {
    readonly type: string;
    readonly name?: string;
    readonly internalType?: string;
  }[];
};

/** The contracts whose operations have pages, with what the column `contract` of the pages calls them. */
const contracts: readonly (readonly [name: string, short: string, abi: readonly Entry[]])[] = [
  ['TaskRegistry', 'registry', abis.taskRegistryAbi],
  ['DisputeCourt', 'court', abis.disputeCourtAbi],
  ['DepositVault', 'deposits', abis.depositVaultAbi],
  ['EscrowVault', 'escrow', abis.escrowVaultAbi],
  ['PaymentGateway', 'gateway', abis.paymentGatewayAbi],
  ['StakingVault', 'staking', abis.stakingVaultAbi],
  ['ReputationRegistry', 'reputation', abis.reputationRegistryAbi],
  ['PricingPolicy', 'policy', abis.pricingPolicyAbi],
  ['PostedPriceFeed', 'price feed', abis.postedPriceFeedAbi],
];

export const operated = Object.fromEntries(contracts.map(([name, , abi]) => [name, abi]));

const byShortName: Readonly<Record<string, readonly Entry[]>> = {
  ...Object.fromEntries(contracts.map(([, short, abi]) => [short, abi])),
  'the owned contract': abis.taskRegistryAbi,
};

/** Signatures of errors, by name. */
const errors = new Map(
  [...Object.values(operated), abis.tokTokenAbi, abis.usdOracleAbi].flatMap((abi) =>
    entriesOf(abi, 'error').map((entry) => [entry.name, spell(entry)] as const),
  ),
);

/** The pages of operations and of the contracts, filled, by path. */
export function buildOperationPages(): [string, string][] {
  const operations = globSync('docs/operations/*.md', { cwd: root }).map((path): [string, string] => [
    path,
    readPage(path).replace(/^\| `(\w+)(\([^`]*\))?` \| ([^|]*) \|/gm, fillRow),
  ]);
  return [...operations, ['docs/contracts.md', fillTypes(readPage('docs/contracts.md'))]];
}

/** A row about an error gets its data; a row about an event gets its contract, unless the named one emits it. */
function fillRow(row: string, name: string, data: string | undefined, second: string): string {
  const signature = errors.get(name);
  if (signature !== undefined) return `| \`${signature}\` | ${second} |`;
  if (data !== undefined) throw new Error(`No contract has the error ${name}.`);
  const emits = (abi: readonly Entry[] = []) => entriesOf(abi, 'event').some((entry) => entry.name === name);
  if (emits(byShortName[second])) return row;
  const contract = Object.keys(byShortName).find((short) => emits(byShortName[short]));
  return contract === undefined ? row : `| \`${name}\` | ${contract} |`;
}

function fillTypes(page: string): string {
  const types = [...readPage('contracts/src/TaskBook.sol').matchAll(/keccak256\(\s*"(\w+)(\(.*\))"/g)];
  return types.reduce(
    (text, [, name = '', fields]) => text.replace(new RegExp(`^${name}\\(.*\\)$`, 'm'), `${name}${fields}`),
    page,
  );
}

function readPage(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export function entriesOf(abi: readonly Entry[], type: string): Entry[] {
  return abi.filter((entry) => entry.type === type);
}

/** As Solidity declares it: `WrongState(uint256 taskId, State state)`. */
export function spell({ name, inputs = [] }: Entry): string {
  const typeOf = (input: { type: string; internalType?: string }) =>
    input.internalType?.startsWith('enum ') ? input.internalType.slice('enum '.length) : input.type;
  return `${name}(${inputs.map((input) => `${typeOf(input)} ${input.name}`).join(', ')})`;
}
