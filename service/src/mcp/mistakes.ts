// Reports all mistakes of one input at once: where each is, what is wrong, and an example of what is right.
import { findAction } from '@svc/sdk/actions';
import { SvcError } from '@svc/sdk/domain';
import { findMore } from '@svc/sdk/internal/actions/prepareAction';
import { toShown } from '@svc/sdk/internal/domain/text';
import { nameUnknown, takeOldNames } from '@svc/sdk/internal/rules/mistakes';
import type * as z from 'zod';
import { type Json, toJson } from './publishedSchema.ts';

/** The most mistakes that are listed; a longer list would hide the first ones. */
const mostMistakes = 20;

/** Throws ARGUMENTS_INVALID. Does nothing for an unknown action, which the catalog refuses later. */
export async function checkArguments(
  name: string,
  args: unknown,
  connect: Parameters<typeof findMore>[2],
): Promise<void> {
  const action = findAction(name);
  if (action === undefined) return;
  const named = takeOldNames(action.input, args);
  const mistakes = listMistakes(action.input, named);
  if (mistakes.length > 0) throw refuse(name, [...mistakes, ...(await findMore(action, named, connect))]);
}

/** Throws ARGUMENTS_INVALID where the value does not fit the schema. */
export function parseValue<Schema extends z.ZodType>(
  action: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const named = takeOldNames(schema, value);
  const { data, success } = schema.safeParse(named);
  if (!success) throw refuse(action, listMistakes(schema, named));
  return data as z.output<Schema>;
}

function refuse(action: string, all: readonly string[]): SvcError {
  const more = all.length > mostMistakes ? [`and ${all.length - mostMistakes} more`] : [];
  const lines = [...all.slice(0, mostMistakes), ...more];
  return new SvcError('ARGUMENTS_INVALID', { action, mistakes: lines.map((line) => `  ${line}`).join('\n') });
}

function listMistakes(schema: z.ZodType, value: unknown): string[] {
  return (schema.safeParse(value, { error: describeIssue }).error?.issues ?? []).flatMap((issue) => {
    const place = issue.path.map((part) => toShown(String(part)));
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(
        (key) => `${[...place, toShown(key)].join('.')}: ${suggest(key, schema, issue.path, value)}`,
      );
    const message = addExample(schema, issue);
    return [place.length === 0 ? message : `${place.join('.')}: ${message}`];
  });
}

/** The name or the place that was meant. An action has its arguments in one object, which callers often leave out. */
function suggest(key: string, schema: z.ZodType, path: readonly PropertyKey[], value: unknown): string {
  const isRoot = path.length === 0 && (schema as Partial<z.ZodObject>).shape?.arguments !== undefined;
  return isRoot && !Object.hasOwn(value as object, 'arguments')
    ? 'there is no such field; put it into arguments'
    : nameUnknown(key, schema, path);
}

const choice = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** The error map of all tools: zod's issues in plain words. Messages of the schemas themselves take precedence. */
const describeIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be of type ${issue.expected}`;
    case 'invalid_value':
      return `must be ${choice.format(issue.values.map((value) => JSON.stringify(value)))}`;
    case 'too_small':
      return bound(issue.origin, `at least ${issue.minimum}`);
    case 'too_big':
      return bound(issue.origin, `at most ${issue.maximum}`);
    case 'invalid_format':
      return 'has another form';
    case 'invalid_union':
      return issue.input === undefined ? 'is required' : 'has another form';
    case 'invalid_key':
      return 'is no valid name here';
    case 'unrecognized_keys':
      return `there is no such field: ${issue.keys.map(toShown).join(', ')}`;
    default:
      return undefined;
  }
};

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' items', set: ' items' };
const bound = (origin: string, limit: string) =>
  `must ${origin in units ? 'have' : 'be'} ${limit}${units[origin] ?? ''}`;

/** The message of an issue, with an example where it names no good value. */
function addExample(schema: z.ZodType, { code, path, message }: z.core.$ZodIssue): string {
  if (code === 'invalid_value' || code === 'invalid_key' || message.includes('such as')) return message;
  const example = exampleAt(schema, path);
  return example === undefined ? message : `${message.replace(/\.$/, '')}, such as ${example}`;
}

/** Stands for a text in the example of an object, and says nothing as an example of its own. */
const anyText = 'text';

const shown = new WeakMap<z.ZodType, Json>();

/** The schema as JSON at this place. */
function nodeAt(schema: z.ZodType, path: readonly PropertyKey[]): Json | undefined {
  let node = shown.get(schema) ?? toJson(schema, 'input');
  shown.set(schema, node);
  for (const part of path) {
    const next = [node, ...choicesOf(node)]
      .map(({ properties, items }) => properties?.[String(part)] ?? items)
      .find((one) => one !== undefined);
    if (next === undefined) return undefined;
    node = next;
  }
  return node;
}

/** JSON of an example for this place of the schema; undefined where the schema gives no hint. */
function exampleAt(schema: z.ZodType, path: readonly PropertyKey[]): string | undefined {
  const node = nodeAt(schema, path);
  if (node === undefined) return undefined;
  const value = buildExample(node, 0);
  return value === undefined || value === anyText || isEmptyObject(value)
    ? undefined
    : toShown(JSON.stringify(value));
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value) && Object.keys(value ?? {}).length === 0;
}

function choicesOf({ anyOf, oneOf = [] }: Json): readonly Json[] {
  return anyOf ?? oneOf;
}

/** The description of a schema often has an example, such as `+7d`. */
function findInWords({ description = '' }: Json): string | undefined {
  return /such as ([^\s,;]*[^\s,;.])/.exec(description)?.[1];
}

const forms: readonly (readonly [RegExp, string])[] = [
  [/uuid/, '3f2c1c7e-9c1b-4b6e-8a52-0d5f6f1a2b3c'],
  [/\{40\}/, `0x${'ab'.repeat(20)}`],
  [/^\^0x.*\{64\}/, `0x${'ab'.repeat(32)}`],
  [/\{64\}/, 'ab'.repeat(32)],
  [/0x/, '0xabab'],
];

/** Any text where the schema has no pattern; undefined where the pattern is not among `forms`. */
function findForm({ format, pattern = format }: Json): string | undefined {
  return pattern === undefined ? anyText : forms.find(([known]) => known.test(pattern))?.[1];
}

function buildExample(node: Json, depth: number): unknown {
  const { examples, const: only, enum: values, items, minimum, properties = {}, required = [] } = node;
  const first = examples?.[0] ?? only ?? values?.[0];
  // A model may send what it reads: no wallet that somebody has.
  if (typeof first === 'string' && /^0x[0-9a-f]{40}$/i.test(first)) return `0x${'ab'.repeat(20)}`;
  if (first !== undefined) return first;
  const [choice] = choicesOf(node);
  if (choice !== undefined) return findInWords(node) ?? buildExample(choice, depth);
  switch (node.type) {
    case 'string':
      return findInWords(node) ?? findForm(node);
    case 'integer':
    case 'number':
      return minimum !== undefined && minimum > -1e9 ? minimum : 1;
    case 'boolean':
      return true;
    case 'array':
      return items === undefined || depth > 1 ? [] : [buildExample(items, depth + 1)];
    case 'object': {
      const fields = depth > 1 ? [] : Object.entries(properties);
      const needed = fields.filter(([name]) => required.includes(name));
      return Object.fromEntries(needed.map(([name, field]) => [name, buildExample(field, depth + 1)]));
    }
    default:
      return findInWords(node);
  }
}
