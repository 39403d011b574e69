// What each provider takes as the schema of a tool's arguments, as its documentation says. A schema outside of it is
// refused with the whole request, so one tool would make all of them unusable.
import type { JsonSchema } from '#service/mcp/publishedSchema.ts';

type Dialect = {
  readonly source: string;
  readonly keywords: readonly string[];
  readonly maxDepth: number;
  /** Whether `type` may be a list. */
  readonly allowsTypeLists: boolean;
};

/** Of all objects, and of all enums, of one tool together. No provider takes a union as the whole schema. */
const [maxProperties, maxEnumValues] = [5_000, 1_000];

const common = [
  ...['type', 'description', 'enum', 'items', 'properties', 'required', 'anyOf'],
  ...['additionalProperties', 'minimum', 'maximum', 'pattern'],
];

export const dialects: Readonly<Record<string, Dialect>> = {
  'OpenAI strict': {
    source: 'https://platform.openai.com/docs/guides/structured-outputs#supported-schemas',
    // Clients add `additionalProperties: false` and the rest of `required` themselves; an object with any names stops them.
    keywords: [...common, 'format', '$ref', '$defs'],
    maxDepth: 6,
    allowsTypeLists: true,
  },
  Anthropic: {
    source: 'https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use',
    // The rule for the root is in the error of its API: https://github.com/anthropics/claude-code/issues/27337
    keywords: [...common, 'format', '$ref', '$defs', 'default'],
    maxDepth: 32,
    allowsTypeLists: true,
  },
  Gemini: {
    source: 'https://ai.google.dev/api/caching#Schema',
    // `additionalProperties` was unknown to it for long and is removed by its clients; references are not resolved.
    keywords: [...common, 'nullable', 'minItems', 'maxItems'],
    maxDepth: 32,
    allowsTypeLists: false,
  },
};

/** What a provider would refuse, as paths with words. */
export function findBreaches(schema: JsonSchema, dialect: Dialect): string[] {
  const breaches: string[] = [];
  let properties = 0;
  let values = 0;
  const look = (node: JsonSchema, path: string, depth: number): void => {
    const say = (what: string) => breaches.push(`${path}: ${what}`);
    for (const keyword of Object.keys(node))
      if (!dialect.keywords.includes(keyword)) say(`has the keyword ${keyword}`);
    if (depth > dialect.maxDepth) say('is nested too deeply');
    if (node.type === undefined && node.anyOf === undefined) say('has no type');
    if (Array.isArray(node.type) && !dialect.allowsTypeLists) say('has a list of types');
    if (node.anyOf !== undefined && node.anyOf.length > 2) say('is a union of more than two');
    if (node.enum?.some((value) => typeof value !== 'string')) say('has an enum of other values than texts');
    const fields = Object.entries(node.properties ?? {});
    if (node.type === 'object' && fields.length === 0 && path !== '') say('is an object without properties');
    if (node.type === 'array' && node.items === undefined) say('is a list of anything');
    for (const name of node.required ?? [])
      if (!(name in (node.properties ?? {}))) say(`requires ${name}, which it does not have`);
    properties += fields.length;
    values += node.enum?.length ?? 0;
    for (const [name, field] of fields) look(field, path === '' ? name : `${path}.${name}`, depth + 1);
    if (node.items !== undefined) look(node.items, `${path}[]`, depth + 1);
    for (const choice of node.anyOf ?? []) look(choice, `${path}|`, depth);
  };
  look(schema, '', 0);
  if (schema.type !== 'object') breaches.push('the root is no object');
  if (schema.anyOf !== undefined) breaches.push('the root is a union');
  if (properties > maxProperties) breaches.push('has too many properties');
  if (values > maxEnumValues) breaches.push('has too many values in enums');
  return breaches;
}

/** Where a client that makes every argument required or null would stop: at an object that does not name all its fields. */
export function findLoose(node: JsonSchema, path = ''): string[] {
  const inner = [
    ...Object.entries(node.properties ?? {}).flatMap(([name, field]) => findLoose(field, `${path}.${name}`)),
    ...(node.items === undefined ? [] : findLoose(node.items, `${path}[]`)),
    ...(node.anyOf ?? []).flatMap((choice) => findLoose(choice, `${path}|`)),
    // In a branch, a field that may be absent cannot be told from one that is null.
    ...(node.anyOf ?? []).flatMap(({ properties = {}, required = [] }) =>
      Object.keys(properties)
        .filter((name) => !required.includes(name))
        .map((name) => `${path}|: leaves ${name} out`),
    ),
  ];
  const isClosed = node.required !== undefined && node.additionalProperties === false;
  return node.type === 'object' && !isClosed ? [`${path}: is open`, ...inner] : inner;
}

/** The arguments as a strict client sends them: null for each one that is left out. */
export function fillNulls(node: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => fillNulls(node.items ?? {}, one));
  if (typeof value !== 'object' || value === null || node.properties === undefined) return value;
  const given = value as Record<string, unknown>;
  const fields = Object.entries(node.properties).map(([name, field]) => [
    name,
    name in given ? fillNulls(field, given[name]) : null,
  ]);
  return { ...given, ...Object.fromEntries(fields) };
}
