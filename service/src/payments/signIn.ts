// The extension sign-in-with-x of x402: a wallet that has paid signs a message (EIP-4361) to get its answer again.
import { randomBytes } from 'node:crypto';
import { parseAddress, SvcError } from '@svc/sdk/domain';
import { addressSchema, hexSchema } from '@svc/sdk/internal/schemas/primitives';
import { hashMessage } from 'viem';
import * as z from 'zod';

export const signInKey = 'sign-in-with-x';

/** How long a message counts, and how far the clock of another gateway may be ahead, which has written its times. */
const lastingMs = 300_000;
const leadMs = 60_000;

const payloadSchema = z.object({
  domain: z.string(),
  address: addressSchema,
  uri: z.string(),
  chainId: z.string(),
  nonce: z.string().regex(/^[a-zA-Z0-9]{8,64}$/),
  issuedAt: z.iso.datetime(),
  expirationTime: z.iso.datetime(),
  signature: hexSchema,
});

/** What is paid for, and on which chain. */
type Place = { readonly url: string; readonly chainId: number };

/** What a message says beside wallet, nonce and times. */
function statementOf({ url }: Place) {
  const statement = 'Fetch again what this wallet has paid for.';
  return { domain: new URL(url).host, uri: url, version: '1', statement } as const;
}

/** For the challenge: clients sign it as it is. */
export function declareSignIn(place: Place) {
  const now = Date.now();
  return {
    info: {
      ...statementOf(place),
      nonce: randomBytes(16).toString('hex'),
      issuedAt: new Date(now).toISOString(),
      expirationTime: new Date(now + lastingMs).toISOString(),
    },
    supportedChains: [{ chainId: `eip155:${place.chainId}`, type: 'eip191' }],
    // Short, because the challenge is a header.
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      required: Object.keys(payloadSchema.shape),
    },
  };
}

/** The message of the header, for this place alone; its signature is still to be checked. Throws PAYMENT_REQUIRED. */
export function readSignIn(header: string, place: Place) {
  const { domain, uri, chainId, nonce, issuedAt, expirationTime, ...signed } = parsePayload(header);
  const expected = statementOf(place);
  if (domain !== expected.domain || uri !== expected.uri) throw refuse('it is for another task or gateway');
  if (chainId !== `eip155:${place.chainId}`) throw refuse('it is for another chain');
  const [issued, expires] = [Date.parse(issuedAt), Date.parse(expirationTime)];
  if (issued > Date.now() + leadMs || expires > issued + lastingMs)
    throw refuse('it counts for longer than five minutes from now');
  const wallet = parseAddress(signed.address);
  const message = [
    `${domain} wants you to sign in with your Ethereum account:`,
    `${wallet}\n\n${expected.statement}\n`,
    `URI: ${uri}\nVersion: ${expected.version}\nChain ID: ${place.chainId}\nNonce: ${nonce}`,
    `Issued At: ${issuedAt}\nExpiration Time: ${expirationTime}`,
  ].join('\n');
  const validUntil = Math.floor(expires / 1_000);
  return { wallet, digest: hashMessage(message), validUntil, signature: signed.signature };
}

function parsePayload(header: string) {
  try {
    return payloadSchema.parse(JSON.parse(Buffer.from(header, 'base64').toString('utf8')));
  } catch {
    throw refuse('it cannot be understood');
  }
}

export function refuse(reason: string): SvcError {
  return new SvcError('PAYMENT_REQUIRED', { reason: `the sign-in does not count: ${reason}` });
}
