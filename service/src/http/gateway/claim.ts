// POST /v1/payment-receipt, and POST /v1/tasks/:id/claim: 402 until a receipt or a payment comes along.

import {
  type Address,
  formatTaskId,
  type Market,
  parseAddress,
  SvcError,
  type Task,
  type TaskKey,
} from '@svc/sdk/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ClaimService, notReady } from '../../claims/prepareClaim.ts';
import type { ReceiptService } from '../../claims/receipts.ts';
import { gatewayRoutes } from '../../contract/apis.ts';
import { claimBodySchema, receiptHeader } from '../../contract/claiming.ts';
import { jsonType } from '../body.ts';
import { createRateLimit } from '../rateLimit.ts';
import { parseBody, parseUrl } from '../requestFields.ts';
import { type Call, createServeCall, type SessionRoutes } from './callRoute.ts';
import { parseGatewayTaskId } from './market.ts';
import {
  createPaywall,
  hasPayment,
  hasSignIn,
  type PaywallOptions,
  type Product,
  refuse,
} from './x402Paywall.ts';

export type ClaimRoutes = PaywallOptions &
  SessionRoutes & {
    readonly claims: ClaimService;
    readonly receipts: ReceiptService;
    /** The rows. */
    readonly tasks: {
      readonly loadTask: (
        market: Market,
        number: bigint,
      ) => Promise<{ readonly task: Pick<Task, 'state'> } | null>;
    };
    readonly registryOf: (market: Market) => Address;
    readonly writesPerMinute: number;
  };

const { paymentReceipt, claim: claimRoute } = gatewayRoutes;
const config = { crossOrigin: 'call' } as const;
const product: Product = {
  isHeld: true,
  description: 'The unsigned call that claims a task',
  discovery: {
    method: 'POST',
    body: {
      example: { payer: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' },
      schema: { type: 'object', properties: { payer: { type: 'string' } }, required: ['payer'] },
    },
  },
};

export function registerClaimRoutes(app: FastifyInstance, options: ClaimRoutes): void {
  const { claims, receipts, tasks, registryOf, publicUrl } = options;
  const paywall = createPaywall(options);
  // For any caller, a receipt and a claim each ask the chain about a dozen times.
  const limit = Math.ceil(options.writesPerMinute / 5);
  const questions = createRateLimit({ name: 'claims', limit, total: { limit: 5 * limit, quiet: 5 } });

  const issue = async ({ body: { payer, action, market, taskId } }: Call<typeof paymentReceipt>) => {
    if (action !== 'post' && taskId === undefined) throw new SvcError('TASK_ID_REQUIRED', {});
    const key = action === 'post' ? null : parseGatewayTaskId(taskId as string, { market });
    const subject = subjectOf(parseAddress(payer), key?.market ?? market ?? 'standard', key);
    const readiness = await claims.checkReadiness(subject.payer, action, subject.market, key);
    if (!readiness.ready) throw notReady(readiness);
    return { ...(await receipts.issue({ ...subject, action })), readiness };
  };
  createServeCall(app, options.sessions)(paymentReceipt, issue, questions);

  app.post(
    claimRoute.path,
    {
      config,
      // Before the body is read: who brings nothing learns the price, and what else the address and the rows show to be wrong.
      onRequest: async (request, reply) => {
        if (request.headers[receiptHeader.toLowerCase()] !== undefined || hasPayment(request)) return;
        if (hasSignIn(request)) return;
        const more = await findProblem(request).catch(() => null);
        return challenge(request, reply, refuse('send a receipt or a payment'), more);
      },
    },
    async (request, reply) => {
      questions.take(request.ip, reply);
      const { params, query } = parseUrl(claimRoute, request);
      const key = parseGatewayTaskId(params.id, query);
      const payer = parseAddress(parseBody(claimBodySchema, request.body).payer);
      try {
        const value = request.headers[receiptHeader.toLowerCase()];
        if (value !== undefined) {
          // Before the chain is asked: anyone can send something that is no receipt.
          const receipt = await requireReceipt(String(value), key, payer);
          const claim = await claims.prepare(key, payer);
          // Last: a claim that is refused uses nothing up.
          if (!(await receipts.redeem(receipt))) throw refuse('the receipt has been used');
          return { ...claim, receipt };
        }
        const purpose = `claim ${formatTaskId(key)}`;
        if (!hasPayment(request)) {
          const held = await paywall.recall(request, purpose, payer);
          await requireCurrent(JSON.parse(held), key, payer);
          return reply.type(jsonType).send(held);
        }
        const build = async () => {
          const claim = await claims.prepare(key, payer);
          return (receipt: object) => ({ ...claim, receipt });
        };
        return reply
          .type(jsonType)
          .send(await paywall.charge(request, reply, { product, purpose, payer, build }));
      } catch (error) {
        if (!(error instanceof SvcError) || error.code !== 'PAYMENT_REQUIRED') throw error;
        return challenge(request, reply, error);
      }
    },
  );

  /** What else would refuse this claim, as far as the address and the rows say; the chain is not asked. */
  async function findProblem(request: FastifyRequest): Promise<string | null> {
    try {
      const { params, query } = parseUrl(claimRoute, request);
      const { market, number } = parseGatewayTaskId(params.id, query);
      const stored = await tasks.loadTask(market, number);
      if (stored === null) return 'this gateway knows no such task yet';
      const { state } = stored.task;
      return state === 'POSTED' ? null : `the task cannot be claimed, it is ${state}`;
    } catch (error) {
      if (error instanceof SvcError) return error.message.replace(/\.$/, '');
      throw error;
    }
  }

  function challenge(
    request: FastifyRequest,
    reply: FastifyReply,
    error: SvcError,
    more: string | null = null,
  ): FastifyReply {
    const receipt = { url: `${publicUrl()}${paymentReceipt.path}`, header: receiptHeader };
    return paywall.challenge(request, reply, { product, error, receipt, more });
  }

  function subjectOf(payer: Address, market: Market, key: TaskKey | null) {
    return { payer, market, registry: registryOf(market), taskId: key === null ? '' : formatTaskId(key) };
  }

  /** A held claim on earlier terms would fail: a client that signs in before it pays would never get beyond it. */
  async function requireCurrent(held: { readonly settlementDigest: string }, key: TaskKey, payer: Address) {
    const current = await claims.prepare(key, payer).catch(() => null);
    if (current !== null && current.settlementDigest !== held.settlementDigest)
      throw refuse(
        'the terms of the task have changed since this wallet paid; pay for a claim on the new ones',
      );
  }

  async function requireReceipt(value: string, key: TaskKey, payer: Address) {
    const receipt = await receipts.verify(value, { ...subjectOf(payer, key.market, key), action: 'claim' });
    if (receipt === null) throw refuse('the receipt is not one for this claim and payer, or it has expired');
    return receipt;
  }
}
