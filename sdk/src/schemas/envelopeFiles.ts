// The JSON Schema files of docs/schemas: one for each kind of message, one for the envelope, one for the wire.
import * as z from 'zod';
import { envelopeSchema, signedEnvelopeSchema } from './envelope.ts';
import { messageTypes, payloadSchemas } from './envelopePayloads.ts';
import { termsSchema } from './terms.ts';

/** File name -> JSON Schema 2020-12. The files refer to one another by name. */
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
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: { properties: { payload: { $ref: `${type}.json` } } },
  };
}

function buildSignedEnvelope() {
  const { $defs: _, properties, ...rest } = toFile('signedEnvelope', signedEnvelopeSchema);
  return { ...rest, properties: { ...(properties as object), envelope: { $ref: 'envelope.json' } } };
}

function toFile(name: string, schema: z.ZodType): Record<string, unknown> {
  const { $schema, $ref, $defs, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
  // A schema with a name of its own comes as a reference to itself; here it is the file.
  const { [$ref?.replace('#/$defs/', '') ?? '']: own, ...parts } = $defs ?? {};
  const needsParts = Object.keys(parts).length > 0;
  return { $schema, $id: `${name}.json`, title: name, ...own, ...rest, ...(needsParts && { $defs: parts }) };
}
