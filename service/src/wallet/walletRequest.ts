// Turns what was prepared into what a wallet is asked for.

import type { PreparedCalls, PreparedSignature } from '@svc/sdk/actions';
import type { CreateRequest } from '@svc/sdk/schemas';

const maxSummaryLength = 500;

export function buildWalletRequest(prepared: PreparedCalls | PreparedSignature): CreateRequest {
  const { action, from } = prepared;
  const head = { action, from, chainId: 8_453 } as const;
  if (prepared.kind === 'signature') {
    return { ...head, kind: 'signature', summary: shorten(prepared.summary), typedData: prepared.typedData };
  }
  const { calls, steps, simulation } = prepared;
  const { gas = null, gasCostWei = null } = simulation.status === 'success' ? simulation : {};
  // Allowances come first; the last step is what it is all about.
  const summary = shorten(steps.at(-1)?.summary ?? action);
  return {
    ...head,
    kind: 'calls',
    summary,
    calls: [...calls],
    steps: [...steps],
    ...(gas !== null && { estimatedGas: gas }),
    ...(gasCostWei !== null && { estimatedGasCostWei: gasCostWei }),
  };
}

function shorten(text: string): string {
  return text.length <= maxSummaryLength ? text : `${text.slice(0, maxSummaryLength - 1)}…`;
}
