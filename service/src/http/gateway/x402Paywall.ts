// The 402 handshake: the offer, in both versions of x402, and the response headers.
import { type Address, isSameAddress, SvcError } from '@svc/sdk/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Payment, paymentSchema } from '../../contract/paymentSchemas.ts';
import { readSignIn, refuse as refuseSignIn, signInKey } from '../../payments/signIn.ts';
import type { PaymentService } from '../../payments/takePayments.ts';
import {
  buildChallengeV2,
  buildFailure,
  buildRequirementV1,
  errorReasons,
  type Offer,
  offerTimeouts,
  type Price,
  refusePayment,
} from '../../payments/x402.ts';
import type { SessionService } from '../../sessions/walletSessions.ts';

export type PaywallOptions = {
  /** Null where no payments are taken. */
  readonly price: Price | null;
  readonly payments: PaymentService | null;
  readonly publicUrl: () => string;
  /** The chain's time. */
  readonly now: () => number;
  readonly sessions: Pick<SessionService, 'accept'>;
};

/** What is paid for. */
export type Product = Pick<Offer, 'description' | 'discovery' | 'isHeld'>;

type Charge = {
  readonly product: Product;
  readonly purpose: string;
  readonly payer?: Address;
  /** Everything of the answer but the settlement, ready before anything is charged. */
  readonly build: () => Promise<(settlement: object) => object>;
};

export function createPaywall({ price, payments, publicUrl, now, sessions }: PaywallOptions) {
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
      {
        product,
        error,
        receipt,
        more = null,
      }: { product: Product; error: SvcError; receipt?: object; more?: string | null },
    ): FastifyReply => {
      const offer = offerOf(request, product);
      const { errorReason } = error.details as { errorReason?: string };
      if (offer !== null) {
        const challenge = buildChallengeV2(offer, errorReason ?? error.message);
        reply.header('PAYMENT-REQUIRED', encodeHeader(challenge));
      }
      return reply.status(402).send({
        // Not in the header, whose length clients limit.
        error: more === null ? error.message : `${error.message} Also: ${more}.`,
        code: error.code,
        ...(errorReason !== undefined && { errorReason }),
        x402Version: 1,
        accepts: [offer && buildRequirementV1(offer)].filter((one) => one !== null),
        ...(receipt && { receipt }),
      });
    },

    /**
     * The answer that a wallet has paid for before, which it proves by signing in. Throws PAYMENT_REQUIRED where it has not, so
     * that clients go on to pay.
     */
    recall: async (request: FastifyRequest, purpose: string, payer: Address): Promise<string> => {
      if (payments === null || price === null) throw refuse('this gateway takes no payments');
      const { chainId } = price;
      const document = readSignIn(String(request.headers[signInKey]), { url: addressOf(request), chainId });
      if (!isSameAddress(document.wallet, payer)) throw refuseSignIn('it is of another wallet');
      await sessions
        .accept(document, () => undefined)
        .catch((error: unknown) => {
          if (!(error instanceof SvcError) || error.code === 'CHAIN_UNREACHABLE') throw error;
          throw refuseSignIn(error.message.replace(/\.$/, ''));
        });
      const body = await payments.findPaid(payer, purpose);
      if (body === null) throw refuseSignIn('this wallet has paid for nothing here');
      return body;
    },

    /**
     * Takes the payment of a request and returns the body of its answer: that of `build`, which runs before anything is
     * charged, or the one that this payment has got before, for a payer whose reply was lost.
     */
    charge: async (
      request: FastifyRequest,
      reply: FastifyReply,
      { product, purpose, payer, build }: Charge,
    ): Promise<string> => {
      const offer = offerOf(request, product);
      const isOwn = (payment: Payment) =>
        payer === undefined || isSameAddress(payment.payload.authorization.from, payer);
      const findAnswer = async () => {
        const payment = readPayment(request);
        if (payments === null || offer === null || payment === null || !isOwn(payment)) return null;
        const found =
          (await payments.findAnswer(payment, offer, purpose)) ??
          (await payments.findNamed(payment, offer, purpose));
        if (found !== null) reply.header(headerOf(payment), encodeHeader(found.settlement));
        return found?.body ?? null;
      };
      const answered = await findAnswer();
      if (answered !== null) return answered;
      const toBody = await build();
      if (payments === null || offer === null) throw refuse('this gateway takes no payments');
      const payment = parsePayment(request);
      if (!isOwn(payment)) throw refusePayment('the payment is of another payer', errorReasons.payload);
      try {
        const held = await payments.hold(payment, offer, purpose);
        const settlement = await held.settle();
        const body = JSON.stringify(toBody(settlement));
        await held.answer(body);
        reply.header(headerOf(payment), encodeHeader(settlement));
        return body;
      } catch (error) {
        if (!(error instanceof SvcError) || error.code !== 'PAYMENT_REQUIRED') throw error;
        // Another request with the same payment may have been quicker.
        const meanwhile = await findAnswer();
        if (meanwhile !== null) return meanwhile;
        const { errorReason = errorReasons.other } = error.details as { errorReason?: string };
        reply.header(headerOf(payment), encodeHeader(buildFailure(payment, offer, errorReason)));
        throw error;
      }
    },
  };
}

const headerOf = ({ x402Version }: Payment) =>
  x402Version === 2 ? 'PAYMENT-RESPONSE' : 'X-PAYMENT-RESPONSE';

/** Where no payment came: the protocol has no reason for that. */
export function refuse(reason: string): SvcError {
  return new SvcError('PAYMENT_REQUIRED', { reason });
}

export function hasPayment({ headers }: FastifyRequest): boolean {
  return headers['payment-signature'] !== undefined || headers['x-payment'] !== undefined;
}

export function hasSignIn({ headers }: FastifyRequest): boolean {
  return headers[signInKey] !== undefined;
}

/** Throws PAYMENT_REQUIRED on what is no payment that we understand. */
function parsePayment(request: FastifyRequest): Payment {
  const payment = readPayment(request);
  if (payment === null) throw refusePayment('the payment cannot be understood', errorReasons.payload);
  return payment;
}

function readPayment({ headers }: FastifyRequest): Payment | null {
  const value = headers['payment-signature'] ?? headers['x-payment'];
  try {
    return paymentSchema.parse(JSON.parse(Buffer.from(String(value), 'base64').toString('utf8')));
  } catch {
    return null;
  }
}

function encodeHeader(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
