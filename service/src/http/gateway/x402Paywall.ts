// The 402 handshake: the offer, in both versions of x402, and the response headers.
import type { ServerResponse } from 'node:http';
import { type Address, isSameAddress, SvcError } from '@svc/sdk/domain';
import { type Payment, paymentSchema } from '@svc/sdk/internal/schemas/x402';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PaymentService } from '#payments/takePayments.ts';
import {
  buildChallengeV2,
  buildFailure,
  buildRequirementV1,
  type Discovery,
  errorReasons,
  type Offer,
  offerTimeouts,
  type Price,
  refusePayment,
} from '#payments/x402.ts';
import type { AppLog } from '../requestLog.ts';

export type PaywallOptions = {
  /** Null where no payments are taken. */
  readonly price: Price | null;
  readonly payments: PaymentService | null;
  readonly publicUrl: () => string;
  /** The chain's time. */
  readonly now: () => number;
  readonly log: Pick<AppLog, 'error'>;
};

/** What is paid for. */
export type Product = { readonly description: string; readonly discovery: Discovery };

export type Paywall = ReturnType<typeof createPaywall>;

export function createPaywall({ price, payments, publicUrl, now, log }: PaywallOptions) {
  const offerOf = (request: FastifyRequest, product: Product): Offer | null =>
    price && {
      ...product,
      price,
      url: addressOf(request),
      timeouts: offerTimeouts(now(), Date.now() / 1_000),
    };
  // Without what was asked of it: that may be longer than a client takes in a header.
  const addressOf = ({ url }: FastifyRequest) => publicUrl() + url.split('?', 1)[0];

  return {
    /** `receipt` describes how to get access without paying, where that is possible. */
    challenge: (
      request: FastifyRequest,
      reply: FastifyReply,
      { product, error, receipt }: { product: Product; error: SvcError; receipt?: object },
    ): FastifyReply => {
      const offer = offerOf(request, product);
      const { errorReason } = error.details as { errorReason?: string };
      if (offer !== null) {
        const challenge = buildChallengeV2(offer, errorReason ?? error.message);
        reply.header('PAYMENT-REQUIRED', encodeHeader(challenge));
      }
      return reply.status(402).send({
        error: error.message,
        code: error.code,
        ...(errorReason !== undefined && { errorReason }),
        x402Version: 1,
        accepts: [offer && buildRequirementV1(offer)].filter((one) => one !== null),
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
      { product, purpose, payer }: { product: Product; purpose: string; payer?: Address },
    ): Promise<object> => {
      const offer = offerOf(request, product);
      if (payments === null || offer === null) throw refuse('this gateway takes no payments');
      const payment = parsePayment(request);
      if (payer !== undefined && !isSameAddress(payment.payload.authorization.from as Address, payer))
        throw refusePayment('the payment is of another payer', errorReasons.payload);
      const name = payment.x402Version === 2 ? 'PAYMENT-RESPONSE' : 'X-PAYMENT-RESPONSE';
      const { held, settlement } = await settle(payments, payment, offer, purpose).catch((error: unknown) => {
        if (error instanceof SvcError && error.code === 'PAYMENT_REQUIRED') {
          const { errorReason = errorReasons.other } = error.details as { errorReason?: string };
          reply.header(name, encodeHeader(buildFailure(payment, offer, errorReason)));
        }
        throw error;
      });
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
      reply.header(name, encodeHeader(settlement));
      return settlement;
    },
  };
}

async function settle(payments: PaymentService, payment: Payment, offer: Offer, purpose: string) {
  const held = await payments.hold(payment, offer, purpose);
  return { held, settlement: await held.settle() };
}

/** Where no payment came: the protocol has no reason for that. */
export function refuse(reason: string): SvcError {
  return new SvcError('PAYMENT_REQUIRED', { reason });
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
    const details = { reason: 'the payment cannot be understood', errorReason: errorReasons.payload };
    throw new SvcError('PAYMENT_REQUIRED', details, error);
  }
}

function isAnswered({ writableFinished, statusCode }: ServerResponse): boolean {
  return writableFinished && statusCode < 400;
}

function encodeHeader(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
