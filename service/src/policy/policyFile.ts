// The file of a spending policy: what it may say, and each mistake in it with its line. Nothing is unlimited because a
// field was left out: every limit has to be given.
import { actions } from '@svc/sdk/actions';
import { markets, parseTok, parseUsdc, SvcError } from '@svc/sdk/domain';
import * as z from 'zod';
import { locateKeys } from './locateKeys.ts';

/** Signatures and payments that no action of the catalog makes. */
export const signingActions = ['send-message', 'open-session', 'x402-payment'] as const;

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
  actions: z.strictObject(
    Object.fromEntries(policyActions.map((name) => [name, ownLimitSchema.optional()])),
    { error: 'must be an object, such as {"claim-task": {}}' },
  ),
  perAction: limitSchema,
  perDay: limitSchema,
  perCounterparty: limitSchema,
  maxTaskTok: tok,
});

export type Limit = { readonly tok: bigint; readonly usdc: bigint };

export type Policy = {
  readonly mode: 'enforce' | 'dry-run';
  readonly markets: readonly string[];
  /** The allowed actions. */
  readonly actions: Readonly<Record<string, Partial<Limit> | undefined>>;
  /** Of one request. */
  readonly perAction: Limit;
  /** Of the last 24 hours. */
  readonly perDay: Limit;
  /** Of the last 24 hours, for one other wallet on all markets. */
  readonly perCounterparty: Limit;
  /** The largest total of a task that the wallet posts, creates, funds or agrees to as its poster. */
  readonly maxTaskTok: bigint;
};

/** Throws POLICY_INVALID, with one line for each mistake. */
export function parsePolicy(text: string, file: string): Policy {
  const { lines, repeated, mistake } = locateKeys(text);
  const refuse = (mistakes: readonly string[]): never => {
    throw new SvcError('POLICY_INVALID', { file, mistakes: mistakes.map((one) => `  ${one}`).join('\n') });
  };
  if (mistake !== null) return refuse([mistake]);
  // JSON.parse would take the last one: a reader who saw the first would be wrong about the limit.
  if (repeated.length > 0)
    return refuse(repeated.map(({ path, line }) => `line ${line}: ${path} is there twice`));
  const parsed = policySchema.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data as Policy;
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

function explain({ message, ...issue }: z.core.$ZodIssue): string {
  return 'input' in issue && issue.input === undefined ? 'is required' : message;
}

function suggest(name: string): string {
  const bare = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const near = policyActions.find(
    (known) => bare(known) === bare(name) || isOneEdit(bare(known), bare(name)),
  );
  return near === undefined ? `; there are ${policyActions.join(', ')}` : `; did you mean "${near}"?`;
}

function isOneEdit(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 1) return false;
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  const rests = [
    [left.slice(at + 1), right.slice(at + 1)],
    [left.slice(at + 1), right.slice(at)],
    [left.slice(at), right.slice(at + 1)],
    [left.slice(at + 2), right.slice(at + 2)],
  ];
  return rests.some(([one, other]) => one === other);
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
