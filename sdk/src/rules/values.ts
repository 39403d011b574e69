// Single values as people and programs write them, text of flags or JSON, with a message for each mistake.
import type { Hex } from 'viem';
import * as z from 'zod';
import { parseAddress } from '../domain/address.ts';
import { parseTok, parseTokWei, parseUsd, parseUsdc } from '../domain/amount.ts';
import { SvcError } from '../domain/errors.ts';
import { markets } from '../domain/market.ts';
import { artifactSchema, mustBe } from '../schemas/documents.ts';

/** Throws ARGUMENTS_INVALID with one line for each mistake. */
export function refuse(action: string, ...mistakes: readonly string[]): never {
  const list = mistakes.map((mistake) => `  ${mistake}`).join('\n');
  throw new SvcError('ARGUMENTS_INVALID', { action, mistakes: list });
}

/** Text of a flag, or a number that JSON may hold instead. */
const word = (wanted: string) =>
  z
    .union([z.string(), z.number()], mustBe(wanted))
    .refine(isExact, 'must be a text, so that no digit is lost')
    .transform((value) => String(value).trim());

/** False where the JSON may have had more digits than a number keeps. */
function isExact(value: string | number): boolean {
  if (typeof value === 'string') return true;
  if (Number.isInteger(value)) return Number.isSafeInteger(value);
  return String(value).replace(/^-?[0.]*|[.]/g, '').length <= 15;
}

/** A parser of the domain as a step of a schema; its error message becomes the mistake. */
export function parsed<Value>(wanted: string, parse: (text: string) => Value) {
  return word(wanted).transform((text, context) => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue(error instanceof SvcError ? error.message : `must be ${wanted}`);
      return z.NEVER;
    }
  });
}

export function matching<Value>(wanted: string, shape: RegExp, read: (text: string) => Value) {
  return parsed(wanted, (text) => {
    if (!shape.test(text)) throw new RangeError(text);
    return read(text);
  });
}

export const marketArgument = z
  .enum(markets, { error: 'must be "standard" or "micro"' })
  .default('standard')
  .describe('standard or micro');

export const addressArgument = parsed('a wallet address', parseAddress).describe('a wallet');
export const tokArgument = parsed('an amount', parseTok).describe('TOK, such as 1500 or 0.25');
export const tokWeiArgument = parsed('an amount', parseTokWei).describe('in wei');
/** An optional amount of TOK, for `takeTok`. */
export const amountArguments = { amountTok: tokArgument.optional(), amountTokWei: tokWeiArgument.optional() };
export const usdArgument = parsed('an amount', parseUsd).describe('dollars, such as 150 or 0.25');
export const usdcArgument = parsed('an amount', parseUsdc).describe('USDC, such as 25 or 0.5');

export const hashArgument = matching(
  '0x and 64 hexadecimal digits',
  /^0x[0-9a-fA-F]{64}$/,
  (text) => text.toLowerCase() as Hex,
).describe('32 bytes in hex');

const seconds = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

function parseDuration(text: string): number {
  const [, count = '', unit = 's'] = /^([1-9][0-9]{0,9})([smhd])?$/.exec(text) ?? [];
  const total = Number(count) * seconds[unit as keyof typeof seconds];
  if (count === '' || total > 2 ** 32 - 1) throw new RangeError(text);
  return total;
}

export const durationArgument = parsed('seconds, or such as 90m, 12h or 3d', parseDuration).describe(
  'seconds, or such as 12h or 3d',
);

/** Unix seconds, given the chain's time: a fixed moment, or a span from now on. */
export type Moment = (now: number) => number;

/** Whether it depends on the chain's time. */
export function isMoving(moment: Moment): boolean {
  return moment(0) !== moment(1);
}

export const momentArgument = parsed(
  'Unix seconds, a date such as 2027-01-31T12:00Z, or such as +7d',
  (text): Moment => {
    if (text.startsWith('+')) {
      const span = parseDuration(text.slice(1));
      return (now) => now + span;
    }
    const at = /^[1-9][0-9]{0,11}$/.test(text) ? Number(text) : parseDate(text);
    return () => at;
  },
).describe('Unix seconds, a date such as 2027-01-31T12:00Z, or such as +7d');

/** The hour and the zone are required, so that every machine reads the same moment. */
function parseDate(text: string): number {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (!Number.isFinite(at) || at <= 0) throw new RangeError(text);
  return Math.floor(at / 1_000);
}

export const textArgument = z
  .string(mustBe('a text'))
  .max(100_000, 'is too long')
  .refine((text) => text.isWellFormed(), 'must be whole characters');

export const flagArgument = z.boolean({ error: 'must be true or false' }).default(false);

type Amounts = Readonly<Record<string, unknown>>;

/** An amount that is given in TOK or in wei, but not in both. */
export function takeTok(action: string, args: Amounts, name: string): bigint | undefined {
  const inTok = args[`${name}Tok`] as bigint | undefined;
  const inWei = args[`${name}TokWei`] as bigint | undefined;
  if (inTok !== undefined && inWei !== undefined)
    refuse(action, `${name}Tok: give it or ${name}TokWei, not both`);
  return inTok ?? inWei;
}

export const artifactsArgument = z
  .array(artifactSchema, { error: 'must be a list' })
  .max(100, 'are at most 100')
  .default([])
  .describe('files of the work; as a flag: --file <path>, once for each');
