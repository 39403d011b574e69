// The arguments that actions share: text of flags or JSON, with a message for each mistake.
import type { Hex } from 'viem';
import * as z from 'zod';
import { parseAddress } from '../domain/address.ts';
import { parseTok, parseTokWei, parseUsdc } from '../domain/amount.ts';
import { SvcError } from '../domain/errors.ts';
import { markets } from '../domain/market.ts';
import { protocolConstants } from '../domain/parameters.ts';
import { parseTaskId } from '../domain/taskId.ts';
import { toShown } from '../domain/text.ts';
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
function parsed<Value>(wanted: string, parse: (text: string) => Value) {
  return word(wanted).transform((text, context) => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue(error instanceof SvcError ? error.message : `must be ${wanted}`);
      return z.NEVER;
    }
  });
}

function matching<Value>(wanted: string, shape: RegExp, read: (text: string) => Value) {
  return parsed(wanted, (text) => {
    if (!shape.test(text)) throw new RangeError(text);
    return read(text);
  });
}

export const marketArgument = z
  .enum(markets, { error: 'must be "standard" or "micro"' })
  .default('standard')
  .describe('standard or micro');

/** Where a task id names the market already. */
export const sameMarketArgument = z
  .enum(markets, { error: 'must be "standard" or "micro"' })
  .optional()
  .describe('the market of the task; may be left out');

export const addressArgument = parsed('a wallet address', parseAddress).describe('a wallet');
export const fromArgument = addressArgument.describe('the wallet that sends the calls');
export const taskArgument = parsed('a task id', parseTaskId).describe('such as v2:standard:3');

/** The arguments of every action on a task. */
export const taskAndWallet = { market: sameMarketArgument, from: fromArgument, taskId: taskArgument };

/** The arguments of every action that does not refer to a task. */
export const marketAndWallet = { market: marketArgument, from: fromArgument };

export const tokArgument = parsed('an amount', parseTok).describe('TOK, such as 1500 or 0.25');
export const tokWeiArgument = parsed('an amount', parseTokWei).describe('in wei');
/** An optional amount of TOK, for `takeTok`. */
export const amountArguments = { amountTok: tokArgument.optional(), amountTokWei: tokWeiArgument.optional() };
export const usdcArgument = parsed('an amount', parseUsdc).describe('USDC, such as 25 or 0.5');

export const hashArgument = matching(
  '0x and 64 hexadecimal digits',
  /^0x[0-9a-fA-F]{64}$/,
  (text) => text.toLowerCase() as Hex,
).describe('32 bytes in hex');

export const signatureArgument = matching(
  'a signature: 0x and hexadecimal digits',
  /^0x([0-9a-fA-F]{2}){1,4096}$/,
  (text) => text as Hex,
).describe('signature in hex');

export const bpsArgument = matching(
  'a whole number from 0 to 10000',
  /^(0|[1-9][0-9]{0,3}|10000)$/,
  Number,
).describe('the share of the worker in basis points: 0 to 10000');

export const milestoneArgument = matching('a whole number from 0 to 9', /^[0-9]$/, Number).describe(
  'index of the milestone, from 0',
);

export const deliveryArgument = matching('Unix seconds', /^[1-9][0-9]{0,11}$/, Number)
  .optional()
  .describe('deliveredAt of the delivery you have seen; the current one if left out');

export const engagementArgument = hashArgument
  .optional()
  .describe('the settlementDigest of the task as you have seen it; the current one if left out');

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

export type Milestone = { readonly amount: bigint; readonly description?: string | undefined };

const described = z
  .strictObject({
    amountTok: tokArgument.optional(),
    amountTokWei: tokWeiArgument.optional(),
    description: textArgument.optional(),
  })
  .refine(({ amountTok, amountTokWei }) => (amountTok === undefined) !== (amountTokWei === undefined), {
    error: 'give amountTok or amountTokWei',
  })
  .transform(
    ({ amountTok, amountTokWei = amountTok ?? 0n, description }): Milestone => ({
      amount: amountTokWei,
      description,
    }),
  );

const plain = tokArgument.transform((amount): Milestone => ({ amount }));

/** A field that is not known is named: without it the milestone would have another text, or none. */
function nameUnknown(issue: z.core.$ZodRawIssue): string {
  const { errors = [] } = issue as { readonly errors?: readonly (readonly z.core.$ZodIssue[])[] };
  const unknown = errors.flat().flatMap((one) => (one.code === 'unrecognized_keys' ? one.keys : []));
  if (unknown.length === 0) return 'must be amounts in TOK';
  return `there is no such field: ${unknown.map(toShown).join(', ')}; a milestone has amountTok, or amountTokWei, and description`;
}

/** The contracts refuse a list of one milestone; `readPayment` makes it an empty list. */
export const milestonesArgument = z
  .array(z.union([plain, described], { error: nameUnknown }), {
    error: 'must be a list of amounts',
  })
  .max(protocolConstants.maxMilestones, `are at most ${protocolConstants.maxMilestones}`)
  .default([])
  .describe('amounts in TOK that add up to the total, such as 300,700');

export function readPayment(
  total: bigint | undefined,
  given: readonly Milestone[],
): { readonly total: bigint | undefined; readonly milestones: readonly Milestone[] } {
  const sum = given.length === 0 ? undefined : given.reduce((all, { amount }) => all + amount, 0n);
  return { total: total ?? sum, milestones: given.length === 1 && (total ?? sum) === sum ? [] : given };
}

/** Accounts of the embedded chain, for the examples of actions. */
export const exampleWallets = {
  poster: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  worker: '0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199',
  arbitrator: '0xbDA5747bFD65F08deb54cb465eB87D40e51B197E',
  newcomer: '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
} as const;

/** camelCase of JSON, kebab-case of flags. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** A command line that a user may copy. */
export function buildCommand(action: string, args: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(args).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    if (value === true) return [flagOf(name)];
    return [flagOf(name), quote(typeof value === 'object' ? JSON.stringify(value) : String(value))];
  });
  return ['svc prepare', action, ...parts].join(' ');
}

/** For a POSIX shell. */
function quote(text: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
