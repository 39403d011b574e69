// Says all mistakes of one input at once: where each is, what is wrong, and an example of what is right.
import { type Action, findAction } from '@svc/sdk/actions';
import { SvcError, toShown } from '@svc/sdk/domain';
import * as z from 'zod';

type Issue = { readonly path?: readonly unknown[] | undefined; readonly message: string };
type Json = Readonly<Record<string, unknown>>;

/** More than this would hide the first ones. */
const mostMistakes = 20;

/** Throws ARGUMENTS_INVALID for an action of the catalog; one that does not exist is left to the catalog. */
export function checkArguments(name: string, args: unknown): void {
  const action: Action | undefined = findAction(name);
  const result = action?.input.safeParse(args);
  if (action === undefined || result === undefined || result.success) return;
  throw invalid(name, explainIssues(action.input, result.error.issues));
}

/** Throws ARGUMENTS_INVALID for a value that the schema does not take. */
export function checkValue(name: string, schema: z.ZodType, value: unknown): void {
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(name, explainIssues(schema, result.error.issues));
}

function invalid(action: string, lines: readonly string[]): SvcError {
  return new SvcError('ARGUMENTS_INVALID', { action, mistakes: lines.map((line) => `  ${line}`).join('\n') });
}

function explainIssues(schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): string[] {
  const all = issues.flatMap((issue) => {
    const place = describePath(issue.path);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(
        (key) => `${place === '' ? '' : `${place}.`}${toShown(key)}: there is no such field`,
      );
    const message = explainIssue(schema, issue);
    return [place === '' ? message : `${place}: ${message}`];
  });
  const more = all.length - mostMistakes;
  return more > 0 ? [...all.slice(0, mostMistakes), `and ${more} more`] : all;
}

function describePath(path: readonly unknown[] = []): string {
  return path.map((part) => toShown(String(part))).join('.');
}

/** In plain words, with an example where the message has none. */
export function explainIssue(schema: z.ZodType, { path = [], message }: Issue): string {
  const words = message
    .replace(/^Invalid input: expected .*, received undefined$/, 'is required')
    .replace(/^Invalid option: expected one of/, 'must be one of')
    .replace(/^Invalid key in record$/, 'is no valid name here')
    .replace(/^Invalid string: must match pattern .*/, 'has another form')
    .replace(/^Invalid input: expected/, 'must be of type')
    .replace(/^Too small: expected (number|int) to be >=?/, 'must be at least ')
    .replace(/^Too big: expected (number|int) to be <=?/, 'must be at most ');
  if (/such as|must be one of|no valid name/.test(words)) return words;
  const example = exampleAt(schema, path);
  return example === undefined ? words : `${words.replace(/\.$/, '')}, such as ${example}`;
}

const shown = new WeakMap<z.ZodType, Json>();

/** JSON of a value that stands at this place, as the schema describes it; undefined where nothing is known. */
function exampleAt(schema: z.ZodType, path: readonly unknown[]): string | undefined {
  const root = shown.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json);
  shown.set(schema, root);
  const definitions = (root.$defs ?? {}) as Readonly<Record<string, Json>>;
  const resolve = ({ $ref, ...rest }: Json): Json =>
    typeof $ref === 'string' ? { ...definitions[$ref.replace('#/$defs/', '')], ...rest } : rest;
  let node: Json | undefined = root;
  for (const part of path) {
    const found: Json = resolve(node);
    const choices = [found, ...((found.anyOf ?? found.oneOf ?? []) as Json[]).map(resolve)];
    const next = choices
      .map((one) => (one.properties as Record<string, Json> | undefined)?.[String(part)] ?? one.items)
      .find((one) => one !== undefined);
    if (next === undefined) return undefined;
    node = next as Json;
  }
  const value = buildExample(node, resolve, 0);
  return value === undefined ? undefined : toShown(JSON.stringify(value));
}

/** The words of a schema often have one, such as `+7d`. */
function findInWords(description: unknown): string | undefined {
  return /such as ([^\s,;]*[^\s,;.])/.exec(String(description ?? ''))?.[1];
}

const forms: readonly (readonly [RegExp, string])[] = [
  [/uuid/, '3f2c1c7e-9c1b-4b6e-8a52-0d5f6f1a2b3c'],
  [/\{40\}/, `0x${'ab'.repeat(20)}`],
  [/^\^0x.*\{64\}/, `0x${'ab'.repeat(32)}`],
  [/\{64\}/, 'ab'.repeat(32)],
  [/0x/, '0xabab'],
];

/** Any text where the schema asks for no form; nothing where its form is not known here. */
function findForm({ pattern, format }: Json): string | undefined {
  const form = format ?? pattern;
  return form === undefined ? 'text' : forms.find(([known]) => known.test(String(form)))?.[1];
}

function buildExample(given: Json, resolve: (node: Json) => Json, depth: number): unknown {
  const node = resolve(given);
  const { examples, const: only, enum: values, type, description } = node;
  const first = (examples as unknown[] | undefined)?.[0] ?? only ?? (values as unknown[] | undefined)?.[0];
  if (first !== undefined) return first;
  const choices = (node.anyOf ?? node.oneOf) as Json[] | undefined;
  if (choices !== undefined)
    return findInWords(description) ?? buildExample(choices[0] as Json, resolve, depth);
  switch (type) {
    case 'string':
      return findInWords(description) ?? findForm(node);
    case 'integer':
    case 'number':
      return (node.minimum as number | undefined) !== undefined && Number(node.minimum) > -1e9
        ? node.minimum
        : 1;
    case 'boolean':
      return true;
    case 'array':
      return node.items === undefined || depth > 1
        ? []
        : [buildExample(node.items as Json, resolve, depth + 1)];
    case 'object': {
      const fields = Object.entries((node.properties ?? {}) as Record<string, Json>);
      const required = (node.required ?? []) as string[];
      if (depth > 1) return {};
      return Object.fromEntries(
        fields
          .filter(([name]) => required.includes(name))
          .map(([name, field]) => [name, buildExample(field, resolve, depth + 1)]),
      );
    }
    default:
      return findInWords(description);
  }
}
