// What calls do with a wallet's money: read from their bytes, with the movements that the catalog of actions declares. A
// call that cannot be read to the last byte is refused.

import type { ActionReads } from '@svc/sdk/actions';
import { type Cost, type ExplainedCall, explainCalls, type Movement } from '@svc/sdk/actions';
import type { Call, MarketContracts } from '@svc/sdk/chain';
import { type Address, isSameAddress, type Market, markets } from '@svc/sdk/domain';
import { type CallReads, decodeMarketCall } from '@svc/sdk/internal/actions/callFacts';
import { sumSpending } from '@svc/sdk/internal/actions/costs';
import { OperatorError } from '../errors/operatorError.ts';
import { noSpending, type Spending } from './judge.ts';

export type SpendingAccess = {
  readonly chainId: number;
  readonly contracts: Readonly<Record<Market, MarketContracts>>;
  readonly reads: CallReads & Partial<Pick<ActionReads, 'readTermsEnd'>>;
};

export function shareOf(amount: bigint, bps: number): bigint {
  return (amount * BigInt(bps)) / 10_000n;
}

/** Throws POLICY_REFUSED for a call that no action of the catalog makes. */
export async function readCalls(
  calls: readonly Call[],
  from: Address,
  access: SpendingAccess,
): Promise<Spending[]> {
  for (const call of calls) checkReadable(call, access);
  // A policy counts also a fee that credits might pay by then.
  const { readTask, readFigures, readNow } = access.reads;
  const reads = { readTask, readFigures, ...(readNow !== undefined && { readNow }) };
  const explained = await explainCalls(calls, from, { ...access, reads });
  const allowances = createAllowances();
  const spendings = explained.flatMap((one, at) => {
    if (one.allowance !== null) {
      allowances.approve(one, access.contracts);
      return [];
    }
    const read = readSpendings(one, calls[at] as Call, from, access);
    allowances.spend(read.market, one);
    return read.spendings;
  });
  return [...spendings, ...allowances.list(spendings.length === 0)];
}

function readSpendings(one: ExplainedCall, call: Call, from: Address, access: SpendingAccess) {
  const { action, facts, movements, contract, functionName } = one;
  if (action === null || facts === null) throw refuse(`no action calls ${contract}.${functionName}`);
  const decoded = decodeMarketCall(call, access.contracts);
  if (decoded === null || 'problem' in decoded) throw refuse('it cannot be read');
  if (decoded.functionName === 'purchasePlan' && facts.payWith === undefined)
    throw refuse('it pays for a plan in an unknown currency');
  if (action.windows !== undefined && facts.task === undefined)
    throw refuse(`there is no task ${decoded.args[0]} on the market ${decoded.market}`);
  const { counterparty = null, digest = null, taskTok = null, task } = facts;
  const market = contract === 'SwapRouter' ? null : decoded.market;
  const head: Spending = { ...noSpending, action: action.name, market, counterparty, digest };
  const sum = (token: 'TOK' | 'USDC', isCounted: (movement: Movement) => boolean) =>
    movements
      .filter((movement) => movement.token === token && isCounted(movement))
      .reduce((total, { amount }) => total + (amount ?? 0n), 0n);
  const takes = (movement: Movement) => isSpent(movement, from);
  const paid: Spending = { ...head, tok: sum('TOK', takes), usdc: sum('USDC', takes), taskTok };
  // Escrow goes to the counterparty only where the poster gives it away.
  const isPoster = task !== undefined && isSameAddress(task.poster, from);
  const payout = isPoster
    ? sum('TOK', ({ from: source, to }) => source.place === 'escrow' && isOther(to, from))
    : 0n;
  const spendings = payout > 0n ? [paid, { ...head, source: 'payout' as const, tok: payout }] : [paid];
  return { market: decoded.market, spendings };
}

/** Leaves the wallet, is locked in its collateral, or leaves the collateral for another wallet. */
function isSpent({ from: source, to }: Movement, wallet: Address): boolean {
  if (!('owner' in source) || !isSameAddress(source.owner, wallet)) return false;
  if (source.place === 'wallet') return true;
  return source.place === 'collateral' && (to.place === 'bond' || isOther(to, wallet));
}

function isOther(account: Movement['to'], wallet: Address): boolean {
  return 'owner' in account && !isSameAddress(account.owner, wallet);
}

/** Everything that leaves the wallet or is locked, also a fee that credits might pay by then. */
export function sumCosts(costs: readonly Cost[]): { readonly tok: bigint; readonly usdc: bigint } {
  const sum = (token: Cost['token']) =>
    costs.filter((one) => one.token === token).reduce((total, { amount }) => total + amount, 0n);
  return { tok: sum('TOK'), usdc: sum('USDC') };
}

/** Exactly these bytes, or refused: what a contract would read differently is not signed. */
function checkReadable(call: Call, { contracts }: SpendingAccess): void {
  if (BigInt(call.value) !== 0n) throw refuse('it sends ether');
  const decoded = decodeMarketCall(call, contracts);
  if (decoded === null) throw refuse(`${call.to} is no contract of the market`);
  if ('problem' in decoded) throw refuse(decoded.problem);
}

const spenders = ['paymentGateway', 'depositVault', 'swapRouter'] as const;
type Spender = (typeof spenders)[number];

/**
 * Allowances of one request. What its later calls take is counted with them; what is left standing counts as spent, because
 * a contract may take it later.
 */
function createAllowances() {
  const standing = new Map<string, { readonly head: Spending; left: bigint }>();
  const take = (token: string, market: Market, spender: Spender, amount: bigint) => {
    const found = standing.get(`${token} ${market} ${spender}`);
    if (found !== undefined) found.left = found.left > amount ? found.left - amount : 0n;
  };
  return {
    approve: ({ action, allowance }: ExplainedCall, contracts: SpendingAccess['contracts']) => {
      if (allowance === null) return;
      const { token, spender, amount } = allowance;
      const found = findSpender(spender, contracts);
      if (action === null || found === undefined) throw refuse(`it lets ${spender} take ${token}`);
      const { market } = found;
      const place = found.spender === 'swapRouter' ? null : market;
      const head: Spending = { ...noSpending, action: action.name, market: place, source: 'allowance' };
      standing.set(`${token} ${market} ${found.spender}`, { head, left: amount });
    },
    spend: (market: Market, { action, facts }: ExplainedCall) => {
      if (facts === null) return;
      const sums = sumSpending(action?.costs?.(facts) ?? [], false);
      take('TOK', market, 'paymentGateway', sums.tokWei);
      take('USDC', market, 'depositVault', sums.usdcToVault);
      take('USDC', market, 'paymentGateway', sums.usdcToGateway);
      take('USDC', market, 'swapRouter', sums.usdcToPool);
    },
    /** `isAll`: also those that were used up or set to 0. */
    list: (isAll: boolean): Spending[] =>
      [...standing]
        .filter(([, { left }]) => isAll || left > 0n)
        .map(([key, { head, left }]) =>
          key.startsWith('USDC') ? { ...head, usdc: left } : { ...head, tok: left },
        ),
  };
}

function findSpender(spender: Address, contracts: SpendingAccess['contracts']) {
  for (const market of markets)
    for (const name of spenders) {
      const own = contracts[market][name];
      if (own !== undefined && isSameAddress(own, spender)) return { market, spender: name };
    }
  return undefined;
}

export function refuse(reason: string): OperatorError {
  return new OperatorError('POLICY_REFUSED', { reason });
}
