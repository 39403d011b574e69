// Wallet requests: calls or typed data that wait for the decision of a wallet's owner, with their routes
// (docs/decisions/gateway.md, wallet requests).
import * as z from 'zod';
import { approvalTokenHeader } from '../domain/approvalLink.ts';
import { addressSchema, callSchema, hashSchema, hexSchema, named, timeSchema } from './primitives.ts';
import { defineRoutes, jsonReply, storeErrors } from './route.ts';

export const stepSchema = named('Step', 'The meaning of one call, in the order of calls.', {
  summary: z.string().describe('What the call does.'),
  contract: z.string(),
  function: z.string(),
  args: z.record(z.string(), z.unknown()),
});

/** Pending until the owner decides, submitted once transaction hashes are reported, settled once receipts prove them. */
export const requestStatuses = ['pending', 'submitted', 'settled', 'rejected', 'failed', 'expired'] as const;

const maxCalls = 16;
const quantitySchema = z.string().regex(/^[0-9]{1,78}$/);
const sentHashes = z.array(hashSchema).min(1).max(maxCalls);

/** The fields of both kinds of request. */
const ask = {
  action: z.string().min(1).max(64).describe('The prepare action it came from.'),
  summary: z.string().min(1).max(500),
  chainId: z.int().positive().describe('Must be the chain of the market: 8453 for Base.'),
  from: addressSchema,
  decidedBy: z
    .enum(['owner', 'wallet'])
    .optional()
    .describe(
      'owner (default): on the approval page. wallet: a key or a wallet tool server decides, and the page only shows what became of it.',
    ),
};

/** Body of `POST /v1/requests`: calls to send, or typed data to sign. */
export const createRequestSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('calls'),
    ...ask,
    calls: z.array(callSchema).min(1).max(maxCalls),
    steps: z.array(stepSchema).max(maxCalls).default([]),
    estimatedGas: quantitySchema.optional().describe('Units of gas for all calls together.'),
    estimatedGasCostWei: quantitySchema
      .optional()
      .describe('Wei of the chain’s coin, at the base fee when it was prepared.'),
  }),
  z.object({
    kind: z.literal('signature'),
    ...ask,
    typedData: z.record(z.string(), z.unknown()),
  }),
]);

/** Answer of `POST /v1/requests`. */
export const createdRequestSchema = z.object({
  requestId: z.string(),
  approvalUrl: z
    .url()
    .describe(
      'Where the owner decides. POST /v1/requests adds #token= and a secret that decides; GET names the page only.',
    ),
  status: z.enum(requestStatuses),
  expiresAt: timeSchema
    .optional()
    .describe('Until then the owner may decide; earlier gateways leave it out.'),
});

/** Body of `POST /v1/requests/:id/result`, sent by the page on which the owner decided. */
export const requestResultSchema = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('rejected'),
    reason: z.string().max(300).optional().describe('What the owner says about it; error has it.'),
  }),
  z
    .object({ status: z.literal('sending'), transactionHashes: sentHashes })
    .describe(
      'The first of several calls are sent; the next one still waits for the owner. Continue after the listed hashes.',
    ),
  z.object({ status: z.literal('submitted'), transactionHashes: sentHashes }),
  z.object({ status: z.literal('signed'), signature: hexSchema }),
]);

/** Answer of `GET /v1/requests/:id`: the request and its result. */
export const walletRequestSchema = createdRequestSchema.extend({
  request: createRequestSchema,
  transactionHashes: z.array(hashSchema),
  signature: hexSchema.nullable(),
  error: z.string().nullable().describe('Why it failed, or why its owner rejected it.'),
  createdAt: timeSchema,
  expiresAt: timeSchema,
  updatedAt: timeSchema,
});

export type CreateRequest = z.infer<typeof createRequestSchema>;
export type RequestResult = z.infer<typeof requestResultSchema>;
export type RequestStatus = (typeof requestStatuses)[number];
export type WalletRequest = z.infer<typeof walletRequestSchema>;

const requestParamsSchema = z.object({
  id: z.string().describe('The id that POST /v1/requests returned.'),
});

const requestId = 'pT0mF1Qc2Wq8xJk7bV3s9g';

const bodyExample: CreateRequest = {
  kind: 'calls',
  action: 'claim-task',
  summary: 'Claim task 3',
  chainId: 8453,
  from: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  calls: [{ to: '0x5FbDB2315678afecb367f032d93F642f64180aa3', value: '0x0', data: '0x4e71d92d' }],
  steps: [],
};

const resultExample = { status: 'submitted', transactionHashes: [`0x${'ab'.repeat(32)}`] };

export const requestRoutes = defineRoutes('Requests', {
  createRequest: {
    path: '/v1/requests',
    operationId: 'createRequest',
    summary: 'Ask a wallet’s owner',
    description: 'Calls to send or typed data to sign. The owner decides on the page at approvalUrl.',
    body: {
      description: 'The calls or the typed data.',
      schema: createRequestSchema,
      example: bodyExample,
    },
    reply: jsonReply('The request is pending; it expires after a day.', createdRequestSchema),
    isCreated: true,
    takesKey: true,
    mayRepeat: true,
    errors: ['REQUEST_CHAIN_WRONG', 'ORIGIN_FOREIGN', ...storeErrors],
  },
  request: {
    path: '/v1/requests/:id',
    operationId: 'getRequest',
    summary: 'The state of a request',
    description:
      'A request is settled only when the chain proves it: exactly these calls, from this wallet, mined and not reverted.',
    params: requestParamsSchema,
    reply: jsonReply('The request.', walletRequestSchema),
    errors: ['WALLET_REQUEST_NOT_FOUND', ...storeErrors],
    samples: [{ label: 'Poll it', path: `/v1/requests/${requestId}` }],
  },
  requestResult: {
    path: '/v1/requests/:id/result',
    operationId: 'decideRequest',
    summary: 'Report the owner’s decision',
    description:
      `Sent by the approval page: rejected, submitted with transaction hashes, or signed. Needs ${approvalTokenHeader} with the secret ` +
      'after #token= of the approval link, or a session of the wallet; a valid signature of the wallet needs neither.',
    params: requestParamsSchema,
    body: {
      description: 'The decision.',
      schema: requestResultSchema,
      example: resultExample,
    },
    reply: jsonReply('The request after the decision.', walletRequestSchema),
    errors: [
      'ORIGIN_FOREIGN',
      'WALLET_REQUEST_NOT_FOUND',
      'WALLET_REQUEST_NOT_YOURS',
      'WALLET_REQUEST_DECIDED',
      'WALLET_REQUEST_KIND',
      'SIGNATURE_WRONG',
    ],
    samples: [{ label: 'Rejected', path: `/v1/requests/${requestId}/result`, body: { status: 'rejected' } }],
  },
});
