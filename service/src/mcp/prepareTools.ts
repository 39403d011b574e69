// The tools over the catalog of actions: onboarding, terms, every write, and the status of a request.

import {
  type Action,
  actions,
  buildTaskTerms,
  findWrite,
  type PreparedAction,
  prepareAction,
} from '@svc/sdk/actions';
import { formatUsdc, marketParameters } from '@svc/sdk/domain';
import {
  addressSchema,
  callSchema,
  hashSchema,
  marketSchema,
  requestStatuses,
  stepSchema,
  termsSchema,
} from '@svc/sdk/schemas';
import * as z from 'zod';
import { buildWalletRequest, type Wallet } from '#wallet/wallet.ts';
import {
  addressArgument,
  defineTool,
  marketArgument,
  type Tool,
  type ToolContext,
  typedDataSchema,
} from './tool.ts';

const checkSchema = z.object({
  id: z.string(),
  ok: z.boolean(),
  required: z.boolean().describe('Whether posting and claiming fail without it; the others are advice.'),
  have: z.string(),
  need: z.string(),
  fix: z.string().nullable().describe('What to do; null where it is ok.'),
});

const requestShape = {
  requestId: z.string(),
  approvalUrl: z.string().nullable().describe('Where the owner of the wallet decides: show it to them.'),
  status: z.enum(requestStatuses),
};

/** The answer of a wallet to what was prepared. */
const submittedSchema = z.object({
  ...requestShape,
  askedBecause: z
    .array(z.string())
    .optional()
    .describe('Why the owner has to decide, where the wallet has a spending policy.'),
});

const simulationSchema = z
  .looseObject({ status: z.enum(['success', 'reverted', 'partial']) })
  .describe('How the calls would end now; a reverted one says why and what to do.');

const { entryUsdc, recommendedUsdc, pauseUsdc } = marketParameters.standard;
const thresholds = `${[entryUsdc, recommendedUsdc].map(formatUsdc).join(', ')} and ${formatUsdc(pauseUsdc)}`;

/** Amounts and times as text keep their exact value; lists and objects are for milestones, files and terms. */
const anyArgument = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.unknown()),
  z.record(z.string(), z.unknown()),
]);

function buildRawSchema({ input }: Action): z.ZodObject {
  const shape = Object.entries(input.shape).map(([name, field]) => {
    const schema = field as z.ZodType;
    const described = anyArgument.describe(schema.description ?? name);
    return [name, schema.safeParse(undefined).success ? described.optional() : described];
  });
  return z.object(Object.fromEntries(shape));
}

/** In one line, such as `claim-task(taskId, from, market?)`. */
function describeArguments({ name, input }: Action): string {
  const names = Object.entries(input.shape).map(([key, field]) =>
    (field as z.ZodType).safeParse(undefined).success ? `${key}?` : key,
  );
  return `${name}(${names.join(', ')})`;
}

export const prepareTools: readonly Tool[] = [
  defineTool({
    name: 'svc_onboarding_checklist',
    title: 'Is my wallet ready?',
    description:
      `What a wallet needs before it can post or claim on a market, read from the chain: collateral (${thresholds} USD), ` +
      'access fee or Action Credits, allowance, gas, posting quota. Each check that fails comes with the command that fixes it.',
    input: z.object({ address: addressArgument, market: marketArgument }),
    output: z.looseObject({
      address: addressSchema,
      market: marketSchema,
      ready: z.boolean(),
      checks: z.array(checkSchema),
    }),
    run: async (args, { connectPrepare }) =>
      answer(await prepareAction('onboarding', args, connectPrepare)) as never,
  }),
  defineTool({
    name: 'svc_build_task_terms',
    title: 'Build terms',
    description:
      'Builds the terms of a task between a poster and a worker: the terms document, its settlement digest, the typed ' +
      'data both sign, and the texts as an inline uri. Then svc_build_xmtp_proposal to offer them. Signs and sends nothing.',
    input: buildRawSchema(buildTaskTerms),
    output: z.looseObject({
      terms: termsSchema,
      typedData: typedDataSchema,
      settlementDigest: hashSchema,
      criteriaHash: hashSchema,
      milestonesHash: hashSchema,
      uri: z.string(),
      negotiationId: z.string(),
    }),
    run: async (args, { connectPrepare }) =>
      answer(await prepareAction('build-task-terms', args, connectPrepare)) as never,
  }),
  defineTool({
    name: 'svc_prepare',
    title: 'Prepare an action',
    description:
      'Builds the unsigned calls of an action, tries them, and sends them to the wallet: the reply has requestId and ' +
      'approvalUrl, where the owner decides. Poll svc_get_request until it is settled, rejected, failed or expired. ' +
      'Nothing is sent to the wallet where the trial reverts, with wallet "none", or for actions that only build a document (read, ' +
      'onboarding, hash-criteria, prepare-receipt, build-task-terms). Actions and arguments: ' +
      `${actions.map(describeArguments).join('; ')}. Amounts in TOK are decimal texts, times Unix seconds or such as +7d.`,
    input: z.object({
      action: z.string().describe(`One of ${actions.map(({ name }) => name).join(', ')}.`),
      arguments: z.record(z.string(), z.unknown()).describe('The arguments of the action, by name.'),
      wallet: z
        .enum(['server', 'local', 'none'])
        .default('server')
        .describe(
          'server: the wallet that the operator of these tools has chosen, within its spending policy; local: ask the owner; none: build and try only.',
        ),
    }),
    output: z.looseObject({
      action: z.string(),
      calls: z.array(callSchema).optional(),
      steps: z.array(stepSchema).optional(),
      typedData: typedDataSchema.optional(),
      simulation: simulationSchema.optional(),
      warnings: z.array(z.string()),
      request: submittedSchema.nullable(),
    }),
    writes: true,
    run: async ({ action, arguments: args, wallet }, needs, signal) => {
      const prepared = await prepareAction(
        action,
        await addSender(action, args, needs),
        needs.connectPrepare,
      );
      const receiver = wallet === 'local' ? needs.ownerWallet : needs.wallet;
      return {
        ...answer(prepared),
        request: wallet === 'none' ? null : await submit(prepared, receiver, signal),
      } as never;
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
      ...requestShape,
      transactionHashes: z.array(hashSchema),
      signature: z.string().nullable(),
      error: z.string().nullable(),
      taskId: z.string().nullable().describe('The task that a settled request has posted or created.'),
    }),
    run: async ({ requestId }, { wallet, findPostedTask }) => {
      const status = await wallet.readStatus(requestId);
      const hasTask = status.status === 'settled' && status.transactionHashes.length > 0;
      const taskId = hasTask ? await findPostedTask(status.transactionHashes) : null;
      return { ...status, transactionHashes: [...status.transactionHashes], taskId };
    },
  }),
];

/** `kind` is only for our own code; readers recognise the form by its fields. */
function answer({ kind: _, ...rest }: PreparedAction): Record<string, unknown> {
  return rest;
}

/** The wallet of the server may be left out. */
async function addSender(
  action: string,
  args: Record<string, unknown>,
  { readOwnAddress }: ToolContext,
): Promise<Record<string, unknown>> {
  if (args.from !== undefined || findWrite(action) === undefined) return args;
  const from = await readOwnAddress();
  return from === null ? args : { ...args, from };
}

async function submit(prepared: PreparedAction, wallet: Pick<Wallet, 'submit'>, signal: AbortSignal) {
  if (prepared.kind === 'document') return null;
  if (prepared.kind === 'calls' && prepared.simulation.status === 'reverted') return null;
  signal.throwIfAborted();
  const { requestId, approvalUrl, status, askedBecause } = await wallet.submit(buildWalletRequest(prepared));
  return { requestId, approvalUrl, status, ...(askedBecause && { askedBecause: [...askedBecause] }) };
}
