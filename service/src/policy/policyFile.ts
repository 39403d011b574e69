// The file of a spending policy: what it may say, and each mistake in it with its line. Nothing is unlimited because a
// field was left out: every limit has to be given.

import { parse, type ValueNode } from '@humanwhocodes/momoa';
import { actions } from '@svc/sdk/actions';
import { markets, parseTok, parseUsdc } from '@svc/sdk/domain';
import { findNear } from '@svc/sdk/internal/domain/text';
import * as z from 'zod';
import { OperatorError } from '../errors/operatorError.ts';

/** Signatures and payments that no action of the catalog makes. */
const signingActions = [
  'send-message',
  'open-session',
  'publish-profile',
  'publish-listing',
  'x402-payment',
] as const;

/** What a policy can allow: every write of the catalog, and what is signed beside it. */
export const policyActions: readonly string[] = [
  ...actions.filter(({ kind }) => kind === 'write').map(({ name }) => name),
  ...signingActions,
];

const tok = z.string({ error: 'must be a text such as "1500"' }).transform(amountOf(parseTok));
const usdc = z.string({ error: 'must be a text such as "45"' }).transform(amountOf(parseUsdc));

const limitSchema = z.strictObject({ tok, usdc }, { error: 'must be {"tok": "…", "usdc": "…"}' });

/** The limit of one action; what it leaves out is taken from `perAction`. */
const ownLimitSchema = z.strictObject(
  { tok: tok.optional(), usdc: usdc.optional() },
  { error: 'must be {} or {"tok": "…", "usdc": "…"}' },
);

const policySchema = z.strictObject({
  version: z.literal(1, { error: 'must be 1' }),
  mode: z.enum(['enforce', 'dry-run'], { error: 'must be "enforce" or "dry-run"' }),
  markets: z.array(z.enum(markets, { error: 'must be "standard" or "micro"' }), { error: 'must be a list' }),
  /** The allowed actions. */
  actions: z.strictObject(
    Object.fromEntries(policyActions.map((name) => [name, ownLimitSchema.optional()])),
    { error: 'must be an object, such as {"claim-task": {}}' },
  ),
  /** Of one request. */
  perAction: limitSchema,
  /** Of the last 24 hours. */
  perDay: limitSchema,
  /** Of the last 24 hours, for one other wallet on all markets. */
  perCounterparty: limitSchema,
  /** The largest total of a task that the wallet posts, creates, funds or agrees to as its poster. */
  maxTaskTok: tok,
});

export type Limit = z.output<typeof limitSchema>;
export type Policy = Omit<z.output<typeof policySchema>, 'version'>;

/** Throws POLICY_INVALID, with one line for each mistake. */
export function parsePolicy(text: string, file: string): Policy {
  const refuse = (mistakes: readonly string[]): never => {
    throw new OperatorError('POLICY_INVALID', {
      file,
      mistakes: mistakes.map((one) => `  ${one}`).join('\n'),
    });
  };
  let value: unknown;
  const lines = new Map<string, number>();
  const repeated: string[] = [];
  try {
    locateKeys(parse(text).body, [], (path, line) => {
      // JSON.parse would take the last one: a reader who saw the first would be wrong about the limit.
      if (lines.has(path)) repeated.push(`line ${line}: ${path} is there twice`);
      lines.set(path, line);
    });
    value = JSON.parse(text);
  } catch (error) {
    return refuse([`line ${(error as { line?: number }).line ?? 1}: this is not valid JSON`]);
  }
  if (repeated.length > 0) return refuse(repeated);
  const parsed = policySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  return refuse(
    parsed.error.issues.flatMap((issue) => {
      const path = issue.path.map(String);
      const say = (keys: readonly string[], words: string) =>
        `line ${lines.get(keys.join('.')) ?? lines.get(path.join('.')) ?? 1}: ${keys.join('.') || 'the file'}: ${words}`;
      if (issue.code !== 'unrecognized_keys') return [say(path, explain(issue))];
      const isAction = path[0] === 'actions' && path.length === 1;
      return issue.keys.map((key) =>
        say([...path, key], isAction ? `there is no such action${suggest(key)}` : 'there is no such field'),
      );
    }),
  );
}

/** Reports the line of every key and list item by its path, such as `actions.post-task.tok` or `markets.0`. */
function locateKeys(
  node: ValueNode,
  path: readonly string[],
  report: (path: string, line: number) => void,
): void {
  const visit = (key: string, line: number, value: ValueNode) => {
    const place = [...path, key];
    report(place.join('.'), line);
    locateKeys(value, place, report);
  };
  if (node.type === 'Object')
    for (const { name, value } of node.members)
      visit(name.type === 'String' ? name.value : name.name, name.loc.start.line, value);
  if (node.type === 'Array')
    for (const [at, { value }] of node.elements.entries()) visit(String(at), value.loc.start.line, value);
}

function explain({ message, ...issue }: z.core.$ZodIssue): string {
  return 'input' in issue && issue.input === undefined ? 'is required' : message;
}

function suggest(name: string): string {
  const near = findNear(name, policyActions);
  return near === undefined ? `; there are ${policyActions.join(', ')}` : `; did you mean "${near}"?`;
}

function amountOf(parse: (value: unknown) => bigint) {
  return (value: string, context: z.RefinementCtx): bigint => {
    try {
      return parse(value);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  };
}
