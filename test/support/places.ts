// Rules that stand once: what only one place may do, how a file is recognised that does it, and who does it elsewhere today.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type PlaceRule = {
  /** What the place does. */
  readonly does: string;
  /** A call, or a function, that shows that a file does it. */
  readonly mark: RegExp;
  /** Folders and files that may do it. */
  readonly allowed: readonly string[];
  /** Files elsewhere that do it as well. This list only gets shorter. */
  readonly exceptions: readonly string[];
};

const root = join(import.meta.dirname, '../..');
const words = (text: string): string[] => text.trim().split(/\s+/);

/** Of functions that write sentences about a task, an offer or a request. */
const subjects = words(`
  Active Agreement Allowance Call Calls Changes Claimed Concern Conversation Dispute Draft Driven End Entry
  Escrow Events ForOwner Funding Hearing Inbox Loss Message Movement Negotiation Next Offer Own Permit
  Phase Plan Post Proposals Purchase Request Row Settlement Shortage Signature Simulation State Step Terms
  Token TooEarly Turn Usdc Work`).join('|');

export const placeRules: readonly PlaceRule[] = [
  {
    does: 'builds, signs and sends an envelope',
    mark: /(?<!function )\b(?:buildEnvelope|signEnvelope)\(/,
    allowed: ['sdk/src/messages/'],
    exceptions: [
      'sdk/src/client/matching.ts',
      'service/src/devnet/seed/privateMail.ts',
      'service/src/mcp/negotiationTools.ts',
      'service/src/mcp/sendEnvelope.ts',
      'service/src/messages/agent.ts',
      'web/src/wallet/messaging.ts',
    ],
  },
  {
    does: 'sends transactions or signs typed data',
    mark: /(?<!function )\b(?:sendTransaction|sendRawTransaction|writeContract|signTypedData|sendCallBatch)\(|method: '(?:eth_send\w+|eth_signTypedData_v4|wallet_sendCalls)'/,
    allowed: ['sdk/src/send/'],
    exceptions: [
      'sdk/src/chain/send.ts',
      'sdk/src/client/matching.ts',
      'sdk/src/client/runAction.ts',
      'sdk/src/client/session.ts',
      'service/src/claims/receipts.ts',
      'service/src/cli/negotiation.ts',
      'service/src/cli/send.ts',
      'service/src/devnet/price.ts',
      'service/src/devnet/seed/taskSteps.ts',
      'service/src/devnet/transactions.ts',
      'service/src/payments/refund.ts',
      'service/src/wallet/keyWallet.ts',
      'web/src/pages/approve/SignatureRequest.tsx',
      'web/src/wallet/batch.ts',
      'web/src/wallet/marketAccess.ts',
      'web/src/wallet/messaging.ts',
      'web/src/wallet/send.ts',
      'web/src/wallet/visitorWallet.ts',
    ],
  },
  {
    does: 'builds terms from a form',
    mark: /(?<!function )\bbuildTermsDocument\(|(?<!function )\bbuildOfferPayload\(|\bbuildTaskTerms\.build\(|prepareAction\(buildTaskTerms\b/,
    allowed: ['sdk/src/rules/'],
    exceptions: [
      'sdk/src/actions/createTask.ts',
      'sdk/src/negotiation/proposals.ts',
      'service/src/cli/sendProposal.ts',
      'service/src/devnet/seed/taskSteps.ts',
      'service/src/mcp/offer.ts',
      'service/src/mcp/prepareTools.ts',
      'web/src/pages/messages/OfferForm.tsx',
    ],
  },
  {
    does: 'writes sentences about a task, an offer or a request',
    mark: new RegExp(`\\b(?:function|const) (?:describe|explain|say)(?:${subjects})\\b`),
    allowed: ['sdk/src/describe/', 'sdk/src/actions/'],
    exceptions: [
      'sdk/src/chain/callSentences.ts',
      'sdk/src/domain/phases.ts',
      'service/src/cli/describeOffer.ts',
      'service/src/cli/inbox.ts',
      'service/src/cli/prepare.ts',
      'service/src/cli/work.ts',
      'service/src/devnet/seed/taskSteps.ts',
      'service/src/http/atomFeed.ts',
      'service/src/mcp/mailTools.ts',
      'service/src/mcp/prepareTools.ts',
      'service/src/mcp/sendEnvelope.ts',
      'service/src/mcp/sendMessage.ts',
      'service/src/payments/takePayments.ts',
      'web/src/data/boardRows.ts',
      'web/src/data/escrow.ts',
      'web/src/data/eventSentences.ts',
      'web/src/data/ownTasks.ts',
      'web/src/data/phases.ts',
      'web/src/pages/MyPage.tsx',
      'web/src/pages/approve/CallsRequest.tsx',
      'web/src/pages/messages/AgreementPanel.tsx',
      'web/src/pages/messages/conversations.ts',
      'web/src/pages/messages/offerDraft.ts',
      'web/src/wallet/PlanView.tsx',
      'web/src/wallet/RequestList.tsx',
    ],
  },
];

type Source = { readonly path: string; readonly text: string };

/** The files that do what a rule is about; comments do nothing. */
export function findPlaces({ mark }: PlaceRule, sources: readonly Source[] = loadSources()): string[] {
  return sources.filter(({ text }) => mark.test(withoutComments(text))).map(({ path }) => path);
}

export function isAllowed({ allowed }: PlaceRule, path: string): boolean {
  return allowed.some((place) => path.startsWith(place));
}

/** Hand-written production code of the packages. */
export function loadSources(): Source[] {
  return globSync('{sdk,service,web}/src/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.startsWith('// Generated by '));
}

export function withoutComments(text: string): string {
  return text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
}
