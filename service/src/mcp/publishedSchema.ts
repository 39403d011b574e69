// The schemas of a tool as clients see them: short, and in the part of JSON Schema that every model provider takes. Calls
// are checked by the full schemas, whose mistakes come back in words.
import * as z from 'zod';

/** The part of JSON Schema that zod writes and the tools read. */
export type Json = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Json;
  readonly anyOf?: readonly Json[];
  readonly oneOf?: readonly Json[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
};

export type JsonSchema = Pick<
  Json,
  'type' | 'description' | 'enum' | 'minimum' | 'maximum' | 'items' | 'anyOf' | 'properties' | 'required'
> & { readonly additionalProperties?: boolean };

type Fields = Readonly<Record<string, JsonSchema>>;

/** Inlines references, because not every provider follows them. */
export function toJson(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const inline = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inline);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, ...rest } = node as { readonly $ref?: string };
    const whole = { ...$defs[$ref?.replace('#/$defs/', '') ?? ''], ...rest };
    return Object.fromEntries(Object.entries(whole).map(([key, value]) => [key, inline(value)]));
  };
  return inline(root) as Json;
}

/** The arguments that a model fills in; `others` replaces some of them. */
export function publishInput(input: z.ZodType, others: Fields = {}): JsonSchema {
  const schema = shorten(toJson(input, 'input'), true);
  return { ...schema, properties: { ...schema.properties, ...others } };
}

/** The fields of all schemas in one, each once and none required. Which belong together is checked by the full schemas. */
export function publishAny(schemas: readonly z.ZodType[]): JsonSchema {
  const all = schemas.map((schema) => publishInput(schema));
  return {
    ...all.reduce(merge, { type: 'object', properties: {} }),
    required: [],
    additionalProperties: false,
  };
}

function merge(into: JsonSchema, other: JsonSchema): JsonSchema {
  if (into.properties === undefined || other.properties === undefined) {
    const values = into.enum && other.enum && { enum: [...new Set([...into.enum, ...other.enum])] };
    return { ...other, ...into, ...values };
  }
  const properties = { ...into.properties };
  for (const [name, field] of Object.entries(other.properties))
    properties[name] = properties[name] === undefined ? field : merge(properties[name], field);
  return { ...into, properties };
}

/** Replaces the descriptions of all fields by one for the object; `others` replaces fields. */
export function withoutWords(
  { properties = {}, ...schema }: JsonSchema,
  description: string,
  others: Fields,
): JsonSchema {
  const fields = Object.entries(properties).map(([name, { description: _, ...field }]) => [name, field]);
  return { ...schema, description, properties: { ...Object.fromEntries(fields), ...others } };
}

/**
 * An object of texts inside of arguments, as strict clients take it: each field is required, and empty where there is nothing
 * to say. A union of texts and objects stops them, and Gemini takes no list of types.
 */
export function asObject(...fields: readonly string[]): JsonSchema {
  const properties = Object.fromEntries(fields.map((name) => [name, { type: 'string' }]));
  return { type: 'object', properties, required: fields, additionalProperties: false };
}

/** For a document that another tool has returned and that is passed on unchanged, so its fields are not described again. */
export function asJsonText(description: string): JsonSchema {
  return { type: 'string', description };
}

/** Parses a document that was passed as JSON text; other values are returned unchanged. */
export function readJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** `isDescribed` is false below an object with its own words. */
function shorten(node: Json, isDescribed: boolean): JsonSchema {
  const description = isDescribed ? describe(node) : undefined;
  const words = description === undefined ? {} : { description };
  const choices = node.anyOf ?? node.oneOf;
  if (choices !== undefined) return { ...shortenChoices(choices), ...words };
  const { type, items, minimum, maximum } = node;
  const values = node.const === undefined ? node.enum : [node.const];
  const isShown = (limit: number | undefined) =>
    isDescribed && limit !== undefined && Math.abs(limit) < 2 ** 32;
  return {
    ...(type !== undefined && { type: pickType(type) }),
    ...words,
    ...(values !== undefined && { enum: values }),
    ...(isShown(minimum) && { minimum }),
    ...(isShown(maximum) && { maximum }),
    ...(items !== undefined && { items: shorten(items, false) }),
    ...(type === 'object' && shortenObject(node, isDescribed && description === undefined)),
  };
}

/** Strict clients take an object only with a list of required fields, and without others. */
function shortenObject({ properties = {}, required = [] }: Json, isDescribed: boolean) {
  const fields = Object.entries(properties)
    .map(([name, field]) => [name, shorten(field, isDescribed)] as const)
    .filter(([, field]) => !isMap(field));
  return {
    properties: Object.fromEntries(fields),
    required: required.filter((name) => fields.some(([field]) => field === name)),
    additionalProperties: false,
  };
}

/** An object with any names: strict schemas cannot express it. */
function isMap({ type, properties }: JsonSchema): boolean {
  return type === 'object' && Object.keys(properties ?? {}).length === 0;
}

/** Drops number where text is allowed as well: text keeps all digits. */
function pickType(type: string | readonly string[]): string | readonly string[] {
  if (typeof type === 'string') return type;
  const kept = type.includes('string') ? type.filter((one) => one !== 'number') : type;
  return kept.length === 1 ? (kept[0] ?? kept) : kept;
}

function shortenChoices(choices: readonly Json[]): JsonSchema {
  const all = choices.map((choice) => shorten(choice, false));
  const isNullable = all.some(({ type }) => type === 'null');
  const kept = all.filter((one) => one.type !== 'null' && !isMap(one));
  const [only = {}, ...others] = kept.filter(
    (one, index) => kept.findIndex(({ type }) => type === one.type) === index,
  );
  if (others.length > 0) return { anyOf: [only, ...others] };
  if (!isNullable || typeof only.type !== 'string') return only;
  return { ...only, type: [only.type, 'null'], ...(only.enum && { enum: [...only.enum, null] }) };
}

/** Adds the default to the description, because not every provider accepts the keyword. */
function describe({ description, default: preset }: Json): string | undefined {
  const isShown =
    (typeof preset === 'string' || typeof preset === 'number') && /^\S{1,12}$/.test(String(preset));
  if (!isShown || /default|none/i.test(description ?? '')) return description;
  return description === undefined
    ? `Default ${preset}.`
    : `${description.replace(/\.$/, '')}; default ${preset}.`;
}
