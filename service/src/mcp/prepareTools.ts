// The tools over the catalog of actions: onboarding, terms, every write, and the status of a request.

import {
  type Action,
  actions,
  type PreparedAction,
  type PreparedCalls,
  type PreparedSignature,
  prepareAction,
} from '@svc/sdk/actions';
import { formatUsdc, marketParameters, SvcError } from '@svc/sdk/domain';
import { findWrite } from '@svc/sdk/internal/actions/catalog';
import { buildTaskTerms } from '@svc/sdk/internal/actions/createTask';
import { addressSchema, callSchema, hashSchema, marketSchema } from '@svc/sdk/internal/schemas/primitives';
import { stepSchema } from '@svc/sdk/internal/schemas/walletRequest';
import { termsSchema } from '@svc/sdk/schemas';
import * as z from 'zod';
import { buildWalletRequest, type Submit } from '#wallet/walletInterface.ts';
import { checkArguments } from './mistakes.ts';
import { asJsonText, type JsonSchema, publishAny, publishInput, readJsonText } from './publishedSchema.ts';
import {
  addressArgument,
  defineTool,
  marketArgument,
  type Tool,
  type ToolContext,
  typedDataSchema,
} from './tool.ts';
import { noRequest, pickRequest, requestFields } from './toolMail.ts';

const checkSchema = z.object({
  id: z.string(),
  ok: z.boolean(),
  required: z.boolean().describe('Whether posting and claiming fail without it; the others are advice.'),
  have: z.string(),
  need: z.string(),
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
  .describe(
    'server: the wallet of these tools, within its policy; local: ask the owner; none: build and try only',
  );

/** Takes any values: the action validates them, and reports all mistakes at once. */
function buildRawSchema({ input }: Action): z.ZodObject {
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
  const terms = asJsonText('JSON text of what svc_build_task_terms, or the offer of svc_inbox, answered');
  const { properties } = publishAny(actions.map(({ input }) => input));
  return { type: 'object', properties: { ...properties, terms } };
}

/** Actions with the same arguments share one entry, such as `cancel-task, claim-task (from, taskId)`. */
function listActions(): string {
  const byArguments = new Map<string, string[]>();
  for (const { name, input } of actions) {
    if (name === buildTaskTerms.name) continue;
    const names = Object.entries(input.shape)
      .filter(([key]) => !/^market$|^from$|TokWei$/.test(key))
      .map(([key, field]) => ((field as z.ZodType).safeParse(undefined).success ? `${key}?` : key));
    const key = names.join(', ');
    byArguments.set(key, [...(byArguments.get(key) ?? []), name]);
  }
  return [...byArguments].map(([key, names]) => `${names.join(', ')} (${key})`).join('; ');
}

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
      checks: z.array(checkSchema),
    }),
    run: async ({ address: given, market }, { connectPrepare, readOwnAddress }) => {
      const address = given ?? (await readOwnAddress()) ?? undefined;
      return answer(await prepareAction('onboarding', { address, market }, connectPrepare)) as never;
    },
  }),
  defineTool({
    name: 'svc_build_task_terms',
    title: 'Build terms',
    description:
      'Builds the terms of a task between a poster and a worker: the terms document, its settlement digest, the typed ' +
      'data both sign, and the texts as an inline uri. Then svc_build_xmtp_proposal to offer them. Signs and sends nothing.',
    input: buildRawSchema(buildTaskTerms),
    published: publishInput(buildTaskTerms.input).properties,
    output: z.looseObject({
      terms: termsSchema,
      typedData: typedDataSchema,
      settlementDigest: hashSchema,
      criteriaHash: hashSchema,
      milestonesHash: hashSchema,
      uri: z.string(),
      negotiationId: z.string(),
    }),
    run: async (args, { connectPrepare }) => {
      checkArguments(buildTaskTerms.name, args);
      return answer(await prepareAction(buildTaskTerms.name, args, connectPrepare)) as never;
    },
  }),
  defineTool({
    name: 'svc_prepare',
    title: 'Prepare an action',
    description:
      'Builds the unsigned calls of an action, tries them, and sends them to the wallet: the reply has requestId and ' +
      'approvalUrl, where the owner decides. Poll svc_get_request until it is settled, rejected, failed or expired. Calls ' +
      'that would revert are an error with the fix. read, onboarding, hash-criteria, prepare-receipt and build-task-terms ' +
      '(takes what svc_build_task_terms takes) only build a document. Amounts are decimal texts, times Unix seconds, dates ' +
      `or such as +7d. Actions and what they take besides market and from, ? if optional: ${listActions()}.`,
    input: z.object({
      action: z.string(),
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
      typedData: typedDataSchema.optional(),
      simulation: simulationSchema.optional(),
      warnings: z.array(z.string()),
      taskId: z
        .string()
        .nullable()
        .optional()
        .describe('The new task, where the request is settled already.'),
    }),
    writes: true,
    brief: ({ calls, typedData, steps, ...rest }) =>
      rest.requestId === null
        ? { ...rest, calls, steps, typedData }
        : { ...rest, steps: steps?.map(({ summary }) => summary) },
    confirm: async ({ action: name, arguments: { from }, wallet }, { readOwnAddress }) => {
      const action = findWrite(name);
      const own = wallet === 'server' && action !== undefined ? await readOwnAddress() : null;
      if (action === undefined || own === null) return null;
      if (typeof from === 'string' && from.toLowerCase() !== own.toLowerCase()) return null;
      return [`${action.title}? ${action.effect}`, action.risk(), `The wallet ${own} signs it at once.`]
        .filter((sentence) => sentence !== null)
        .join(' ');
    },
    run: async ({ action, arguments: args, wallet }, needs, signal) => {
      const sent = await addSender(action, readArguments(args), needs);
      checkArguments(action, sent);
      const prepare = async (submit: Submit | null) => {
        const prepared = await prepareAction(action, sent, needs.connectPrepare);
        if (prepared.kind === 'calls' && prepared.simulation.status === 'reverted')
          throw explainFailure(action, prepared.simulation);
        const isSubmitted = submit !== null && prepared.kind !== 'document';
        const request = isSubmitted ? await submitPrepared(prepared, submit, signal) : notSubmitted;
        return { ...answer(prepared), ...request };
      };
      const sendsNothing = wallet === 'none' || findWrite(action) === undefined;
      const ask = () =>
        wallet === 'local' ? prepare(needs.ownerWallet.submit) : needs.wallet.inTurn(sent.from, prepare);
      const { transactionHashes, ...reply } = await (sendsNothing ? prepare(null) : ask());
      // Outside the wallet's lock: its next action need not wait until the market shows this one.
      const shown = reply.status === 'settled' ? await showSettled(action, transactionHashes, needs) : {};
      return { ...reply, ...shown } as never;
    },
  }),
  defineTool({
    name: 'svc_get_request',
    title: 'What became of a request?',
    description:
      'The status of a wallet request: pending until its owner decides, submitted once sent, then settled, rejected, ' +
      'failed or expired, with transaction hashes or the signature.',
    input: z.object({ requestId: z.string().min(1).max(128) }),
    output: z.object({
      requestId: z.string(),
      approvalUrl: requestFields.approvalUrl,
      status: requestFields.status.unwrap(),
      transactionHashes: z.array(hashSchema),
      signature: z.string().nullable(),
      error: z.string().nullable(),
      taskId: z.string().nullable().describe('The task that a settled request has posted or created.'),
    }),
    run: async ({ requestId }, { wallet, findPostedTask, awaitShown }) => {
      const status = await wallet.readStatus(requestId);
      const hasTask = status.status === 'settled' && status.transactionHashes.length > 0;
      if (hasTask) await awaitShown(status.transactionHashes).catch(() => undefined);
      const taskId = hasTask ? await findPostedTask(status.transactionHashes) : null;
      return { ...status, transactionHashes: [...status.transactionHashes], taskId };
    },
  }),
];

/** Leaves out the same calls in the forms of other wallets, and `kind`, which only our own code uses. */
function answer({ kind: _, sendCalls: _sendCalls, eip5792: _eip5792, ...rest }: PreparedAction) {
  return rest;
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

/** Clients whose schemas have no optional arguments send null for them. */
function readArguments(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(args).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [name, name === 'terms' ? readJsonText(value) : value]),
  );
}

type Reverted = Extract<PreparedCalls['simulation'], { readonly status: 'reverted' }>;

export function explainFailure(action: string, { reason, fix }: Reverted): SvcError {
  const call = fix?.arguments && JSON.stringify({ action: fix.action, arguments: fix.arguments });
  const advice = [fix?.text, call && `svc_prepare ${call}`].filter(Boolean).join(' ');
  return new SvcError('CALL_WOULD_REVERT', { action, reason, advice });
}

/** Actions whose transaction creates a task. */
const createsTask = new Set<string>(['post-task', 'create-task']);

const notSubmitted = { ...noRequest, transactionHashes: [] };

async function submitPrepared(
  prepared: PreparedCalls | PreparedSignature,
  submit: Submit,
  signal: AbortSignal,
) {
  signal.throwIfAborted();
  const answer = await submit(buildWalletRequest(prepared));
  return { ...pickRequest(answer), transactionHashes: answer.transactionHashes };
}

/** For a wallet that signs at once. Does not fail where the market shows the write too late. */
async function showSettled(
  action: string,
  hashes: readonly string[],
  { findPostedTask, awaitShown }: Pick<ToolContext, 'findPostedTask' | 'awaitShown'>,
): Promise<{ readonly taskId?: string | null }> {
  await awaitShown(hashes).catch(() => undefined);
  return createsTask.has(action) ? { taskId: await findPostedTask(hashes) } : {};
}
