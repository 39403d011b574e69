// The arguments of calls and the fields of typed data as people read them: amounts, dates, names and what a hash is of.
import { disputePhases, formatTaskId, type Market, milestoneNumber, taskStates } from '@svc/sdk/domain';
import { scopes } from '@svc/sdk/internal/domain/state';
import { toPlain } from '@svc/sdk/internal/domain/text';
import { hexToString } from 'viem';
import { showExactDuration, showMoment, showTok, showUsdc } from '../data/format.ts';

export type Argument = {
  readonly name: string;
  /** In words. */
  readonly value: string;
  /** The address, hash or signature that the words stand for. */
  readonly hex?: string;
  /** Of an amount in TOK: the page adds what it is in USD. */
  readonly wei?: bigint;
  readonly taskId?: string;
};

export type ArgumentContext = {
  /** The name of an address, if it has one. */
  readonly nameOf: (address: string) => string | undefined;
  readonly unit: 'TOK' | 'USDC';
  /** Tasks of which market; null for typed data, which names no task. */
  readonly market: Market | null;
};

const amounts = /^(value|amount|totalAmount|fundNow|milestones|maxPay|minHeld|held|amountOut)$/;
/** Above any supply: such an allowance is unlimited. */
const unlimited = 2n ** 128n;
const times = /^(deadline|newDeadline|deliveredAt|acceptBy|validUntil)$/;
const durations = /^reviewPeriod$/;
const nothing = /^0x0*$/;

/** What the contracts know only by its hash, or as bytes. */
const meanings: Readonly<Record<string, string>> = {
  criteriaHash: 'fingerprint of the acceptance criteria',
  milestonesHash: 'fingerprint of the milestones',
  proofHash: 'fingerprint of the delivery',
  evidenceHash: 'fingerprint of the evidence',
  reasonHash: 'fingerprint of the reasons',
  digest: 'fingerprint of the terms',
  expectedDigest: 'fingerprint of the terms',
  settlementDigest: 'fingerprint of the terms',
  salt: 'random number that makes these terms unique',
  posterSig: 'the poster’s signature',
  workerSig: 'the worker’s signature',
  signature: 'signature',
};

export function readArgument(context: ArgumentContext, name: string, value: unknown): Argument {
  if (Array.isArray(value))
    return joinParts(
      name,
      value.map((part) => readArgument(context, name, part)),
    );
  if (typeof value === 'bigint') return readNumber(context, name, value);
  const text = String(value);
  if (/^0x[0-9a-fA-F]*$/.test(text)) return readBytes(context, name, text);
  return { name, value: readSmallNumber(name, value) ?? toPlain(text) };
}

function joinParts(name: string, parts: readonly Argument[]): Argument {
  const value = parts.map((part) => part.value).join(', ') || 'none';
  const hasWei = parts.length > 0 && parts.every(({ wei }) => wei !== undefined);
  return { name, value, ...(hasWei && { wei: parts.reduce((sum, { wei = 0n }) => sum + wei, 0n) }) };
}

function readNumber({ unit, market }: ArgumentContext, name: string, value: bigint): Argument {
  if (name === 'amountInMaximum') return { name, value: `${showUsdc(value)} USDC` };
  if (amounts.test(name)) {
    if (value >= unlimited) return { name, value: `any amount of ${unit}` };
    return unit === 'TOK'
      ? { name, value: `${showTok(value)} TOK`, wei: value }
      : { name, value: `${showUsdc(value)} USDC` };
  }
  if (times.test(name)) return { name, value: showMoment(Number(value)) };
  if (name === 'taskId' && market !== null)
    return { name, value: String(value), taskId: formatTaskId({ market, number: value }) };
  return { name, value: readSmallNumber(name, value) ?? String(value) };
}

/** Fields of few bits: the decoder makes numbers of them, JSON texts. */
function readSmallNumber(name: string, value: unknown): string | null {
  const number = Number(value);
  if (durations.test(name)) return showExactDuration(number);
  if (name === 'milestone') return String(milestoneNumber(number));
  if (name === 'workerBps') return `${number / 100} %`;
  if (name === 'scope') return scopes[number] ?? null;
  if (/^(state|expectedState)$/.test(name)) return taskStates[number] ?? null;
  if (/^(phase|expectedPhase)$/.test(name)) return disputePhases[number] ?? null;
  return null;
}

function readBytes({ nameOf }: ArgumentContext, name: string, hex: string): Argument {
  const meaning = meanings[name];
  if (meaning !== undefined)
    return nothing.test(hex) ? { name, value: 'none' } : { name, value: meaning, hex };
  // The name of a plan, as text in 32 bytes.
  if (name === 'tier') return { name, value: toPlain(hexToString(hex as `0x${string}`, { size: 32 })) };
  const known = hex.length === 42 ? nameOf(hex) : undefined;
  return { name, value: known ?? hex, hex };
}
