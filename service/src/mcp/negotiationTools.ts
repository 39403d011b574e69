// The tools that negotiate: an offer ready to be signed and sent, what both parties sign, and whether a digest is true.

import { taskDocumentSchema } from '@svc/sdk/documents';
import { type Address, isSameAddress, parseAddress, SvcError } from '@svc/sdk/domain';
import { toJsonTypedData } from '@svc/sdk/internal/actions/action';
import {
  buildAgreementTypedData,
  findMarketMistake,
  findTermsMistake,
  type Registries,
  requireAcceptable,
} from '@svc/sdk/internal/rules/terms';
import { addressSchema, hashSchema } from '@svc/sdk/internal/schemas/primitives';
import {
  draftEnvelope,
  envelopeSchema,
  type Head,
  hashTermsDocument,
  noHead,
  readNegotiation,
  type TermsDocument,
  termsSchema,
} from '@svc/sdk/negotiation';
import * as z from 'zod';
import { asJsonText, readJsonText } from './publishedSchema.ts';
import {
  addressArgument,
  defineTool,
  type Tool,
  type ToolContext,
  taskIdArgument,
  typedDataSchema,
} from './tool.ts';
import { findTranscript } from './toolMail.ts';

const termsArgument = z.preprocess(readJsonText, termsSchema);
const published = { terms: asJsonText('JSON text of the terms, as svc_build_task_terms answers them') };

export const negotiationTools: readonly Tool[] = [
  defineTool({
    name: 'svc_build_xmtp_proposal',
    title: 'Offer terms',
    description:
      'Builds a TaskProposal (or TaskCounterOffer) envelope around terms: unsigned, with the typed data its sender signs. ' +
      'Sends nothing: for a transport of your own. svc_send_message signs and sends over the gateway.',
    input: z.object({
      terms: termsArgument,
      document: z.preprocess(readJsonText, taskDocumentSchema),
      negotiationId: z.uuid().describe('The negotiation that the salt of the terms was made for.'),
      sender: addressArgument.describe('The wallet that offers: poster or worker of the terms.'),
      xmtpPublicKey: z
        .string()
        .min(1)
        .max(512)
        .describe('The installation id of the sender, or its address on local transport.'),
      counter: z.boolean().default(false).describe('True for a TaskCounterOffer.'),
      sequence: z
        .int()
        .min(0)
        .default(0)
        .describe('Sequence of the last envelope of the negotiation; 0 for none.'),
      previousHash: hashSchema.default(noHead.hash).describe('Hash of the last envelope; zeros for none.'),
      rationale: z.string().max(4_000).optional().describe('Why these terms, for the other side.'),
    }),
    published: { ...published, document: asJsonText('JSON text of the words, answered with the terms') },
    output: z.object({
      envelope: envelopeSchema,
      hash: hashSchema,
      typedData: typedDataSchema,
      settlementDigest: hashSchema,
      next: z.string(),
    }),
    run: async (
      { terms, document, sender, counter, sequence, previousHash, ...input },
      { now: readChainTime, connectPrepare },
    ) => {
      const settlementDigest = digestOf(terms, await connectPrepare());
      const head: Head = { sequence, hash: previousHash as `0x${string}` };
      checkOffer(terms, sender, head);
      requireAcceptable(terms.acceptBy, await readChainTime());
      // Not the chain's clock: readers compare with their own.
      const now = new Date();
      const { envelope, hash, ...signs } = draftEnvelope(
        {
          type: counter ? 'TaskCounterOffer' : 'TaskProposal',
          negotiationId: input.negotiationId,
          sender: { evmAddress: sender, xmtpPublicKey: input.xmtpPublicKey },
          payload: {
            terms,
            document,
            settlementDigest,
            expiresAt: terms.acceptBy,
            ...(input.rationale !== undefined && { rationale: input.rationale }),
          },
        },
        head,
        now,
      );
      const typedData = typedDataSchema.parse(toJsonTypedData(signs.typedData));
      const next =
        'Let the sender sign typedData (EIP-712), then send {envelope, hash, signature} to the other party.';
      return { envelope, hash, typedData, settlementDigest, next };
    },
  }),
  defineTool({
    name: 'svc_build_xmtp_acceptance_template',
    title: 'Accept terms',
    description:
      'What both parties sign to agree on terms: the EIP-712 typed data, its digest, and the payload of a TaskAcceptance. ' +
      'Signing binds: check svc_inbox first; this tool does not see a supervisor’s veto.',
    input: z.object({
      terms: termsArgument,
      offerHash: hashSchema.describe(
        'Hash of the envelope with the offer, from svc_inbox or svc_build_xmtp_proposal.',
      ),
    }),
    published,
    output: z.object({
      settlementDigest: hashSchema,
      typedData: typedDataSchema,
      signers: z.object({ poster: addressSchema, worker: addressSchema }),
      payload: z.object({
        offerHash: hashSchema,
        settlementDigest: hashSchema,
        signature: z.literal('<signature>'),
        terms: termsSchema,
      }),
      next: z.string(),
    }),
    run: async ({ terms, offerHash }, { now, connectPrepare }) => {
      const settlementDigest = digestOf(terms, await connectPrepare());
      requireAcceptable(terms.acceptBy, await now());
      return {
        settlementDigest,
        typedData: typedDataSchema.parse(toJsonTypedData(buildAgreementTypedData(terms))),
        signers: { poster: parseAddress(terms.poster), worker: parseAddress(terms.worker) },
        payload: { offerHash, settlementDigest, signature: '<signature>' as const, terms },
        next:
          'The worker signs first and sends a TaskAcceptance; the poster then runs svc prepare create-task with both ' +
          'signatures, before acceptBy.',
      };
    },
  }),
  defineTool({
    name: 'svc_verify_settlement_digest',
    title: 'Is this digest that of these terms?',
    description:
      'Recomputes the digest of terms, or of the last offer in conversation root, and compares it with the one in them, ' +
      'the one given, and that of taskId on chain. Use it before you sign or start work.',
    input: z.object({
      terms: termsArgument.optional(),
      root: hashSchema.optional(),
      address: addressArgument.optional().describe('With root; the own wallet unless given.'),
      settlementDigest: hashSchema.optional(),
      taskId: taskIdArgument.optional(),
    }),
    published,
    output: z.object({
      computed: hashSchema.nullable(),
      matches: z
        .boolean()
        .nullable()
        .describe('Whether all digests agree; null where there is none to compare with.'),
      onChain: hashSchema
        .nullable()
        .describe('What the task is bound by; null where none was asked for or bound.'),
      problems: z.array(z.string()),
    }),
    run: async ({ terms: given, root, address, settlementDigest, taskId }, context) => {
      const { market } = context;
      const terms = given ?? (await readOffered(root, address, context));
      const { settlementDigest: own, ...bare } = terms;
      const mistake = findTermsMistake(bare);
      const wrongMarket = mistake === null ? findMarketMistake(terms, await context.connectPrepare()) : null;
      const computed = mistake === null ? hashTermsDocument(terms) : null;
      const task = taskId === undefined ? null : (await market.task(taskId)).task;
      const onChain = task?.settlementDigest ?? null;
      const isSame = (other: string) => other.toLowerCase() === computed;
      const problems = [
        mistake,
        wrongMarket,
        own !== undefined && !isSame(own) && 'The settlementDigest in the terms is not theirs.',
        settlementDigest !== undefined &&
          !isSame(settlementDigest) &&
          'The given digest is not that of these terms.',
        task !== null && onChain === null && `${task.id} is ${task.state} and bound by no digest.`,
        onChain !== null && !isSame(onChain) && `${task?.id} is bound by other terms.`,
      ].filter((problem) => typeof problem === 'string');
      const isCompared = [own, settlementDigest, onChain ?? undefined].some((digest) => digest !== undefined);
      const matches = problems.length > 0 ? false : isCompared ? true : null;
      return { computed, matches, onChain, problems };
    },
  }),
];

/** The terms of the last offer in a conversation. */
async function readOffered(
  root: string | undefined,
  given: Address | undefined,
  { mail, readOwnAddress }: ToolContext,
): Promise<TermsDocument> {
  const address = given ?? (await readOwnAddress());
  const reason = (what: string) => new SvcError('USAGE', { reason: what });
  if (root === undefined || address === null) throw reason('Give terms, or root and address.');
  const opened = await mail.open(address, { root });
  if ('request' in opened) throw reason('svc_inbox opens the session of this wallet: call it first.');
  const { offer } = readNegotiation(findTranscript(opened.mailbox, root));
  if (offer === null) throw reason('This conversation has no offer.');
  return offer.terms;
}

/** Throws TERMS_INVALID where the document contradicts itself, or names another market than its own: nobody should sign it. */
function digestOf(terms: TermsDocument, registries: Registries): `0x${string}` {
  const mistake = findTermsMistake(terms) ?? findMarketMistake(terms, registries);
  if (mistake !== null) throw new SvcError('TERMS_INVALID', { reason: mistake });
  return hashTermsDocument(terms);
}

/** Throws ENVELOPE_INVALID for mistakes that only show when the envelope is read in its context. */
function checkOffer(terms: TermsDocument, sender: Address, head: Head): void {
  const isFirst = head.sequence === noHead.sequence;
  const isParty = [terms.poster, terms.worker].some((party) => isSameAddress(party, sender));
  const mistakes: readonly (readonly [boolean, string])[] = [
    [!isParty, 'The sender is neither poster nor worker of the terms.'],
    [isFirst !== (head.hash === noHead.hash), 'The previousHash and sequence are not of one envelope.'],
  ];
  const reason = mistakes.find(([isMade]) => isMade)?.[1];
  if (reason !== undefined) throw new SvcError('ENVELOPE_INVALID', { reason });
}
