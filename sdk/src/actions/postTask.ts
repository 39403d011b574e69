// Posting an open task, and what the chain says where work is posted or agreed on.
import type { Hex } from 'viem';
import { encodeCall } from '../chain/encodeCall.ts';
import { hashDocument, readInlineUri } from '../domain/document.ts';
import { hashCriteria } from '../domain/terms.ts';
import { type Mistake, toLine } from '../rules/mistakes.ts';
import { artifactsArgument, refuse, textArgument } from '../rules/values.ts';
import {
  buildWorkDocument,
  explainUsd,
  findWorkMistakes,
  fundFields,
  type GivenWork,
  needsPrice,
  readAmount,
  readPayment,
  type WorkFacts,
  workFields,
} from '../rules/work.ts';
import { type ActionContext, defineWalletAction } from './action.ts';
import { exampleWallets } from './arguments.ts';
import { warnOfQuota } from './buyPlan.ts';
import { purchaseArguments } from './buyTok.ts';
import { entryCosts, warnOfDispute } from './costs.ts';

export const postTask = defineWalletAction({
  name: 'post-task',
  title: 'Post a task',
  summary: 'post an open task that anyone may claim',
  effect: 'The task is listed, and any other wallet may claim it on exactly these terms.',
  by: ['anyone'],
  costs: entryCosts,
  risk: () =>
    'The fee is not returned. What is in escrow is paid when you accept, or when your review time passes in silence.',
  undo: 'Until somebody claims it you may cancel: escrow and bond come back, the fee does not.',
  becomes: () => 'POSTED',
  next:
    'A worker may claim it until the deadline; later it can be closed, and escrow comes back. After a claim you fund what ' +
    'is missing and start the work within a day. Then an unfunded task can be ended, and a funded one the worker may start.',
  calls: ['TaskRegistry.postTask'],
  input: {
    ...workFields,
    artifacts: artifactsArgument,
    uri: textArgument
      .max(8_192, 'is too long')
      .optional()
      .describe('where the texts are, instead of a title'),
    ...fundFields,
    ...purchaseArguments,
  },
  example: {
    title: 'Translate a manual',
    description: 'From Danish to English, 20 pages.',
    criteria: 'Every page is there, and no sentence is left out.',
    totalAmountTok: '1500',
    deadline: '+7d',
    reviewPeriod: '3d',
    fundNowTok: '1500',
    from: exampleWallets.poster,
  },
  check: async (args, context, wrong) =>
    findPostMistakes(args, await readWorkFacts(args, context), wrong).map(toLine),
  build: async (args, context) => {
    const name = 'post-task';
    const { from, contracts } = context;
    const facts = await readWorkFacts(args, context);
    const payment = readPayment(args, facts.priceE8);
    const { total, milestones } = payment;
    const texts = buildWorkDocument(args, milestones);
    const uri = texts?.uri ?? args.uri;
    const { tokWei: fundNow = 0n } = readAmount(args, 'fundNow', facts.priceE8);
    const mistakes = findPostMistakes(args, facts);
    if (mistakes.length > 0 || total === undefined || uri === undefined)
      refuse(name, ...mistakes.map(toLine));
    const deadline = args.deadline(facts.now);
    const { reviewPeriod } = args;
    // Empty for one single milestone: the contracts refuse a list of one.
    const amounts = milestones.map(({ amount }) => amount);
    const criteriaHash = texts === null ? hashLinked(name, args, uri) : texts.hash;
    const warnings = await warnOfQuota(context, from);
    const params = {
      totalAmount: total,
      deadline: BigInt(deadline),
      reviewPeriod,
      criteriaHash,
      milestones: amounts,
      uri,
      fundNow,
    };
    return {
      encoded: encodeCall(contracts, 'TaskRegistry', 'postTask', [params]),
      engages: [from],
      warnings: [
        ...explainUsd(args, payment, facts.priceE8),
        ...warnings,
        warnOfDispute('poster', amounts.length === 0 ? [total] : amounts),
      ],
      result: { criteriaHash },
    };
  },
});

type GivenPost = GivenWork & {
  readonly uri?: string | undefined;
  readonly artifacts?: Parameters<typeof buildWorkDocument>[0]['artifacts'];
};

/** What the schema does not show. Fields that are `wrong` count as given, and are not looked at. */
function findPostMistakes(
  args: GivenPost,
  facts: WorkFacts,
  wrong: ReadonlySet<string> = new Set(),
): Mistake[] {
  const { criteriaHash, uri, artifacts = [], description = '', tags = [] } = args;
  const { milestones } = readPayment(args, facts.priceE8);
  const texts = buildWorkDocument({ ...args, description, tags }, milestones);
  const isTitled = texts !== null || wrong.has('title');
  const isOtherHash =
    texts !== null && wrong.size === 0 && criteriaHash !== undefined && criteriaHash !== texts.hash;
  const whole = `with a title it is ${texts?.hash}, the hash of the whole task document; leave it out`;
  const rules: readonly (readonly [at: string, isBroken: boolean, says: string])[] = [
    ['uri', texts !== null && uri !== undefined, 'give it or a title, not both'],
    ['artifacts', !isTitled && artifacts.length > 0, 'give a title as well'],
    ['title', !isTitled && uri === undefined && !wrong.has('uri'), 'is required, or uri'],
    ['criteriaHash', isOtherHash, whole],
  ];
  return [
    ...rules.flatMap(([at, isBroken, says]) => (isBroken ? [{ at, says }] : [])),
    ...readAmount(args, 'fundNow', facts.priceE8).mistakes,
    ...findWorkMistakes(args, facts, wrong),
  ];
}

/** The price is asked for only where dollars are given. */
export async function readWorkFacts(
  args: GivenWork,
  { market, reads }: Pick<ActionContext, 'market' | 'reads'>,
): Promise<WorkFacts> {
  const [now, { minTotalTokWei }, priceE8] = await Promise.all([
    reads.readNow(),
    reads.readFigures(market),
    needsPrice(args) ? reads.readTokPrice(market) : null,
  ]);
  return { market, now, minTotalTokWei, priceE8 };
}

/** Of a document that the poster has put elsewhere: the hash that is given, or that of the inline document itself. */
function hashLinked(
  action: string,
  { criteriaHash: given, criteria: text }: Pick<GivenWork, 'criteriaHash' | 'criteria'>,
  uri: string,
): Hex {
  const hash = text === undefined ? given : hashCriteria(text);
  if (given !== undefined && hash !== given) refuse(action, 'criteriaHash: is not the hash of criteria');
  const inline = readInlineUri(uri);
  return hash ?? (inline === null ? hashCriteria('') : hashDocument(inline.bytes));
}
