// The action that posts an open task.
import * as z from 'zod';
import { encodePostTask } from '#chain/calls/entering.ts';
import { buildDocumentUri } from '#domain/document.ts';
import { hashCriteria } from '#domain/terms.ts';
import { defineWrite } from '../action.ts';
import {
  durationArgument,
  fromArgument,
  hashArgument,
  marketArgument,
  momentArgument,
  refuse,
  takeHash,
  takeTok,
  textArgument,
  tokArgument,
  tokWeiArgument,
} from '../arguments.ts';
import { milestonesArgument, readPayment } from '../milestones.ts';
import { poster } from './exampleWallets.ts';
import { readFeeOf } from './feeOf.ts';
import { warnOfQuota } from './quota.ts';

/** The work: what it pays, when it is due, and in which words. */
export const workArguments = {
  totalAmountTok: tokArgument.optional().describe('what the whole work pays, in TOK'),
  totalAmountTokWei: tokWeiArgument.optional(),
  milestones: milestonesArgument,
  deadline: momentArgument.describe('when the work is due: Unix seconds, a date, or such as +7d'),
  reviewPeriod: durationArgument.default(3 * 86_400).describe('time to look at a delivery; default 3d'),
  title: textArgument.optional().describe('title of the task'),
  description: textArgument.default('').describe('what is to be done'),
  criteriaText: textArgument.optional().describe('what the work must meet; binds both parties'),
  tags: z.array(textArgument, { error: 'must be a list' }).max(20, 'are at most 20').default([]),
  criteriaHash: hashArgument.optional().describe('instead of criteriaText'),
};

type Texts = {
  readonly title?: string | undefined;
  readonly description: string;
  readonly criteriaText?: string | undefined;
  readonly tags: readonly string[];
};

/** The inline document of these texts, where there is a title. */
export function buildTexts({ title, description, criteriaText = '', tags }: Texts) {
  if (title === undefined) return null;
  const document = { title, description, criteria: criteriaText, tags };
  return { document, uri: buildDocumentUri(document) };
}

const name = 'post-task';

export const postTask = defineWrite({
  name,
  summary: 'post an open task that anyone may claim',
  input: z.strictObject({
    market: marketArgument,
    from: fromArgument,
    ...workArguments,
    uri: textArgument
      .max(8_192, 'is too long')
      .optional()
      .describe('where the texts are, instead of a title'),
    fundNowTok: tokArgument.optional().describe('TOK into escrow at once; default none'),
    fundNowTokWei: tokWeiArgument.optional(),
  }),
  example: {
    title: 'Translate a manual',
    description: 'From Danish to English, 20 pages.',
    criteriaText: 'Every page is there, and no sentence is left out.',
    totalAmountTok: '1500',
    deadline: '+7d',
    reviewPeriod: '3d',
    fundNowTok: '1500',
    from: poster,
  },
  plan: async (args, context) => {
    const { market, from, contracts, needs } = context;
    const { total, milestones } = readPayment(takeTok(name, args, 'totalAmount'), args.milestones);
    if (total === undefined) refuse(name, 'totalAmountTok: is required');
    const texts = buildTexts(args);
    if (texts !== null && args.uri !== undefined) refuse(name, 'uri: give it or a title, not both');
    const uri = texts?.uri ?? args.uri;
    if (uri === undefined) refuse(name, 'title: is required, or uri');
    const criteriaHash = takeHash(name, args, 'criteria') ?? hashCriteria('');
    const fundNowTokWei = takeTok(name, args, 'fundNow') ?? 0n;
    const [now, fee, warnings] = await Promise.all([
      needs.chain.readNow(),
      readFeeOf(context, from),
      warnOfQuota(needs, market, from),
    ]);
    const post = {
      totalAmountTokWei: total,
      deadline: args.deadline(now),
      reviewPeriod: args.reviewPeriod,
      criteriaHash,
      milestonesTokWei: milestones.map(({ amount }) => amount),
      uri,
      fundNowTokWei,
    };
    return {
      encoded: encodePostTask(contracts, post),
      spends: { tokWei: fee + fundNowTokWei },
      engages: [from],
      warnings,
      result: { criteriaHash },
    };
  },
});
