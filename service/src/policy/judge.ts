// Judges what a wallet is asked to sign: whether the policy allows it, with what was spent in the last 24 hours.
import { type Address, formatTok, formatUsdc, isSameAddress, type Market } from '@svc/sdk/domain';
import type { SignedTerms } from '@svc/sdk/internal/chain/readMarket';
import type { Limit, Policy } from './policyFile.ts';

/** One thing that a request does with the wallet's money. */
export type Spending = {
  readonly action: string;
  /** Null for what belongs to no market: messages, sessions, payments, and purchases at the pool of both. */
  readonly market: Market | null;
  /** The other wallet, if there is one. */
  readonly counterparty: Address | null;
  /**
   * The settlement digest of the task that it is for. Terms that were agreed and what is later paid for them are one
   * expense: the larger of the two counts.
   */
  readonly digest: string | null;
  /**
   * `agreed`: a signature that commits to pay; `payout`: escrow that goes to the counterparty, spent when it was funded;
   * `allowance`: what the contracts of the market may take later.
   */
  readonly source: 'paid' | 'agreed' | 'payout' | 'allowance';
  readonly tok: bigint;
  readonly usdc: bigint;
  /** Total of the task, where the wallet is its poster. */
  readonly taskTok: bigint | null;
  /** Terms that the other party can use until `acceptBy`. */
  readonly terms?: Pick<SignedTerms, 'poster' | 'worker' | 'salt' | 'acceptBy'>;
};

/** A spending of nothing, for nobody: what a reader of requests starts from. */
export const noSpending = {
  market: null,
  counterparty: null,
  digest: null,
  source: 'paid',
  tok: 0n,
  usdc: 0n,
  taskTok: null,
} as const satisfies Omit<Spending, 'action'>;

const tokens = ['tok', 'usdc'] as const;
type TokenName = (typeof tokens)[number];

/** Why the owner has to decide; empty where the policy allows all of it. `before` is what was spent in the last 24 hours. */
export function judge(
  policy: Policy,
  asked: readonly Spending[],
  before: readonly Spending[],
): readonly string[] {
  return [
    ...findForbidden(policy, asked),
    ...findLargeTasks(policy, asked),
    ...findLargeActions(policy, asked),
    ...findOverspending(policy.perDay, asked, before),
    ...listCounterparties(asked).flatMap((counterparty) =>
      findOverspending(policy.perCounterparty, asked, before, counterparty),
    ),
  ];
}

function findForbidden({ actions, markets }: Policy, asked: readonly Spending[]): string[] {
  const names = new Set(asked.map(({ action }) => action));
  const places = new Set(asked.flatMap(({ market }) => (market === null ? [] : [market])));
  return [
    ...[...names]
      .filter((name) => !Object.hasOwn(actions, name))
      .map((name) => `The action ${name} is not allowed.`),
    ...[...places]
      .filter((market) => !markets.includes(market))
      .map((market) => `The market ${market} is not allowed.`),
  ];
}

function findLargeTasks({ maxTaskTok }: Policy, asked: readonly Spending[]): string[] {
  return asked.flatMap(({ taskTok }) =>
    taskTok !== null && taskTok > maxTaskTok
      ? [`The task is of ${formatTok(taskTok)} TOK; maxTaskTok is ${formatTok(maxTaskTok)}.`]
      : [],
  );
}

/** All calls of one action in one request together: a batch of small ones is one large one. */
function findLargeActions({ actions, perAction }: Policy, asked: readonly Spending[]): string[] {
  const names = [...new Set(asked.map(({ action }) => action))];
  return names.flatMap((name) => {
    const own = Object.hasOwn(actions, name) ? actions[name] : undefined;
    const total = sumUp(asked.filter(({ action }) => action === name));
    return tokens.flatMap((token) => {
      const limit = own?.[token] ?? perAction[token];
      if (total[token] <= limit) return [];
      return [`${name} costs ${show(token, total[token])}; its limit is ${show(token, limit)}.`];
    });
  });
}

function findOverspending(
  limit: Limit,
  asked: readonly Spending[],
  before: readonly Spending[],
  counterparty?: Address,
): string[] {
  const isCounted = (one: Spending) =>
    counterparty === undefined ||
    (one.counterparty !== null && isSameAddress(one.counterparty, counterparty));
  const withPayouts = counterparty !== undefined;
  const spent = sumUp(before.filter(isCounted), withPayouts);
  const after = sumUp([...before, ...asked].filter(isCounted), withPayouts);
  const what = counterparty === undefined ? 'perDay' : 'perCounterparty';
  const whom = counterparty === undefined ? '' : ` for ${counterparty}`;
  return tokens.flatMap((token) => {
    // A request that costs nothing passes, also after the limit was lowered.
    if (after[token] <= limit[token] || after[token] <= spent[token]) return [];
    const sums = `${show(token, spent[token])} of ${show(token, limit[token])} are spent, ${show(token, after[token] - spent[token])} are asked for`;
    return [`${what}${whom}: ${sums}.`];
  });
}

/**
 * What was spent, with agreements and what is paid for them as one, and an allowance and what it later pays for as one. In the
 * order of the log: a payment from before an allowance cannot have taken it.
 */
export function sumUp(list: readonly Spending[], withPayouts = false): Limit {
  const spendings = takeAllowances(list);
  const digests = new Set(spendings.flatMap(({ digest }) => (digest === null ? [] : [digest])));
  const sum = (list: readonly Spending[], token: TokenName) =>
    list.reduce((total, one) => total + one[token], 0n);
  const total = (token: TokenName): bigint => {
    const single = spendings.filter(({ digest, source }) => digest === null && source !== 'payout');
    const parts = [...digests].map((digest) => {
      const of = (source: Spending['source']) =>
        spendings.filter((one) => one.digest === digest && one.source === source);
      // Signing the same terms again agrees to nothing more.
      const agreed = largest(of('agreed').map((one) => one[token]));
      return largest([agreed, sum(of('paid'), token), withPayouts ? sum(of('payout'), token) : 0n]);
    });
    return sum(single, token) + parts.reduce((all, part) => all + part, 0n);
  };
  return { tok: total('tok'), usdc: total('usdc') };
}

/** Each unit of an allowance covers one unit that is paid: together they never count less than all payments. */
function takeAllowances(spendings: readonly Spending[]): Spending[] {
  const left = new Map<string, bigint>();
  const take = (token: TokenName, { market, source, ...one }: Spending): bigint => {
    const key = `${token} ${market}`;
    const standing = left.get(key) ?? 0n;
    // An allowance replaces the one before it.
    if (source === 'allowance' && one[token] > 0n) left.set(key, one[token]);
    if (source !== 'paid') return one[token];
    const taken = standing < one[token] ? standing : one[token];
    left.set(key, standing - taken);
    return one[token] - taken;
  };
  return spendings.map((one) => ({ ...one, tok: take('tok', one), usdc: take('usdc', one) }));
}

function listCounterparties(asked: readonly Spending[]): Address[] {
  const found = asked.flatMap(({ counterparty }) => (counterparty === null ? [] : [counterparty]));
  return found.filter((one, at) => found.findIndex((other) => isSameAddress(one, other)) === at);
}

function largest(amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n);
}

function show(token: TokenName, amount: bigint): string {
  return token === 'tok' ? `${formatTok(amount)} TOK` : `${formatUsdc(amount)} USDC`;
}
