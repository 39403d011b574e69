// Agreed tasks: building their terms, signing them, and creating the task with the other party's signature.
import type { Hex } from 'viem';
import * as z from 'zod';
import { encodeCall } from '../chain/encodeCall.ts';
import { buildDocument } from '../documents/buildDocument.ts';
import { type Address, isSameAddress } from '../domain/address.ts';
import { formatTok } from '../domain/amount.ts';
import { maxDocumentUriBytes } from '../domain/document.ts';
import { indexOf, scopes } from '../domain/state.ts';
import { findAcceptanceMistake } from '../domain/terms.ts';
import { toLine } from '../rules/mistakes.ts';
import { buildGivenOffer, findOfferMistakes, offerSchema } from '../rules/offer.ts';
import {
  buildAgreementTypedData,
  findDocumentMistake,
  findTermsMistake,
  hashTermsDocument,
  isMadeFor,
  type TaskDocument,
  toContractTerms,
} from '../rules/terms.ts';
import {
  flagArgument,
  hashArgument,
  refuse,
  takeTok,
  textArgument,
  tokArgument,
  tokWeiArgument,
} from '../rules/values.ts';
import { mustBe, taskDocumentSchema } from '../schemas/documents.ts';
import type { TermsDocument } from '../schemas/terms.ts';
import {
  type ActionContext,
  defineDocument,
  defineWalletAction,
  defineWrite,
  toJsonTypedData,
  type WriteContext,
} from './action.ts';
import { exampleWallets, fromArgument, signatureArgument } from './arguments.ts';
import { warnOfQuota } from './buyPlan.ts';
import { purchaseArguments } from './buyTok.ts';
import { entryCosts, paysWithCredits, warnOfDispute } from './costs.ts';
import { readWorkFacts } from './postTask.ts';

const { poster, worker } = exampleWallets;

export const buildTaskTerms = defineDocument({
  name: 'build-task-terms',
  title: 'Build terms',
  summary: 'build the terms of a task between two wallets, and what both sign',
  input: offerSchema,
  example: {
    poster,
    worker,
    title: 'Translate a manual',
    criteria: 'Every page is there, and no sentence is left out.',
    totalAmountTok: '1500',
    deadline: '+7d',
  },
  check: async (args, context, wrong) =>
    findOfferMistakes(args, await readWorkFacts(args, context), wrong).map(toLine),
  build: async (args, context) => {
    const { chainId, contracts } = context;
    const place = { chainId, registry: contracts.taskRegistry };
    const negotiationId = args.negotiationId ?? crypto.randomUUID();
    const facts = await readWorkFacts(args, context);
    const built = buildGivenOffer('build-task-terms', { ...args, negotiationId }, place, facts);
    const { terms, document, settlementDigest } = built;
    return {
      terms,
      typedData: toJsonTypedData(buildAgreementTypedData(terms)),
      settlementDigest,
      criteriaHash: terms.criteriaHash,
      milestonesHash: terms.milestonesHash,
      document,
      uri: args.scope === 'private' || document === null ? '' : (inlineUriOf(document) ?? ''),
      negotiationId,
    };
  },
});

/** A party's own transaction is its consent. */
const noSignature: Hex = '0x';
const name = 'create-task';

const createInput = z.strictObject({
  from: fromArgument.describe('the poster or the worker of the terms'),
  terms: z
    .looseObject({}, mustBe('a JSON object'))
    .describe('what build-task-terms answered, or the agreement of svc inbox: with document, or terms alone'),
  posterSignature: signatureArgument.optional().describe('of the poster; not needed when it sends'),
  workerSignature: signatureArgument.optional().describe('of the worker; not needed when it sends'),
  uri: textArgument.max(8_192, 'is too long').optional().describe('where the texts are; the poster may'),
  fundNowTok: tokArgument.optional().describe('TOK into escrow at once; the poster may'),
  fundNowTokWei: tokWeiArgument.optional(),
  ...purchaseArguments,
  sign: flagArgument.describe('sign the terms; svc inbox shows whether a supervisor has vetoed them'),
});

export const createTask = defineWrite(createInput, {
  name,
  title: 'Create an agreed task',
  summary: 'create a task that both parties agreed on; with --sign, sign its terms instead',
  effect: 'The task begins as claimed, under the terms that both parties signed.',
  by: ['poster', 'worker'],
  costs: (facts) => entryCosts(facts, { payer: 'each party' }),
  risk: () => 'The fees of both are not returned. From here on each party can lose its bond to the other.',
  undo: 'Before work starts the worker may leave and the poster may dismiss, each for the access fee. A signature can be taken back only before the task is created.',
  becomes: () => 'CLAIMED',
  next:
    'The poster funds what is missing and starts the work within a day. After that day an unfunded task can be ended; a ' +
    'funded one the worker may start for one more day, or its record shows that it left.',
  calls: ['TaskRegistry.createTask'],
  example: {
    terms: '@terms.json',
    workerSignature: `0x${'1b'.repeat(65)}`,
    fundNowTok: '1500',
    from: poster,
  },
  build: async (args, context: WriteContext) => {
    const { from, contracts } = context;
    const { document, uri: builtUri } = readTerms(args.terms);
    checkPlace(document, context);
    const { terms } = toContractTerms(document);
    const side = isSameAddress(terms.poster, from) ? 'poster' : 'worker';
    if (!isSameAddress(terms[side], from)) refuse(name, 'from: is neither poster nor worker of the terms');
    const settlementDigest = hashTermsDocument(document);
    if (args.sign) {
      if (args.fromUsdc) refuse(name, 'fromUsdc: goes without sign, which pays nothing');
      const end = findAcceptanceMistake(document.acceptBy, await context.reads.readNow());
      if (end !== null) refuse(name, `terms: the end of their signatures, acceptBy, ${end}`);
      const typedData = toJsonTypedData(buildAgreementTypedData(document));
      const summary = `Agree to the terms of a task of ${formatTok(terms.totalAmount)} TOK, as its ${side}`;
      return { typedData, summary, result: { settlementDigest } };
    }
    const other = side === 'poster' ? 'worker' : 'poster';
    const signature = args[`${other}Signature`];
    if (signature === undefined)
      refuse(name, `${other}Signature: is required; the ${other} makes it with --sign`);
    const mayTell = side === 'poster' && terms.scope === 'open';
    if (!mayTell && args.uri) refuse(name, 'uri: only the poster of an open task may give one');
    const fundNowTokWei = takeTok(name, args, 'fundNow') ?? 0n;
    if (side === 'worker' && fundNowTokWei > 0n) refuse(name, 'fundNowTok: only the poster funds the task');
    const [quota, unready, normal] = await Promise.all([
      warnOfQuota(context, terms.poster),
      warnOfOther(context, terms[other], other),
      context.reads.readSignature(terms[other], settlementDigest, signature),
    ]);
    // One that the contracts refuse is sent as it is: the trial run reports why.
    const sent = normal ?? signature;
    const milestones = document.milestones.map(({ amountTokWei }) => BigInt(amountTokWei));
    const amounts = milestones.length === 0 ? [terms.totalAmount] : milestones;
    const call = [
      { ...terms, scope: indexOf(scopes, terms.scope) },
      milestones,
      other === 'poster' ? sent : noSignature,
      other === 'worker' ? sent : noSignature,
      mayTell ? (args.uri ?? builtUri) : '',
      fundNowTokWei,
    ] as const;
    return {
      encoded: encodeCall(contracts, 'TaskRegistry', 'createTask', call),
      engages: [from, terms[other]],
      warnings: [...quota, ...unready, warnOfDispute(side, amounts)],
      result: { settlementDigest },
    };
  },
});

export const revokeTerms = defineWalletAction({
  name: 'revoke-terms',
  title: 'Take your signature back',
  summary: 'take back your word on signed terms that have not become a task',
  effect: 'No task can be created from these terms any more, by anyone.',
  by: ['poster', 'worker'],
  risk: () => 'A task that was created before is not affected.',
  undo: 'It cannot be undone; sign other terms instead.',
  next: 'Agree on other terms, or do nothing.',
  calls: ['TaskRegistry.revokeTerms'],
  input: { settlementDigest: hashArgument.describe('the digest of the signed terms') },
  example: { settlementDigest: `0x${'5d'.repeat(32)}`, from: worker },
  build: async ({ settlementDigest }, { contracts }) => ({
    encoded: encodeCall(contracts, 'TaskRegistry', 'revokeTerms', [settlementDigest]),
    result: { settlementDigest },
  }),
});

/** Takes the terms alone, or the whole reply that built them. */
function readTerms(given: Record<string, unknown>): { document: TermsDocument; uri: string } {
  const inner = given.terms ?? given;
  const digest = hashArgument.safeParse(given.settlementDigest).data;
  const mistake = findTermsMistake(inner, digest);
  if (mistake !== null) refuse(name, mistake);
  return { document: inner as TermsDocument, uri: readAgreedUri(inner as TermsDocument, given) };
}

/** The agreed document goes on chain with an open task, so that all can read what was agreed. */
function readAgreedUri(terms: TermsDocument, { document, uri }: Record<string, unknown>): string {
  if (document === undefined || document === null)
    return typeof uri === 'string' && uri.length <= maxDocumentUriBytes ? uri : '';
  const parsed = taskDocumentSchema.safeParse(document);
  const mistake = parsed.success
    ? findDocumentMistake(terms, parsed.data)
    : 'The document is no svc-task-v1 document.';
  if (mistake !== null) refuse(name, mistake);
  if (terms.scope === 'private') return '';
  return inlineUriOf(parsed.data as TaskDocument) ?? '';
}

/** Null for a document that is too large for the chain. */
function inlineUriOf({ schema, ...words }: TaskDocument): string | null {
  return buildDocument(schema, words).uri;
}

/** The contracts are those of the market that the terms name. */
function checkPlace(document: TermsDocument, { contracts, chainId }: ActionContext): void {
  const place = { chainId, registry: contracts.taskRegistry };
  if (!isMadeFor(document, place)) refuse(name, 'terms: are for another chain or another registry');
}

/** Both parties pay and lock at once, but only one of them prepares this. */
async function warnOfOther(context: ActionContext, other: Address, side: string): Promise<string[]> {
  const { market, reads } = context;
  const [wallet, figures] = await Promise.all([reads.readWallet(market, other), reads.readFigures(market)]);
  const fee = paysWithCredits(wallet, figures) ? 0n : figures.accessFeeTokWei;
  const missing = [
    wallet.deposit.canEngage || 'has too little collateral (top-up)',
    wallet.tokWei >= fee || 'has too little TOK for its access fee',
    wallet.allowances.tokRouter >= fee || 'has not approved its access fee (approve-tok-router)',
  ].filter((part) => part !== true);
  return missing.map((part) => `The ${side} ${other} ${part}.`);
}
