// Sessions of wallets at a gateway, with their routes.
import * as z from 'zod';
import { addressSchema, asHex, hashSchema, hexText, timeSchema } from './primitives.ts';
import { defineRoutes, jsonReply, storeErrors } from './route.ts';

/** A counterfactual wallet's signature (ERC-6492) carries the calls that deploy it; 8 KiB hold any known wallet's. */
export const maxSignatureDigits = 2 + 2 * 8_192;

export const sessionBodySchema = z.object({
  wallet: addressSchema,
  gateway: z
    .string()
    .max(300)
    .describe('The origin that the client connects to, such as https://gateway.example.'),
  nonce: hashSchema.describe('32 random bytes: each signed document works once.'),
  validUntil: timeSchema.describe('Unix seconds, 24 hours from now at most.'),
  signature: asHex(hexText.max(maxSignatureDigits)).describe(
    'EIP-712, by the wallet, over Session(address wallet,string gateway,bytes32 nonce,uint64 validUntil) in the domain {name: "svc gateway", version: "1", chainId}. Smart wallets sign by ERC-1271 or ERC-6492.',
  ),
});

export const sessionReplySchema = z.object({
  token: z.string().describe('Send it as Authorization: Bearer. It is shown once.'),
  expiresAt: timeSchema,
});

export type SessionBody = z.infer<typeof sessionBodySchema>;
export type SessionReply = z.infer<typeof sessionReplySchema>;

const bodyExample: SessionBody = {
  wallet: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  gateway: 'http://127.0.0.1:4020',
  nonce: `0x${'5e'.repeat(32)}`,
  validUntil: 1_793_391_894,
  signature: `0x${'ab'.repeat(65)}`,
};

export const sessionRoutes = defineRoutes('Sessions', {
  openSession: {
    path: '/v1/sessions',
    operationId: 'openSession',
    summary: 'Open a session',
    description:
      'A wallet proves once that it is the caller. Messages and files then need only the token, for 24 hours at most.',
    body: { description: 'The signed document.', schema: sessionBodySchema, example: bodyExample },
    reply: jsonReply('The session is open.', sessionReplySchema),
    isCreated: true,
    isLimited: true,
    errors: [
      'NO_STANDING',
      'SESSION_USED',
      'SESSION_REFUSED',
      'SIGNATURE_WRONG',
      'RATE_LIMITED',
      'CHAIN_UNREACHABLE',
      ...storeErrors,
    ],
  },
  closeSession: {
    path: '/v1/sessions',
    method: 'delete',
    operationId: 'closeSession',
    summary: 'Close a session',
    description: 'Revokes the token that the request carries.',
    needsSession: true,
    reply: jsonReply('The token no longer works.', z.object({ revoked: z.literal(true) })),
  },
});
