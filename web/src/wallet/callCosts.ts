// What a decoded call costs beside what its arguments say: the access fee, and the bond of the collateral.
import { marketParameters } from '@svc/sdk/domain';
import { showTok, showUsdc } from '#data/format.ts';
import type { DecodedCall } from './decodeCall.ts';
import type { Cost } from './plan.ts';

/** Whether a bond is locked, and what else is to be said of the charge. */
const charges: Readonly<Record<string, { readonly hasBond: boolean; readonly terms?: string }>> = {
  postTask: { hasBond: true },
  createTask: { hasBond: true, terms: 'of each of the two parties' },
  claimTask: { hasBond: true },
  leaveTask: { hasBond: false },
  dismissWorker: { hasBond: false, terms: 'unless it was paid with a notice before' },
};

export function costsOf({ functionName, site }: Pick<DecodedCall, 'functionName' | 'site'>): Cost[] {
  const charge = Object.hasOwn(charges, functionName ?? '') ? charges[functionName ?? ''] : undefined;
  if (site === null || charge === undefined) return [];
  const noteOf = (...parts: string[]) => [charge.terms, ...parts].filter(Boolean).join('; ');
  return [
    {
      what: 'Access fee',
      amount: `${showTok(site.limits.accessFeeTokWei)} TOK`,
      note: noteOf('not returned', 'Action Credits pay it where the wallet has as many'),
    },
    ...(charge.hasBond
      ? [
          {
            what: 'Bond, locked while the task runs',
            amount: `${showUsdc(marketParameters[site.market].bondUsdc)} USDC`,
            note: noteOf('of the collateral', 'comes back when the task ends well'),
          },
        ]
      : []),
  ];
}
