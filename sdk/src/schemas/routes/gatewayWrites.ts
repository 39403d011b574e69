// The gateway's writes: receipts, claims and wallet requests.
import { challengeSchema, claimBodySchema, claimSchema } from '../claim.ts';
import * as examples from '../examples/gateway.ts';
import { gatewayTaskQuerySchema, requestParamsSchema, taskParamsSchema } from '../gatewayRequests.ts';
import { notReadySchema, receiptReplySchema, receiptRequestSchema } from '../receipt.ts';
import { noQuerySchema } from '../requests.ts';
import { bodyErrors, json, type Route } from '../route.ts';
import {
  createdRequestSchema,
  createRequestSchema,
  requestResultSchema,
  walletRequestSchema,
} from '../walletRequest.ts';

const taskErrors = ['TASK_ID_MALFORMED', 'MARKET_UNKNOWN', 'MARKET_MISMATCH', 'TASK_NOT_FOUND'] as const;

export const gatewayWriteRoutes = {
  paymentReceipt: {
    path: '/v1/payment-receipt',
    operationId: 'issueReceipt',
    tag: 'Claiming',
    summary: 'A receipt for a wallet that is ready',
    description:
      'Checks on chain whether an action would succeed: deposit, fee or credits, allowance, the task. The receipt is ' +
      'signed, bound to payer, action and task, and good once, for 300 seconds.',
    query: noQuerySchema,
    body: {
      description: 'Who wants to do what.',
      schema: receiptRequestSchema,
      example: examples.receiptRequest,
    },
    reply: {
      description: 'The wallet is ready.',
      contentType: json,
      schema: receiptReplySchema,
      example: examples.receiptReply,
    },
    unpaid: {
      description: 'The wallet is not ready; each check names the prepare action that helps.',
      contentType: json,
      schema: notReadySchema,
      example: examples.notReady,
    },
    isConditional: false,
    errors: [...bodyErrors, ...taskErrors, 'TASK_ID_REQUIRED', 'NOT_READY'],
    samples: [{ label: 'Ready to claim?', path: '/v1/payment-receipt', body: examples.receiptRequest }],
  },
  claim: {
    path: '/v1/tasks/:id/claim',
    operationId: 'claimTask',
    tag: 'Claiming',
    summary: 'The call that claims a task',
    description:
      'Answers 402 until a receipt (X-Svc-Payment-Receipt) or an x402 payment (PAYMENT-SIGNATURE or X-PAYMENT) comes ' +
      'along. A claim that would fail is 400, 404 or 409 before that is looked at: nothing is charged or used up.',
    params: taskParamsSchema,
    query: gatewayTaskQuerySchema,
    body: {
      description: 'The wallet that claims and pays.',
      schema: claimBodySchema,
      example: examples.claimRequest,
    },
    reply: {
      description: 'Unsigned calls for the payer’s wallet.',
      contentType: json,
      schema: claimSchema,
      example: examples.claim,
    },
    unpaid: {
      description: 'What gets in; the header holds the same in version 2 of x402.',
      contentType: json,
      schema: challengeSchema,
      example: examples.challenge,
    },
    isConditional: false,
    errors: [...bodyErrors, ...taskErrors, 'NOT_READY_TO_ACT', 'CLAIM_REFUSED', 'NOT_READY'],
    samples: [{ label: 'The price', path: '/v1/tasks/3/claim', body: examples.claimRequest }],
  },
  createRequest: {
    path: '/v1/requests',
    operationId: 'createRequest',
    tag: 'Requests',
    summary: 'Ask a wallet’s owner',
    description: 'Calls to send or typed data to sign. The owner decides on the page that approvalUrl names.',
    query: noQuerySchema,
    body: {
      description: 'What is asked for.',
      schema: createRequestSchema,
      example: examples.walletRequestBody,
    },
    reply: {
      description: 'The request waits, for a day.',
      contentType: json,
      schema: createdRequestSchema,
      example: examples.createdRequest,
    },
    isCreated: true,
    isConditional: false,
    errors: [...bodyErrors, 'ORIGIN_FOREIGN', 'STORE_UNREACHABLE'],
    samples: [{ label: 'A claim', path: '/v1/requests', body: examples.walletRequestBody }],
  },
  request: {
    path: '/v1/requests/:id',
    operationId: 'getRequest',
    tag: 'Requests',
    summary: 'What became of a request',
    description:
      'Settled only when the chain proves it: the very calls, by the very wallet, mined and not reverted.',
    params: requestParamsSchema,
    query: noQuerySchema,
    reply: {
      description: 'The request.',
      contentType: json,
      schema: walletRequestSchema,
      example: examples.walletRequest,
    },
    isConditional: false,
    errors: ['WALLET_REQUEST_NOT_FOUND', 'STORE_UNREACHABLE'],
    samples: [{ label: 'Poll it', path: `/v1/requests/${examples.createdRequest.requestId}` }],
  },
  requestResult: {
    path: '/v1/requests/:id/result',
    operationId: 'decideRequest',
    tag: 'Requests',
    summary: 'What the owner decided',
    description: 'Sent by the page: rejected, submitted with transaction hashes, or signed.',
    params: requestParamsSchema,
    query: noQuerySchema,
    body: {
      description: 'The decision.',
      schema: requestResultSchema,
      example: examples.requestResult,
    },
    reply: {
      description: 'The request as it stands then.',
      contentType: json,
      schema: walletRequestSchema,
      example: examples.walletRequest,
    },
    isConditional: false,
    errors: [
      ...bodyErrors,
      'ORIGIN_FOREIGN',
      'WALLET_REQUEST_NOT_FOUND',
      'WALLET_REQUEST_DECIDED',
      'WALLET_REQUEST_KIND',
      'SIGNATURE_WRONG',
    ],
    samples: [
      {
        label: 'Rejected',
        path: `/v1/requests/${examples.createdRequest.requestId}/result`,
        body: { status: 'rejected' },
      },
    ],
  },
} as const satisfies Record<string, Route>;
