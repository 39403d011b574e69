// The schemas of a tool as clients see them: short, and in the part of JSON Schema that every model provider takes. Calls
// are checked by the full schemas, whose mistakes come back in words.
import * as z from 'zod';

export type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
};

type Raw = Record<string, unknown>;

/** What a model must fill in; `others` replace arguments. */
export function publishInput(
  input: z.ZodType,
  others: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  const { $defs = {}, ...root } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Raw;
  const schema = shorten(root, $defs as Record<string, Raw>, true);
  return { ...schema, properties: { ...schema.properties, ...others }, additionalProperties: false };
}

/** The fields of all schemas in one, each once and none required. Which belong together is checked by the full schemas. */
export function publishAny(schemas: readonly z.ZodType[]): JsonSchema {
  const all = schemas.map((schema) => publishInput(schema));
  return all.reduce(merge, { type: 'object', properties: {} });
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

/** The same fields without their words, where one sentence for all is enough; `others` replace fields. */
export function withoutWords(
  { properties = {}, ...schema }: JsonSchema,
  description: string,
  others: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const fields = Object.entries(properties).map(([name, { description: _, ...field }]) => [name, field]);
  return { ...schema, description, properties: { ...Object.fromEntries(fields), ...others } };
}

/** A document that another tool has answered and that is passed on as it is: its fields are not written out again. */
export function asJsonText(description: string): JsonSchema {
  return { type: 'string', description };
}

/** Reads a document that was passed as its JSON text; one that is an object already stays as it is. */
export function readJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The fields of an answer; their words, values, and what objects and lists hold are in the full schema. */
export function publishOutput(output: z.ZodType): JsonSchema {
  const { $defs = {}, ...root } = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }) as Raw;
  const { properties = {} } = shorten(root, $defs as Record<string, Raw>, true);
  const shown = Object.entries(properties).map(([name, { type }]) => [
    name,
    type === undefined ? {} : { type },
  ]);
  return { type: 'object', properties: Object.fromEntries(shown) };
}

/** References are written out: not every provider follows them. `isDescribed` is false below an object with its own words. */
function shorten(raw: Raw, defs: Record<string, Raw>, isDescribed: boolean): JsonSchema {
  const { $ref, ...rest } = raw;
  const found: Raw = typeof $ref === 'string' ? { ...defs[$ref.replace('#/$defs/', '')], ...rest } : raw;
  const choices = (found.anyOf ?? found.oneOf) as Raw[] | undefined;
  const description = isDescribed ? describe(found) : undefined;
  const words = description === undefined ? {} : { description };
  if (choices !== undefined) return { ...shortenChoices(choices, defs), ...words };
  const values = found.const === undefined ? (found.enum as unknown[] | undefined) : [found.const];
  const limits = Object.fromEntries(
    ['minimum', 'maximum'].flatMap((name) =>
      isDescribed && Math.abs((found[name] as number | undefined) ?? Number.MAX_SAFE_INTEGER) < 2 ** 32
        ? [[name, found[name]]]
        : [],
    ),
  );
  return {
    ...(found.type !== undefined && { type: pickType(found.type as string | string[]) }),
    ...words,
    ...(values !== undefined && { enum: values }),
    ...limits,
    ...(found.items !== undefined && { items: shorten(found.items as Raw, defs, false) }),
    ...(found.type === 'object' && shortenObject(found, defs, isDescribed && description === undefined)),
  };
}

/** Which fields an object with its own words must have is left to the tool that answers it. */
function shortenObject(
  { properties = {}, required = [] }: Raw,
  defs: Record<string, Raw>,
  isDescribed: boolean,
) {
  const fields = Object.entries(properties as Record<string, Raw>);
  const isRequired = isDescribed && (required as string[]).length > 0;
  return {
    properties: Object.fromEntries(
      fields
        .map(([name, field]) => [name, shorten(field, defs, isDescribed)] as const)
        .filter(([, field]) => !isMap(field)),
    ),
    ...(isRequired && { required: required as string[] }),
  };
}

/** An object with any names: strict schemas cannot express it. */
function isMap({ type, properties }: JsonSchema): boolean {
  return type === 'object' && Object.keys(properties ?? {}).length === 0;
}

/** Where a text and a number are taken, the text keeps all digits. */
function pickType(type: string | readonly string[]): string | readonly string[] {
  if (typeof type === 'string') return type;
  const kept = type.includes('string') ? type.filter((one) => one !== 'number') : type;
  return kept.length === 1 ? (kept[0] ?? kept) : kept;
}

function shortenChoices(choices: readonly Raw[], defs: Record<string, Raw>): JsonSchema {
  const all = choices.map((choice) => shorten(choice, defs, false));
  const isNullable = all.some(({ type }) => type === 'null');
  const kept = all.filter((one) => one.type !== 'null' && !isMap(one));
  const [only = {}, ...others] = kept.filter(
    (one, index) => kept.findIndex(({ type }) => type === one.type) === index,
  );
  if (others.length > 0) return { anyOf: [only, ...others] };
  if (!isNullable || typeof only.type !== 'string') return only;
  return { ...only, type: [only.type, 'null'], ...(only.enum && { enum: [...only.enum, null] }) };
}

/** With the default in words: as a keyword not every provider takes it. */
function describe({ description, default: preset }: Raw): string | undefined {
  const words = typeof description === 'string' ? description : undefined;
  const isShown =
    (typeof preset === 'string' || typeof preset === 'number') && /^\S{1,12}$/.test(String(preset));
  if (!isShown || /default|none/i.test(words ?? '')) return words;
  return words === undefined ? `Default ${preset}.` : `${words.replace(/\.$/, '')}; default ${preset}.`;
}
