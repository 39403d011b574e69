// The files of docs/schemas: JSON Schema for messages between parties.

import { signedEnvelopeSchema } from '@svc/sdk/internal/schemas/envelope';
import { envelopeSchema, messageTypes, payloadSchemas, termsSchema } from '@svc/sdk/negotiation';
import * as z from 'zod';

/** The files of docs/schemas, by name: JSON Schema 2020-12 for each message type, the envelope, the signed envelope and the terms. */
export function buildEnvelopeFiles(): ReadonlyMap<string, object> {
  const payloads = messageTypes.map((type) => [`${type}.json`, toFile(type, payloadSchemas[type])] as const);
  return new Map([
    ['envelope.json', { ...toFile('envelope', envelopeSchema), allOf: messageTypes.map(describePayload) }],
    ['signedEnvelope.json', buildSignedEnvelope()],
    ['taskTerms.json', toFile('taskTerms', termsSchema)],
    ...payloads,
  ]);
}

function describePayload(type: string) {
  return {
    if: { properties: { type: { const: type } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
    then: { properties: { payload: { $ref: `${type}.json` } } },
  };
}

function buildSignedEnvelope() {
  const { $defs: _, properties, ...rest } = toFile('signedEnvelope', signedEnvelopeSchema);
  return { ...rest, properties: { ...(properties as object), envelope: { $ref: 'envelope.json' } } };
}

function toFile(name: string, schema: z.ZodType): Record<string, unknown> {
  const { $schema, $ref, $defs, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
  // zod renders a schema that has an id as a reference to itself; in a file of its own the schema stands at the top.
  const { [$ref?.replace('#/$defs/', '') ?? '']: own, ...parts } = $defs ?? {};
  const hasParts = Object.keys(parts).length > 0;
  return { $schema, $id: `${name}.json`, title: name, ...own, ...rest, ...(hasParts && { $defs: parts }) };
}
