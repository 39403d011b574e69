// The tools over the catalog of actions: onboarding, terms, and every write.

import {
  actions,
  catalog,
  type PreparedAction,
  type PreparedCalls,
  prepareAction,
  type WriteAction,
} from '@svc/sdk/actions';
import { type Address, formatUsdc, isSameAddress, marketParameters, SvcError } from '@svc/sdk/domain';
import { findWrite } from '@svc/sdk/internal/actions/catalog';
import { addressSchema, callSchema, hashSchema, marketSchema } from '@svc/sdk/internal/schemas/primitives';
import { stepSchema } from '@svc/sdk/internal/schemas/walletRequest';
import { termsSchema } from '@svc/sdk/negotiation';
import * as z from 'zod';
import { checkSchema } from '../contract/claiming.ts';
import { OperatorError } from '../errors/operatorError.ts';
import { buildWalletRequest, type Submit } from '../wallet/walletInterface.ts';
import { followRequest, papersSchema } from './followedRequests.ts';
import { checkArguments } from './mistakes.ts';
import { takeFiles, takeNamed } from './namedArguments.ts';
import { publishedMilestones } from './offer.ts';
import {
  asJsonText,
  type JsonSchema,
  publishAny,
  publishInput,
  readJsonText,
  withoutWords,
} from './publishedSchema.ts';
import {
  addressArgument,
  defineTool,
  findSigner,
  marketArgument,
  nameTask,
  saySigner,
  type Tool,
  type ToolContext,
  typedDataSchema,
} from './tool.ts';
import type { ToolFix } from './toolFailure.ts';
import { briefRequest, noRequest, pickRequest, requestFields } from './toolMail.ts';
import { shortenUris } from './untrusted.ts';

const shownCheckSchema = checkSchema.extend({
  required: z.boolean().describe('Whether posting and claiming fail without it; the others are advice.'),
  fix: z.string().nullable().describe('What to do; null where it is ok.'),
  prepare: z
    .object({ action: z.string(), arguments: z.record(z.string(), z.string()) })
    .nullable()
    .describe('Arguments for svc_prepare that do it.'),
});

const simulationSchema = z.looseObject({ status: z.enum(['success', 'partial']) });

const { entryUsdc, recommendedUsdc, pauseUsdc } = marketParameters.standard;
const thresholds = `${[entryUsdc, recommendedUsdc].map(formatUsdc).join(', ')} and ${formatUsdc(pauseUsdc)}`;

const walletArgument = z
  .enum(['server', 'local', 'none'])
  .default('server')
  .describe('server: the wallet of these tools; local: ask the owner; none: build and try only');

const artifacts: JsonSchema = {
  type: 'array',
  items: { type: 'string' },
  description: 'names of files from svc_attach_file, or artifacts as JSON text',
};

/** Takes any values: the action validates them, and reports all mistakes at once. */
function buildRawSchema(input: z.ZodObject): z.ZodObject {
  const shape = Object.entries(input.shape).map(([name, field]) => {
    const isOptional = (field as z.ZodType).safeParse(undefined).success;
    return [name, isOptional ? z.unknown().optional() : z.unknown()];
  });
  return z.object(Object.fromEntries(shape));
}

/**
 * The arguments of all actions in one object, each once. A union with one member for each action says more, but three
 * providers take none at the root, none ties a member to the action, and it is three times as long.
 */
function publishArguments(): JsonSchema {
  const terms = asJsonText('JSON text, from svc_build_task_terms or svc_inbox');
  const { properties, ...schema } = publishAny(actions.map(({ input }) => input));
  const root = {
    type: 'string',
    description: 'create-task: the conversation, with settlementDigest, in place of terms',
  };
  const settlementDigest = { type: 'string', description: 'of the offer that you have read' };
  return {
    ...schema,
    properties: { ...properties, terms, root, settlementDigest, artifacts, milestones: publishedMilestones },
  };
}

/** Actions with the same arguments share one entry, such as `cancel-task, claim-task (from, taskId)`. */
function listActions(): string {
  const byArguments = new Map<string, string[]>();
  for (const { name, input } of actions) {
    if (name === 'build-task-terms') continue;
    const names = Object.entries(input.shape)
      .filter(([key]) => !/^market$|^from$|TokWei$|Usd$/.test(key))
      .map(([key, field]) => ((field as z.ZodType).safeParse(undefined).success ? `${key}?` : key));
    const key = names.join(', ');
    byArguments.set(key, [...(byArguments.get(key) ?? []), name]);
  }
  return [...byArguments].map(([key, names]) => `${names.join(', ')} (${key})`).join('; ');
}

const describePrepare = (what: string) =>
  `Builds the unsigned calls of an action, tries them, and sends them to the wallet: ${what} Calls ` +
  'that would revert are an error with the fix. read, onboarding, hash-criteria, prepare-receipt and build-task-terms ' +
  'only build a document. Amounts are decimal texts. Actions and arguments ' +
  `besides market and from, ? if optional: ${listActions()}.`;

export const prepareTools: readonly Tool[] = [
  defineTool({
    name: 'svc_onboarding_checklist',
    title: 'Is my wallet ready?',
    description:
      `What a wallet needs before it can post or claim on a market, read from the chain: collateral (${thresholds} USD), ` +
      'access fee or Action Credits, allowance, gas, posting quota. Each check that fails comes with what fixes it.',
    input: z.object({
      address: addressArgument.optional().describe('The wallet of these tools unless given.'),
      market: marketArgument,
    }),
    output: z.looseObject({
      address: addressSchema,
      market: marketSchema,
      ready: z.boolean(),
      checks: z.array(shownCheckSchema),
    }),
    run: async ({ address: given, market }, { connectPrepare, readOwnAddress }) => {
      const address = given ?? (await readOwnAddress());
      if (address === null) {
        const mistakes = '  address: is required, because these tools have no wallet of their own';
        throw new SvcError('ARGUMENTS_INVALID', { action: 'svc_onboarding_checklist', mistakes });
      }
      return answer(await prepareAction('onboarding', { address, market }, connectPrepare)) as never;
    },
  }),
  defineTool({
    name: 'svc_build_task_terms',
    title: 'Build terms',
    description:
      'Builds the terms of a task between a poster and a worker: the terms document, its settlement digest, the typed ' +
      'data both sign, and the document with its words. Arguments as in svc_prepare. Signs and sends nothing.',
    input: buildRawSchema(catalog.buildTaskTerms.input),
    published: publishTerms(),
    output: z.looseObject({
      terms: termsSchema,
      typedData: typedDataSchema,
      settlementDigest: hashSchema,
      criteriaHash: hashSchema,
      milestonesHash: hashSchema,
      negotiationId: z.string(),
    }),
    run: async (args, context) => {
      const given = await takeFiles(args, context);
      await checkArguments('build-task-terms', given, context.connectPrepare);
      return answer(await prepareAction('build-task-terms', given, context.connectPrepare)) as never;
    },
  }),
  defineTool({
    name: 'svc_prepare',
    title: 'Prepare an action',
    description: describePrepare(
      'the reply has requestId and approvalUrl, where the owner decides. Then poll svc_get_request.',
    ),
    describedAtOnce: describePrepare(
      'it signs and sends at once what its policy allows; anything else waits for the owner at approvalUrl. Poll svc_get_request unless status is settled.',
    ),
    input: z.object({
      action: z.string().describe('such as claim-task'),
      arguments: z.record(z.string(), z.unknown()),
      wallet: walletArgument,
    }),
    published: {
      action: { type: 'string', enum: actions.map(({ name }) => name) },
      arguments: publishArguments(),
    },
    output: z.looseObject({
      action: z.string(),
      ...requestFields,
      calls: z.array(callSchema).optional(),
      steps: z.array(stepSchema).optional(),
      money: z.array(z.string()).optional().describe('What moves, from where to whom, and what is allowed.'),
      net: z.string().optional().describe('What the task brings or costs in the end.'),
      typedData: typedDataSchema.optional(),
      simulation: simulationSchema.optional(),
      warnings: z.array(z.string()),
      taskId: z.string().nullish().describe('The new task, where the request is settled already.'),
      papers: papersSchema,
      signature: z.string().optional().describe('Where the wallet has signed typed data.'),
      next: z.string().optional(),
    }),
    writes: true,
    brief: (answer) => (answer.requestId === null ? answer : briefRequest(answer)),
    confirm: async ({ action: name, arguments: args, wallet }, needs) => {
      const action = findWrite(name);
      if (action === undefined || wallet !== 'server') return null;
      const given = await addSender(name, readArguments(args), needs);
      const from = addressArgument.safeParse(given.from).data;
      const own = from === undefined ? null : await findSigner(needs, { from });
      if (own === null) return null;
      const found = await takeNamed(name, given, needs);
      // Nobody is asked about an action whose offer cannot be read yet.
      if ('request' in found) return null;
      const prepared = await prepareAction(name, found.arguments, needs.connectPrepare);
      // What would fail is answered with its fix, and nobody is asked.
      if (prepared.kind === 'calls' && prepared.simulation.status === 'reverted') return null;
      return describeForOwner(action, prepared, own, await nameTask(needs, found.arguments.taskId));
    },
    run: async ({ action, arguments: args, wallet }, needs, signal) => {
      const given = await addSender(action, readArguments(args), needs);
      const found = await takeNamed(action, given, needs);
      if ('request' in found) return found.request as never;
      const sent = found.arguments;
      const prepare = async (submit: Submit | null) => {
        const prepared = await prepareAction(action, sent, needs.connectPrepare);
        if (prepared.kind === 'calls' && prepared.simulation.status === 'reverted')
          throw explainFailure(action, prepared.simulation);
        if (submit === null || prepared.kind === 'document') return { prepared, request: null };
        signal.throwIfAborted();
        return { prepared, request: await submit(buildWalletRequest(prepared), [action, wallet, sent]) };
      };
      const sendsNothing = wallet === 'none' || findWrite(action) === undefined;
      const ask = () =>
        wallet === 'local' ? prepare(needs.ownerWallet.submit) : needs.wallet.inTurn(sent.from, prepare);
      const { prepared, request } = await (sendsNothing ? prepare(null) : ask());
      const reply = answer(prepared);
      if (request === null) return { ...reply, ...noRequest } as never;
      // Outside the wallet's lock: its next action need not wait until the market shows this one.
      const followed = await followRequest(prepared, sent, request, needs);
      const signed = request.signature !== null && { signature: request.signature };
      const repeat = request.isRepeat && { next: repeated };
      return {
        ...reply,
        ...pickRequest(request),
        ...signed,
        ...handOver(prepared),
        ...repeat,
        ...followed,
      } as never;
    },
  }),
];

const repeated =
  'The same call made this request before, and it is still open: no other one was made. Its page shows the calls.';

/** A signed split is worth something once the other party has it. */
function handOver(prepared: PreparedAction): { readonly next?: string } {
  if (prepared.action !== 'mutual-settle' || prepared.kind !== 'signature') return {};
  const { poster, worker } = prepared.typedData.message as Readonly<Record<'poster' | 'worker', Address>>;
  const other = isSameAddress(poster, prepared.from) ? worker : poster;
  const what =
    'payload {workerBps, validUntil, signature}; svc_get_request has the signature once it is settled.';
  const where = `to ${other}, or root of the conversation with it, taskId, type MutualCancel`;
  return { next: `Send it to the other party: svc_send_message with ${where} and ${what}` };
}

/** The question to the owner: which task, who pays whom how much, what can be lost. */
function describeForOwner(
  action: WriteAction,
  prepared: PreparedAction,
  own: Address,
  task: readonly string[],
): string {
  const money = prepared.kind === 'document' ? [] : prepared.money;
  const steps = prepared.kind === 'calls' ? prepared.steps : prepared.kind === 'signature' ? [prepared] : [];
  const risk = action.risk();
  return [
    `${action.title}?`,
    ...task,
    ...steps.map(({ summary }) => `- ${summary}`),
    ...(money.length === 0
      ? ['No money moves, except for gas.']
      : ['Money:', ...money.map((line) => `- ${line}`)]),
    ...(prepared.kind === 'document' || prepared.net === undefined
      ? []
      : [`In the end: it ${prepared.net}.`]),
    ...(risk === null ? [] : [`What can be lost: ${risk}`]),
    `Can it be undone? ${action.undo}`,
    saySigner(own),
  ].join('\n');
}

/**
 * Leaves out the same calls in the forms of other wallets, and `kind`, which only our own code uses. A document that goes on
 * chain inside its uri stands in the answer once, as `document`.
 */
function answer({ kind: _, sendCalls: _sendCalls, eip5792: _eip5792, uri, steps, ...rest }: PreparedAction) {
  const isCopy = String(uri).startsWith('data:') && rest.document != null;
  return { ...rest, ...(uri !== undefined && !isCopy && { uri }), ...shortenUris({ steps }) };
}

/** Adds the wallet of the server where no sender is given. */
async function addSender(
  action: string,
  args: Record<string, unknown>,
  { readOwnAddress }: ToolContext,
): Promise<Record<string, unknown>> {
  if (args.from !== undefined || findWrite(action) === undefined) return args;
  const from = await readOwnAddress();
  return from === null ? args : { ...args, from };
}

function publishTerms(): Readonly<Record<string, JsonSchema>> {
  const published = publishInput(catalog.buildTaskTerms.input);
  const { description: _, ...named } = artifacts;
  const { scope } = published.properties as Readonly<Record<string, JsonSchema>>;
  const kept = { milestones: publishedMilestones, artifacts: named, ...(scope && { scope }) };
  return withoutWords(published, '', kept).properties ?? {};
}

function readArguments({ terms, ...args }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...args, ...(terms !== undefined && { terms: readJsonText(terms) }) };
}

type Reverted = Extract<PreparedCalls['simulation'], { readonly status: 'reverted' }>;

export function explainFailure(action: string, { reason, fix }: Reverted): OperatorError {
  const call = fix?.arguments && { action: fix.action, arguments: fix.arguments };
  const advice = [fix?.text, call && `svc_prepare ${JSON.stringify(call)}`].filter(Boolean).join(' ');
  const then: ToolFix | undefined = call ? { tool: 'svc_prepare', arguments: call } : fix?.text;
  return new OperatorError('CALL_WOULD_REVERT', { action, reason, advice, ...(then && { fix: then }) });
}
