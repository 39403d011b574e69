// Sentences of the SDK as text of a page, for titles and labels; `Says` shows them with components.
import { type Says, toText } from '@svc/sdk/domain';
import { showDuration, showMoment, showTok, showUsd, showUsdc } from './format.ts';

export type Part = Says[number];

export function showSays(says: Says): string {
  return says.map(showPart).join('');
}

export function showPart(part: Part): string {
  if (typeof part === 'string') return part;
  if ('tok' in part) return `${showTok(part.tok)} TOK`;
  if ('usdc' in part) return `${showUsdc(part.usdc)} USDC`;
  if ('usd' in part) return showUsd(part.usd);
  if ('wallet' in part) return part.wallet;
  if ('time' in part) return showMoment(part.time);
  if ('seconds' in part) return showDuration(part.seconds);
  if ('task' in part) return part.task;
  if ('hash' in part) return part.hash;
  return toText([part]);
}
