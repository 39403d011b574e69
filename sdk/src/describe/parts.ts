// Sentences in parts: a page shows amounts, wallets and times with its components, a mail, a tool or a command shows them as text.
import type { Hex } from 'viem';
import type { Address } from '../domain/address.ts';
import { formatDays, formatMoment, formatTok, formatUsdc } from '../domain/amount.ts';
import type { TaskId } from '../domain/taskId.ts';
import { toShown } from '../domain/text.ts';

export type Part =
  | string
  | { readonly tok: bigint }
  | { readonly usdc: bigint }
  | { readonly usd: number }
  | { readonly wallet: Address }
  /** Unix seconds. */
  | { readonly time: number }
  | { readonly seconds: number }
  | { readonly task: TaskId }
  | { readonly hash: Hex }
  /** Words of somebody else, so that no renderer can forget to mark them. */
  | { readonly foreign: string; readonly from: Address | null };

/** A sentence, or a piece of one. */
export type Says = readonly Part[];

/** A sentence from a template: each value is a part, or a piece of a sentence. */
export function say(texts: TemplateStringsArray, ...values: readonly (Part | Says)[]): Says {
  const parts = texts.flatMap((text, at): Says => {
    const value = values[at] ?? '';
    return [text, ...(Array.isArray(value) ? (value as Says) : [value as Part])];
  });
  return parts.filter((part) => part !== '');
}

/** As text, with amounts in full and times in UTC. */
export function toText(says: Says): string {
  return says.map(partToText).join('');
}

function partToText(part: Part): string {
  if (typeof part === 'string') return part;
  if ('tok' in part) return `${formatTok(part.tok)} TOK`;
  if ('usdc' in part) return `${formatUsdc(part.usdc)} USDC`;
  if ('usd' in part) return `$${part.usd.toFixed(2)}`;
  if ('wallet' in part) return part.wallet;
  if ('time' in part) return formatMoment(part.time);
  if ('seconds' in part) return formatDays(part.seconds);
  if ('task' in part) return part.task;
  if ('hash' in part) return part.hash;
  return `“${toShown(part.foreign)}”`;
}
