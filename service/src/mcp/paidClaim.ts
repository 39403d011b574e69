// The tool that claims a task at the gateway by an x402 payment: the wallet signs the payment, then sends the claim.
import { catalog, type PreparedCalls, prepareAction } from '@svc/sdk/actions';
import {
  type Address,
  formatUsdc,
  isSameAddress,
  parseAddress,
  parseTaskId,
  parseUsdc,
  SvcError,
} from '@svc/sdk/domain';
import { toJsonTypedData } from '@svc/sdk/internal/actions/action';
import type { ReportedCheck } from '@svc/sdk/internal/actions/read';
import { stringifyJson } from '@svc/sdk/internal/domain/json';
import { toShown } from '@svc/sdk/internal/domain/text';
import { errorSchema } from '@svc/sdk/internal/schemas/primitives';
import { LRUCache } from 'lru-cache';
import { type Hex, keccak256, stringToHex } from 'viem';
import * as z from 'zod';
import { claimRoutes } from '../contract/claiming.ts';
import { acceptedSchema } from '../contract/paymentSchemas.ts';
import { buildUsdcPaymentTypedData, type UsdcPayment } from '../contract/usdcPayment.ts';
import { buildWalletRequest } from '../wallet/walletInterface.ts';
import { explainFailure } from './prepareTools.ts';
import { createSigningSteps } from './signingSteps.ts';
import {
  addressArgument,
  defineTool,
  findSigner,
  nameTask,
  requestIdArgument,
  type Tool,
  type ToolContext,
  taskIdArgument,
} from './tool.ts';
import { briefRequest, pickRequest, requestFields } from './toolMail.ts';

/** Of x402 version 2, which names every chain. */
const offerSchema = acceptedSchema.extend({
  maxTimeoutSeconds: z.int().positive(),
  extra: z.object({ name: z.string(), version: z.string() }),
});

const challengeSchema = z.object({ accepts: z.array(z.unknown()) });

type Offer = z.output<typeof offerSchema>;

/** What x402 calls a payment whose time is over. */
const expired = 'invalid_exact_evm_payload_authorization_valid_before';
const otherSignature = 'invalid_exact_evm_payload_signature';
const refusalSchema = z.object({ errorReason: z.string() });

const name = 'svc_claim_paid';
/** Clocks differ a little. */
const graceSeconds = 60;

const outputSchema = z.object({
  paid: z.boolean(),
  ...requestFields,
  priceUsdc: z.string().nullable(),
  next: z.string(),
});

const steps = createSigningSteps<AbortSignal, z.input<typeof outputSchema>>(name);

export const paidClaimTool: Tool = defineTool({
  name,
  isLocal: true,
  title: 'Claim a task by x402',
  description:
    'Claims an open task through the gateway, which takes a small x402 payment in USDC: the wallet signs the payment, then ' +
    'gets the claim as a request. Where paid is false, its owner has the payment to approve: call again after that, with from ' +
    'and requestId. Then poll svc_get_request. Free of that price: svc_prepare claim-task.',
  input: z.object({
    from: addressArgument.describe('The wallet that claims and pays.'),
    taskId: taskIdArgument.optional(),
    requestId: requestIdArgument.optional().describe('Of the last call, to go on after its approval.'),
    maxUsdc: z.string().default('0.1').describe('Pay no more than this.'),
  }),
  output: outputSchema,
  writes: true,
  brief: briefRequest,
  confirm: async ({ from, taskId, maxUsdc }, context) => {
    const own = await findSigner(context, { from });
    if (taskId === undefined || own === null) return null;
    const { authorization, prepared } = await plan(context, from, taskId, maxUsdc);
    return [
      `Claim ${taskId} and pay the gateway for it?`,
      ...(await nameTask(context, taskId)),
      'Money:',
      `- ${formatUsdc(authorization.value)} USDC from your wallet to the gateway ${authorization.to}, not returned`,
      ...prepared.money.map((line) => `- ${line}`),
      `What can be lost: ${catalog.claimTask.risk()}`,
      `The wallet ${own} signs both at once if its policy allows them; otherwise nothing is paid.`,
    ].join('\n');
  },
  run: async ({ from, taskId, requestId, maxUsdc }, context, signal) => {
    if (requestId !== undefined && taskId === undefined)
      return steps.resume(context.mail, from, requestId, signal);
    if (taskId === undefined || requestId !== undefined)
      throw steps.failed('give taskId, or requestId of the last call.');
    const { offer, authorization, typedData, prepared } = await plan(context, from, taskId, maxUsdc);
    signal.throwIfAborted();
    const priceUsdc = formatUsdc(authorization.value);
    const finish = (payment: Payment) => claim(context, prepared, taskId, payment);
    // A call whose answer got lost pays with the payment that it has signed.
    const signed = payments.get(authorization.nonce);
    if (signed !== undefined) return finish(signed);
    const summary = `Pay ${priceUsdc} USDC for the claim of ${taskId}`;
    await checkPolicy(context, taskId, prepared, { from, summary, typedData });
    const request = await context.mail.requestSignature(from, 'x402-payment', summary, typedData);
    const next = 'Let the owner sign the payment, then call again with from and requestId.';
    return steps.begin(
      request,
      {
        from,
        wait: (waiting) => ({ paid: false, ...pickRequest(waiting), priceUsdc, next }),
        finish: async (signature, stop) => {
          stop.throwIfAborted();
          const payment = { offer, authorization, signature };
          payments.set(authorization.nonce, payment);
          return finish(payment);
        },
      },
      signal,
    );
  },
});

/** Everything about the claim and its payment, before anything is signed. */
async function plan(context: ToolContext, from: Address, taskId: string, maxUsdc: string) {
  const offer = await readOffer(context, from, taskId, parseUsdc(maxUsdc));
  const prepared = await checkReady(context, from, taskId);
  return { offer, prepared, ...(await buildPayment(context, from, taskId, offer)) };
}

type Payment = { readonly offer: Offer; readonly authorization: UsdcPayment; readonly signature: Hex };

/** By their nonce, to be sent again after a lost answer; the oldest are dropped first. */
const payments = new LRUCache<string, Payment>({ max: 1_000 });

/** A claim that the policy leaves to the owner, or refuses, must not cost a payment first. */
async function checkPolicy(
  { wallet }: ToolContext,
  taskId: string,
  prepared: PreparedCalls,
  { typedData, ...payment }: { from: Address; summary: string; typedData: Record<string, unknown> },
): Promise<void> {
  const { chainId } = prepared;
  const reasons = await wallet.tryPolicy([
    buildWalletRequest(prepared),
    { kind: 'signature', action: 'x402-payment', chainId, typedData: toJsonTypedData(typedData), ...payment },
  ]);
  if (reasons.length > 0)
    throw steps.failed(
      `the policy leaves this to the owner, and nothing was paid. ${reasons.join(' ')} svc_prepare claim-task asks the owner.`,
      freeClaim(payment.from, taskId),
    );
}

/** Before anything is signed: a claim that cannot succeed must not cost a payment. */
async function checkReady(
  { connectPrepare }: ToolContext,
  from: Address,
  taskId: string,
): Promise<PreparedCalls> {
  const claim = (await prepareAction('claim-task', { taskId, from }, connectPrepare)) as PreparedCalls;
  if (claim.simulation.status === 'reverted') throw explainFailure('claim-task', claim.simulation);
  const { market } = parseTaskId(taskId);
  const { checks } = (await prepareAction('onboarding', { address: from, market }, connectPrepare)) as {
    readonly checks?: readonly ReportedCheck[];
  };
  // The gateway sells no claim to a wallet that has not approved the fee; svc_prepare would approve it with the claim.
  const isNeeded = ({ id, required }: ReportedCheck) => required || id === 'fee-allowance';
  const missing = (checks ?? []).filter((check) => !check.ok && isNeeded(check));
  if (missing.length === 0) return claim;
  const fixes = missing.map(({ fix, prepare }) =>
    prepare ? `svc_prepare ${JSON.stringify(prepare)}` : (fix ?? ''),
  );
  const [first] = missing;
  const reason = `the wallet is not ready, and nothing was paid. ${fixes.join(' ')}`;
  throw steps.failed(reason, first?.prepare ? { tool: 'svc_prepare', arguments: first.prepare } : undefined);
}

/** The way that takes no payment. */
function freeClaim(from: Address, taskId: string) {
  return { tool: 'svc_prepare', arguments: { action: 'claim-task', arguments: { taskId, from } } };
}

/** Reads the price, and refuses one that is too high, on another chain or in another token than the market's USDC. */
async function readOffer(context: ToolContext, from: Address, taskId: string, max: bigint): Promise<Offer> {
  const { status, body, challenge } = await post(context, taskId, from);
  if (status !== 402) throw explain(status, body);
  const offer = challenge.map((one) => offerSchema.safeParse(one).data).find((one) => one !== undefined);
  if (offer === undefined) throw steps.failed('this gateway takes no payments.', freeClaim(from, taskId));
  const { chainId, contracts } = await context.connectPrepare();
  const value = BigInt(offer.amount);
  const refuse = (asked: string) => steps.failed(`the gateway asks for ${asked}.`, freeClaim(from, taskId));
  if (value > max) throw refuse(`${formatUsdc(value)} USDC, more than maxUsdc ${formatUsdc(max)}`);
  if (offer.network !== `eip155:${chainId}`)
    throw refuse(`a payment on ${toShown(offer.network)}, not on chain ${chainId}`);
  if (!isSameAddress(parseAddress(offer.asset), contracts.standard.usdc)) throw refuse('another token');
  return offer;
}

async function buildPayment(
  { connectPrepare, now: readNow }: ToolContext,
  from: Address,
  taskId: string,
  offer: Offer,
) {
  const [{ chainId, contracts, reads }, now] = await Promise.all([connectPrepare(), readNow()]);
  const { market, number } = parseTaskId(taskId);
  const task = await reads.readTask(market, number);
  const authorization: UsdcPayment = {
    from,
    to: parseAddress(offer.payTo),
    value: BigInt(offer.amount),
    validAfter: BigInt(now - graceSeconds),
    validBefore: BigInt(now + offer.maxTimeoutSeconds),
    // The same for the same listing of a task: USDC takes a nonce once, so that a claim which is tried again, also by a process
    // that was started again, cannot pay twice.
    nonce: keccak256(stringToHex(`svc claim ${chainId} ${from} ${taskId} ${task?.updatedAt}`.toLowerCase())),
  };
  const domain = { ...offer.extra, chainId, verifyingContract: contracts.standard.usdc };
  return { authorization, typedData: buildUsdcPaymentTypedData(domain, authorization) };
}

/** By its nonce: a gateway that knows the extension answers a second payment under this name without taking it. */
function nameIt({ nonce }: UsdcPayment) {
  return { 'payment-identifier': { info: { required: false, id: `svc-${nonce.slice(2)}` } } };
}

/**
 * The gateway charges once: the same payment may be sent again after a failure. The wallet gets the calls that were prepared here,
 * which policy and owner have seen, and not those of the gateway.
 */
async function claim(context: ToolContext, prepared: PreparedCalls, taskId: string, payment: Payment) {
  const { offer: accepted, authorization, signature } = payment;
  const { from, nonce, value } = authorization;
  const payload = { signature, authorization };
  const signed = stringifyJson({ x402Version: 2, accepted, payload, extensions: nameIt(authorization) });
  const header = Buffer.from(signed).toString('base64');
  const { status, body } = await post(context, taskId, from, { 'payment-signature': header });
  const { errorReason } = refusalSchema.safeParse(body).data ?? {};
  if (errorReason === otherSignature) {
    payments.delete(nonce);
    const reason =
      'the gateway keeps an earlier payment for this claim, which ran out. Nothing was paid: claim without it.';
    throw steps.failed(reason, freeClaim(from, taskId));
  }
  if (errorReason === expired) {
    payments.delete(nonce);
    const fix = { tool: name, arguments: { from, taskId, maxUsdc: formatUsdc(value) } };
    throw steps.failed('the payment ran out before the gateway took it, and nothing was paid.', fix);
  }
  if (status !== 200) throw explain(status, body);
  const answer = await context.wallet.submit(buildWalletRequest(prepared));
  const next =
    answer.status === 'settled'
      ? 'The claim is settled.'
      : 'Poll svc_get_request with requestId until the claim is settled.';
  return { paid: true, ...pickRequest(answer), priceUsdc: formatUsdc(value), next };
}

async function post(
  { files }: ToolContext,
  taskId: string,
  payer: Address,
  headers: Readonly<Record<string, string>> = {},
) {
  const url = new URL(claimRoutes.claim.path.replace(':id', taskId), files.gatewayUrl);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ payer }),
  }).catch((error: unknown) => {
    throw new SvcError('API_UNREACHABLE', { url: url.origin, reason: 'no answer' }, error);
  });
  const challenge = readChallenge(response.headers.get('payment-required'));
  const body: unknown = await response.json().catch(() => null);
  return { status: response.status, body, challenge };
}

/** What the gateway would accept; nothing where it takes no payments. */
function readChallenge(header: string | null): readonly unknown[] {
  try {
    return challengeSchema.parse(JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8'))).accepts;
  } catch {
    return [];
  }
}

function explain(status: number, body: unknown): SvcError {
  const { error: reason = `The API answers ${status}.`, code } = errorSchema.safeParse(body).data ?? {};
  return new SvcError('API_REFUSED', { reason, status, code });
}
