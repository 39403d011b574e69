// How a signed envelope lies in an XMTP message: content type svc/negotiation-envelope:1.0, the text as UTF-8.

import { toShown } from '@svc/sdk/domain';
import { parseWire } from '@svc/sdk/negotiation';
import type { Client } from '@xmtp/node-sdk';

type Codec = NonNullable<NonNullable<Parameters<typeof Client.create>[1]>['codecs']>[number];
type EncodedContent = ReturnType<Codec['encode']>;
type ContentType = NonNullable<EncodedContent['type']>;

export const envelopeContentType: ContentType = {
  authorityId: 'svc',
  typeId: 'negotiation-envelope',
  versionMajor: 1,
  versionMinor: 0,
};

/** Its content is the wire text as it is: whether it is an envelope is judged where all arrivals are. */
export const envelopeCodec = {
  contentType: envelopeContentType,
  encode: (text: string): EncodedContent => ({
    type: envelopeContentType,
    parameters: {},
    fallback: describe(text),
    content: new TextEncoder().encode(text),
  }),
  /** Broken UTF-8 becomes a text that no check lets through; a mark at the beginning stays, for the same reason. */
  decode: ({ content }: EncodedContent): string =>
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(content),
  fallback: describe,
  shouldPush: () => true,
};

export function isEnvelopeContent(type: ContentType | undefined): boolean {
  const { authorityId, typeId, versionMajor } = envelopeContentType;
  return type?.authorityId === authorityId && type.typeId === typeId && type.versionMajor === versionMajor;
}

/** One line for people whose messenger does not know the type. */
function describe(text: string): string {
  const parsed = parseWire(text);
  if ('refusal' in parsed) return 'A message of a task negotiation.';
  const { type, sequence, negotiationId } = parsed.signed.envelope;
  return `${toShown(type)}, message ${sequence} of the task negotiation ${negotiationId}.`;
}
