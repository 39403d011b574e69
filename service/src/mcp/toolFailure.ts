// A failure of a tool in words, with what to do next: the one place where errors become answers.

import type { CallToolResult } from '@modelcontextprotocol/server';
import { SvcError } from '@svc/sdk/domain';
import { isErrorCode } from '@svc/sdk/internal/domain/errors';
import type { AnyCode } from '../errors/operatorError.ts';

/** What repairs a failure: a call that is ready to be made, or a sentence where no call does. */
export type ToolFix = { readonly tool: string; readonly arguments: Record<string, unknown> } | string;

type Details = Readonly<Record<string, unknown>>;

const again = 'Try again in a moment.';
const correct = 'Correct what is named, and call again with the other arguments unchanged.';
const openInbox = 'svc_inbox lists the conversations of the wallet, each with its root.';
const market = 'Is the market running? `npm start` starts one; SVC_SITE_URL says where it is.';

/** By the code of the error, or of the refusal that a site or gateway answered. An error may bring a better one in `fix`. */
const fixes: Partial<Record<AnyCode, ToolFix>> = {
  ACTION_UNKNOWN: 'Call svc_prepare with one of the names in the message.',
  API_UNREACHABLE: market,
  ARGUMENTS_INVALID: correct,
  CHAIN_UNREACHABLE: 'Reads through the API may still work; try again in a moment.',
  ENVELOPE_INVALID: correct,
  FILE_NOT_FOUND:
    'svc_get_task with the taskId lists the files of a task under artifacts; give taskId and name, or sha256 or sealed.sha256.',
  FILE_UNUSABLE: 'Give a path below the folder in which the tools run.',
  INTERNAL: again,
  MARKET_MISMATCH: 'Leave out market: the task id names it.',
  MARKET_NOT_FOUND: market,
  NEGOTIATION_CLOSED: openInbox,
  NEGOTIATION_NOT_FOUND: openInbox,
  NOT_READY: again,
  NOT_READY_TO_ACT: { tool: 'svc_onboarding_checklist', arguments: {} },
  OFFER_CHANGED: 'svc_inbox with root shows the offer that is open now.',
  PLACE_TAKEN:
    'svc_inbox with root shows the message that is there; answer that one. If it stays so, begin a new conversation: to in place of root.',
  POLICY_DRY_RUN: 'Only the owner changes the policy; svc_prepare with wallet none builds without signing.',
  POLICY_REFUSED: 'Only the owner changes the policy; svc_prepare with wallet local asks the owner instead.',
  RATE_LIMITED: again,
  TASK_NOT_FOUND: { tool: 'svc_list_recent_tasks', arguments: {} },
  TERMS_INVALID: 'Build them again with svc_build_task_terms, and do not sign these.',
  TOOLS_WITHOUT_SESSION: 'Run svc mcp on your machine, and make the same call there.',
  WALLET_OTHER: 'Leave out from, or give the address that the message names.',
  WALLET_REQUEST_NOT_FOUND:
    'Take requestId from the answer that asked for the signature. If that is lost, make the call again that made the request.',
  WALLET_UNREACHABLE: 'svc_prepare with wallet none builds the calls without a wallet.',
};

export function answerFailure(error: unknown): CallToolResult {
  const { code, details, message } = error instanceof SvcError ? error : new SvcError('INTERNAL', {});
  const fix = findFix(code, details);
  const words = typeof fix === 'string' ? fix : `${fix.tool} ${JSON.stringify(fix.arguments)}`;
  const advice = typeof fix === 'string' ? fix : `Call ${words}`;
  const said = message.trimEnd();
  // A list of mistakes ends with its last line.
  const text = said.includes('\n')
    ? `${said}\n${advice}`
    : `${said.replace(/[^.?!:\]}>]$/, '$&.')} ${advice}`;
  return {
    isError: true,
    content: [{ type: 'text', text: message.includes(words) ? message : text }],
    structuredContent: { code, error: message, fix },
  };
}

function findFix(code: AnyCode, details: Details): ToolFix {
  if (details.fix !== undefined) return details.fix as ToolFix;
  const refusal = String(details.code ?? '');
  const known = isErrorCode(refusal) ? fixes[refusal] : undefined;
  if (code !== 'API_REFUSED') return fixes[code] ?? 'Do what the message says, then call again.';
  if (known !== undefined) return known;
  return Number(details.status) >= 500 || Number(details.status) === 429 ? again : correct;
}
