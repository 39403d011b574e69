// Turns the data of a revert into its name, its arguments and a sentence for people.

import {
  depositVaultAbi,
  disputeCourtAbi,
  escrowVaultAbi,
  marketLensAbi,
  multicall3Abi,
  paymentGatewayAbi,
  postedPriceFeedAbi,
  pricingPolicyAbi,
  reputationRegistryAbi,
  stakingVaultAbi,
  taskRegistryAbi,
  testUsdcAbi,
  tokTokenAbi,
  usdOracleAbi,
} from '@svc/contracts/abi';
import { type Abi, type AbiParameter, decodeErrorResult, type Hex, hexToString, isHex } from 'viem';
import { formatTok, formatUsdc } from '#domain/amount.ts';
import { disputePhases, taskStates } from '#domain/state.ts';
import { toShown } from '#domain/text.ts';
import { revertSentences } from './revertSentences.ts';

/** `name` is empty where the data belongs to no error that we know. */
export type Revert = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly sentence: string;
};

const abis: readonly Abi[] = [
  depositVaultAbi,
  disputeCourtAbi,
  escrowVaultAbi,
  marketLensAbi,
  multicall3Abi,
  paymentGatewayAbi,
  postedPriceFeedAbi,
  pricingPolicyAbi,
  reputationRegistryAbi,
  stakingVaultAbi,
  taskRegistryAbi,
  testUsdcAbi,
  tokTokenAbi,
  usdOracleAbi,
];

/** Every error that a call to one of our contracts can end in, each once. */
export const revertAbi: Abi = [
  ...new Map(
    abis
      .flat()
      .filter((entry) => entry.type === 'error')
      .map((entry) => [entry.name, entry]),
  ).values(),
];

export function decodeRevert(data: Hex): Revert {
  if (data === '0x') return { name: '', args: {}, sentence: 'The contract refused without saying why.' };
  try {
    const { errorName: name, args = [], abiItem } = decodeErrorResult({ abi: revertAbi, data });
    const inputs: readonly AbiParameter[] = abiItem.type === 'error' ? abiItem.inputs : [];
    const named = Object.fromEntries(inputs.map((input, index) => [input.name, args[index]]));
    return { name, args: named, sentence: fill(revertSentences[name] ?? name, named) };
  } catch {
    return { name: '', args: { data }, sentence: `The contract refused with unknown data ${toShown(data)}.` };
  }
}

/** Looks for revert data in whatever viem threw; undefined where the failure was none of a contract. */
export function findRevert(error: unknown): Revert | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const data = dataOf(at);
    if (data !== undefined) return decodeRevert(data);
  }
  return undefined;
}

function dataOf(error: Error): Hex | undefined {
  return parseRevertData((error as { data?: unknown }).data);
}

/** Nodes differ in where they put it: as hex, or as an object that holds the hex. */
export function parseRevertData(data: unknown): Hex | undefined {
  const inner = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data;
  return isHex(inner) ? inner : undefined;
}

function fill(sentence: string, args: Readonly<Record<string, unknown>>): string {
  return sentence.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, unit = 'plain') =>
    (printers[unit as Unit] ?? String)(args[name] as never),
  );
}

type Unit = keyof typeof printers;

const printers = {
  plain: (value: unknown) => toShown(String(value)),
  tok: formatTok,
  usdc: formatUsdc,
  time: (seconds: bigint) => {
    // A clock far beyond any calendar is printed as it is.
    const moment = new Date(Number(seconds) * 1_000);
    return Number.isNaN(moment.getTime()) ? String(seconds) : moment.toISOString().replace('.000Z', 'Z');
  },
  text: (value: Hex) => hexToString(value, { size: 32 }).replace(/[^\x20-\x7e]/g, '') || value,
  state: (index: number) => taskStates[index] ?? String(index),
  phase: (index: number) => disputePhases[index] ?? String(index),
  panic: (code: bigint) => panics[Number(code)] ?? `code ${code}`,
};

const panics: Readonly<Record<number, string>> = {
  1: 'an assertion failed',
  17: 'a sum or difference does not fit',
  18: 'a division by zero',
  33: 'a number is no member of its enumeration',
  49: 'an empty list was shortened',
  50: 'an index is out of range',
  65: 'too much memory',
};
