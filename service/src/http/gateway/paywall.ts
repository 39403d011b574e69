// The 402 handshake: the offer, in both versions of x402, and the response headers.
import type { ServerResponse } from 'node:http';
import { type Address, isSameAddress, SvcError } from '@svc/sdk/domain';
import { type Payment, paymentSchema, receiptHeader } from '@svc/sdk/schemas';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PaymentService } from '#gateway/payments.ts';
import { buildChallengeV2, buildRequirementV1, type Offer, type Price } from '#gateway/x402.ts';
import { sendJson } from '../reply.ts';
import type { AppLog } from '../requestLog.ts';

export type PaywallOptions = {
  /** Null where no payments are taken. */
  readonly price: Price | null;
  readonly payments: PaymentService | null;
  readonly publicUrl: () => string;
  readonly log: Pick<AppLog, 'error'>;
};

export type Paywall = ReturnType<typeof createPaywall>;

/** A page of another origin must be able to read the challenge. */
const exposedHeaders = 'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, X-Request-Id';
export const sentHeaders = `Content-Type, PAYMENT-SIGNATURE, X-PAYMENT, ${receiptHeader}, Access-Control-Expose-Headers`;

export function createPaywall({ price, payments, publicUrl, log }: PaywallOptions) {
  const offerOf = (request: FastifyRequest, description: string): Offer | null =>
    price === null ? null : { price, url: addressOf(request), description };
  // Without what was asked of it: that may be longer than a client takes in a header.
  const addressOf = ({ url }: FastifyRequest) => publicUrl() + url.split('?', 1)[0];

  return {
    /** `receipt` describes how to get access without paying, where that is possible. */
    challenge: (
      request: FastifyRequest,
      reply: FastifyReply,
      { description, error, receipt }: { description: string; error: SvcError; receipt?: object },
    ): FastifyReply => {
      const offer = offerOf(request, description);
      if (offer !== null) {
        reply.header('PAYMENT-REQUIRED', encodeHeader(buildChallengeV2(offer, error.message)));
      }
      return sendJson(request, allowOrigin(reply.status(402)), {
        error: error.message,
        x402Version: 1,
        accepts: offer === null ? [] : [buildRequirementV1(offer)],
        ...(receipt && { receipt }),
      });
    },

    /**
     * Takes the payment of a request whose answer is ready, and returns what the payer receives about it. From then on
     * the payment counts as used, unless the answer cannot be sent: then the payer can retry.
     */
    charge: async (
      request: FastifyRequest,
      reply: FastifyReply,
      { description, purpose, payer }: { description: string; purpose: string; payer?: Address },
    ): Promise<object> => {
      const offer = offerOf(request, description);
      if (payments === null || offer === null) throw refuse('this gateway takes no payments');
      const payment = parsePayment(request);
      if (payer !== undefined && !isSameAddress(payment.payload.authorization.from as Address, payer))
        throw refuse('the payment is of another payer');
      const held = await payments.hold(payment, offer, purpose);
      const settlement = await held.settle();
      const giveBack = () =>
        held
          .giveBack()
          .catch((error) =>
            log.error({ requestId: request.id, error }, 'a payment is charged and unanswered'),
          );
      try {
        await held.answer();
      } catch (error) {
        // It may have been saved all the same.
        void giveBack();
        throw error;
      }
      if (reply.raw.destroyed) void giveBack();
      else reply.raw.once('close', () => void (isAnswered(reply.raw) || giveBack()));
      const name = payment.x402Version === 2 ? 'PAYMENT-RESPONSE' : 'X-PAYMENT-RESPONSE';
      reply.header(name, encodeHeader(settlement));
      return settlement;
    },
  };
}

export function refuse(reason: string): SvcError {
  return new SvcError('PAYMENT_REQUIRED', { reason });
}

export function allowOrigin(reply: FastifyReply): FastifyReply {
  return reply
    .header('Access-Control-Allow-Origin', '*')
    .header('Access-Control-Expose-Headers', exposedHeaders);
}

export function hasPayment({ headers }: FastifyRequest): boolean {
  return headers['payment-signature'] !== undefined || headers['x-payment'] !== undefined;
}

/** Throws PAYMENT_REQUIRED on what is no payment that we understand. */
function parsePayment({ headers }: FastifyRequest): Payment {
  const value = headers['payment-signature'] ?? headers['x-payment'];
  try {
    return paymentSchema.parse(JSON.parse(Buffer.from(String(value), 'base64').toString('utf8')));
  } catch (error) {
    throw new SvcError('PAYMENT_REQUIRED', { reason: 'the payment cannot be understood' }, error);
  }
}

function isAnswered({ writableFinished, statusCode }: ServerResponse): boolean {
  return writableFinished && statusCode < 400;
}

function encodeHeader(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
