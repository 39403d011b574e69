// POST /v1/payment-receipt and POST /v1/tasks/:id/claim: 402 until a receipt or a payment comes along.

import type { Market } from '@svc/sdk/domain';
import { type Address, formatTaskId, parseAddress, SvcError, type TaskKey } from '@svc/sdk/domain';
import { claimBodySchema, gatewayRoutes, receiptHeader, receiptRequestSchema } from '@svc/sdk/schemas';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ClaimService, notReady } from '#claims/prepareClaim.ts';
import type { ReceiptService } from '#claims/receipts.ts';
import { sendJson } from '../reply.ts';
import { parseBody } from '../requestFields.ts';
import { parseGatewayTaskId } from './market.ts';
import {
  allowOrigin,
  createPaywall,
  hasPayment,
  type PaywallOptions,
  type Product,
  refuse,
  sentHeaders,
} from './paywall.ts';

export type ClaimRoutes = PaywallOptions & {
  readonly claims: ClaimService;
  readonly receipts: ReceiptService;
  readonly registryOf: (market: Market) => Address;
};

const { path: receiptPath } = gatewayRoutes.paymentReceipt;
const { path: claimPath } = gatewayRoutes.claim;
const product: Product = {
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
  const { claims, receipts, registryOf, publicUrl } = options;
  const paywall = createPaywall(options);

  for (const url of [receiptPath, claimPath]) {
    app.options(url, async (_request, reply) =>
      allowOrigin(reply)
        .header('Access-Control-Allow-Methods', 'POST')
        .header('Access-Control-Allow-Headers', sentHeaders)
        .header('Access-Control-Max-Age', '86400')
        .status(204)
        .send(),
    );
  }

  app.post(receiptPath, { onRequest: letAnyoneRead }, async (request, reply) => {
    const { payer, action, market, taskId } = parseBody(receiptRequestSchema, request.body);
    if (action !== 'post' && taskId === undefined) throw new SvcError('TASK_ID_REQUIRED', {});
    const key = action === 'post' ? null : parseGatewayTaskId(taskId as string, { market });
    const subject = subjectOf(parseAddress(payer), key?.market ?? market ?? 'standard', key);
    const readiness = await claims.checkReadiness(subject.payer, action, subject.market, key);
    if (!readiness.ready) {
      return sendJson(request, reply.status(402), { error: notReady(readiness).message, readiness });
    }
    return sendJson(request, reply, { ...(await receipts.issue({ ...subject, action })), readiness });
  });

  app.post<{ Params: { id: string } }>(
    claimPath,
    {
      // Before id, body or state are looked at: who brings nothing learns the price and nothing else.
      onRequest: async (request, reply) => {
        allowOrigin(reply);
        if (request.headers[receiptHeader.toLowerCase()] !== undefined || hasPayment(request)) return;
        return challenge(request, reply, refuse('send a receipt or a payment'));
      },
    },
    async (request, reply) => {
      const key = parseGatewayTaskId(request.params.id, request.query);
      const payer = parseAddress(parseBody(claimBodySchema, request.body).payer);
      try {
        const claim = await claims.prepare(key, payer);
        const receipt = request.headers[receiptHeader.toLowerCase()];
        const paid =
          receipt === undefined
            ? await paywall.charge(request, reply, {
                product,
                purpose: `claim ${formatTaskId(key)}`,
                payer,
              })
            : await redeem(String(receipt), key, payer);
        return sendJson(request, reply, { ...claim, receipt: paid });
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        if (error.code === 'PAYMENT_REQUIRED') return challenge(request, reply, error);
        if (error.code !== 'NOT_READY_TO_ACT') throw error;
        const { readiness } = error.details;
        return sendJson(request, reply.status(409), { error: error.message, readiness });
      }
    },
  );

  /** Runs before the body is read, so that pages of other origins can read errors about the body too. */
  async function letAnyoneRead(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
    allowOrigin(reply);
  }

  function challenge(request: FastifyRequest, reply: FastifyReply, error: SvcError): FastifyReply {
    const receipt = { url: `${publicUrl()}${receiptPath}`, header: receiptHeader };
    return paywall.challenge(request, reply, { product, error, receipt });
  }

  function subjectOf(payer: Address, market: Market, key: TaskKey | null) {
    return { payer, market, registry: registryOf(market), taskId: key === null ? '' : formatTaskId(key) };
  }

  async function redeem(value: string, key: TaskKey, payer: Address) {
    const receipt = await receipts.verify(value, { ...subjectOf(payer, key.market, key), action: 'claim' });
    if (receipt === null) throw refuse('the receipt is not one for this claim and payer, or it has expired');
    if (!(await receipts.redeem(receipt))) throw refuse('the receipt has been used');
    return receipt;
  }
}
