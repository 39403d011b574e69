// The arguments that actions share, and how a call of one is written as a command.
import type { Hex } from 'viem';
import * as z from 'zod';
import { markets } from '../domain/market.ts';
import { parseTaskId } from '../domain/taskId.ts';
import { addressArgument, hashArgument, marketArgument, matching, parsed } from '../rules/values.ts';

/** Where a task id names the market already. */
export const sameMarketArgument = z
  .enum(markets, { error: 'must be "standard" or "micro"' })
  .optional()
  .describe('the market of the task; may be left out');

export const fromArgument = addressArgument.describe('the wallet that sends the calls');
export const taskArgument = parsed('a task id', parseTaskId).describe('such as v2:standard:3');

/** The arguments of every action on a task. */
export const taskAndWallet = { market: sameMarketArgument, from: fromArgument, taskId: taskArgument };

/** The arguments of every action that does not refer to a task. */
export const marketAndWallet = { market: marketArgument, from: fromArgument };

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
