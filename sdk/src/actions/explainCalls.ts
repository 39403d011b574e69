// Explains calls from their bytes alone, one after the other: which action each is, what it moves and changes, and what
// nobody should sign unread. What the requester says about them is not trusted.
import { decodeFunctionData, erc20Abi, formatEther, type Hex } from 'viem';
import type { Call, CalledContract } from '../chain/encodeCall.ts';
import { type Address, isSameAddress } from '../domain/address.ts';
import { type Market, markets } from '../domain/market.ts';
import type { TaskState } from '../domain/state.ts';
import type { Task } from '../domain/task.ts';
import { formatTaskId } from '../domain/taskId.ts';
import type { WriteAction } from './action.ts';
import {
  type CallAccess,
  type CallFacts,
  decodeMarketCall,
  type MarketCall,
  readCallFacts,
} from './callFacts.ts';
import { actions, findActionOfCall } from './catalog.ts';
import { paysWithCredits } from './costs.ts';
import {
  accountOf,
  describeAmount,
  describeMovement,
  listMovements,
  type Movement,
  move,
  type Roles,
} from './movements.ts';

export type Allowance = {
  readonly token: 'TOK' | 'USDC';
  readonly spender: Address;
  /** Which contract of the market that is; null for any other address. */
  readonly spenderName: string | null;
  readonly amount: bigint;
  readonly isUnlimited: boolean;
};

export type ExplainedCall = {
  /** The contract of the market that is called; null for any other. */
  readonly contract: CalledContract | null;
  /** Null where the bytes are no call of it. */
  readonly functionName: string | null;
  readonly action: WriteAction | null;
  /** The task as it is before this call. */
  readonly task: Task | null;
  readonly facts: CallFacts | null;
  readonly movements: readonly Movement[];
  readonly allowance: Allowance | null;
  /** `from` is null for a task that the call creates. */
  readonly state: { readonly from: TaskState | null; readonly to: TaskState } | null;
  /** Why it should not be signed unread, in plain words; empty for ordinary actions. */
  readonly dangers: readonly string[];
};

/** In their order: a later call sees the task as the earlier ones leave it. */
export async function explainCalls(
  calls: readonly Call[],
  from: Address,
  access: CallAccess,
): Promise<ExplainedCall[]> {
  const changed = new Map<string, Task>();
  const readTask: CallAccess['reads']['readTask'] = async (market, number) =>
    changed.get(formatTaskId({ market, number })) ?? access.reads.readTask(market, number);
  const reading = { ...access, reads: { ...access.reads, readTask } };
  const explained: ExplainedCall[] = [];
  for (const call of calls) {
    const one = await explainCall(call, from, reading);
    explained.push(one);
    if (one.task !== null && one.facts !== null)
      changed.set(formatTaskId(one.task), applyCall(one.task, one, from));
  }
  return warnOfAllowances(explained, from, access);
}

/** An allowance above what the wallet has, and above what these calls take, waits for money that comes later. */
async function warnOfAllowances(
  explained: readonly ExplainedCall[],
  from: Address,
  { contracts, reads }: CallAccess,
): Promise<ExplainedCall[]> {
  const market = markets.find((one) => contracts[one] !== undefined);
  const isAsked = explained.some(({ allowance }) => allowance !== null && allowance.amount > 0n);
  const wallet = market === undefined || !isAsked ? undefined : await reads.readWallet?.(market, from);
  if (wallet === undefined) return [...explained];
  const taken = (token: Allowance['token']) =>
    explained
      .flatMap(({ movements }) => movements)
      .filter((one) => one.token === token && isWalletOf(one.from, from))
      .reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
  return explained.map((one) => {
    const { allowance } = one;
    if (allowance === null || allowance.isUnlimited) return one;
    const { token, amount } = allowance;
    const has = token === 'USDC' ? wallet.usdc : wallet.tokWei;
    if (amount <= has || amount <= taken(token)) return one;
    const danger = `The allowance is above what your wallet has, ${describeAmount({ token, amount: has })}: it could be used once more ${token} comes.`;
    return { ...one, dangers: [...one.dangers, danger] };
  });
}

function isWalletOf(account: Movement['from'], owner: Address): boolean {
  return account.place === 'wallet' && 'owner' in account && isSameAddress(account.owner, owner);
}

async function explainCall(call: Call, from: Address, access: CallAccess): Promise<ExplainedCall> {
  const decoded = decodeMarketCall(call, access.contracts);
  const ether =
    BigInt(call.value) === 0n
      ? []
      : [`This call also sends ${formatEther(BigInt(call.value))} ETH. No action of the market does.`];
  const none = { action: null, task: null, facts: null, movements: [], allowance: null, state: null };
  if (decoded === null)
    return {
      ...none,
      contract: null,
      functionName: null,
      dangers: [
        'This contract is not part of the market. What the call does is unknown.',
        ...readForeign(call.data),
        ...ether,
      ],
    };
  if ('problem' in decoded)
    return {
      ...none,
      contract: decoded.contract,
      functionName: null,
      dangers: [`Nobody can say what this call does: ${decoded.problem}.`, ...ether],
    };
  const { contract, functionName } = decoded;
  const head = { ...none, contract, functionName };
  if (contract === 'TokToken' || contract === 'USDC') {
    const token = explainToken(decoded, from, access);
    return { ...head, ...token, dangers: [...token.dangers, ...ether] };
  }
  const action = findActionOfCall(contract, functionName) ?? null;
  const facts = action === null ? null : await readCallFacts(decoded, from, access);
  if (action === null || facts === null)
    return { ...head, dangers: [`No action of the market calls ${functionName}.`, ...ether] };
  const complete = { ...facts, freeFees: await findFreeFees(facts, decoded.market, access) };
  const task = facts.task ?? null;
  const to = action.becomes?.(complete) ?? null;
  return {
    ...head,
    action,
    task,
    facts: complete,
    movements: listMovements(action, complete),
    state: to === null ? null : { from: task?.state ?? null, to },
    dangers: [...findLosses(decoded, from), ...ether],
  };
}

/** Money that an action sends to a wallet that the sender may not expect. */
function findLosses({ contract, functionName, args }: MarketCall, from: Address): string[] {
  if (contract === 'SwapRouter' && !isSameAddress(args[0].recipient, from))
    return [`The TOK that you pay for goes to another wallet, ${args[0].recipient}.`];
  if (contract !== 'DepositVault') return [];
  if (functionName === 'withdraw' && !isSameAddress(args[1], from))
    return [`Your collateral goes to another wallet, ${args[1]}.`];
  return functionName === 'emergencyTopUp' && !isSameAddress(args[0], from)
    ? [`The USDC belongs to another wallet from then on, ${args[0]}.`]
    : [];
}

/** Wallets whose credits pay the access fee of the call. */
async function findFreeFees(facts: CallFacts, market: Market, { reads }: CallAccess): Promise<Address[]> {
  const { parties, sender, figures } = facts;
  const payers = parties === undefined ? [sender] : [parties.poster, parties.worker];
  const wallets = await Promise.all(payers.map((payer) => reads.readWallet?.(market, payer)));
  return payers.filter((_, at) => {
    const wallet = wallets[at];
    return wallet !== undefined && paysWithCredits(wallet, figures);
  });
}

/** Above any supply. */
export const unlimited = 2n ** 128n;

/** What the functions of the two tokens do. */
function explainToken(
  { contract, functionName, args }: MarketCall,
  from: Address,
  access: CallAccess,
): Pick<ExplainedCall, 'movements' | 'allowance' | 'dangers' | 'action'> {
  const token = contract === 'USDC' ? 'USDC' : 'TOK';
  const none = { movements: [], allowance: null, action: null };
  if (functionName === 'approve') {
    const [spender, amount] = args as [Address, bigint];
    const spenderName = nameSpender(spender, contract, access.contracts);
    const isUnlimited = amount >= unlimited;
    const action = spenderName === null ? null : (findActionOfCall(contract, functionName) ?? null);
    return {
      movements: [],
      action,
      allowance: { token, spender, spenderName, amount, isUnlimited },
      dangers: [
        ...(spenderName === null && amount > 0n
          ? [`${spender} is not part of the market. It could take your ${token} at any time.`]
          : []),
        ...(isUnlimited
          ? [
              `The allowance is unlimited: all ${token} of this wallet, now and later, until you take it back.`,
            ]
          : []),
      ],
    };
  }
  const pay = (owner: Address, to: Address, amount: bigint, danger: string) => ({
    ...none,
    movements: [move(token, amount, accountOf('wallet', owner), accountOf('wallet', to))],
    dangers: [`${danger}: no task, no escrow, no way back.`],
  });
  if (functionName === 'transfer') return pay(from, args[0], args[1], `A plain payment to ${args[0]}`);
  if (functionName === 'transferFrom') return pay(args[0], args[1], args[2], 'A plain transfer');
  return { ...none, dangers: [`No action of the market calls ${functionName} of the ${token} token.`] };
}

/** TOK goes to payment gateways, USDC also to deposit vaults. */
function nameSpender(
  spender: Address,
  contract: CalledContract,
  contracts: CallAccess['contracts'],
): string | null {
  const is = (own: Address | undefined) => own !== undefined && isSameAddress(own, spender);
  for (const market of markets) {
    if (is(contracts[market]?.paymentGateway)) return `the payment gateway (${market})`;
    if (contract === 'USDC' && is(contracts[market]?.depositVault)) return `the deposit vault (${market})`;
    if (contract === 'USDC' && is(contracts[market]?.swapRouter)) return 'the router of the pool';
  }
  return null;
}

/** A contract that we do not know may be a token: then its bytes say what they would do to one. */
function readForeign(data: Hex): string[] {
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
    if (functionName === 'approve') {
      const much = args[1] >= unlimited ? 'any amount' : `${args[1]} units`;
      return [`If it is a token, this lets ${args[0]} take ${much} of it from your wallet.`];
    }
    if (functionName === 'transfer')
      return [`If it is a token, this gives ${args[1]} units of it to ${args[0]}.`];
    if (functionName === 'transferFrom')
      return [`If it is a token, this moves ${args[2]} units of it from ${args[0]} to ${args[1]}.`];
  } catch {
    // No function of a token.
  }
  return [];
}

/** The task as the call leaves it, as far as later calls of the same request depend on it. */
function applyCall(task: Task, { movements, state, functionName }: ExplainedCall, from: Address): Task {
  const sum = (isCounted: (movement: Movement) => boolean) =>
    movements.filter(isCounted).reduce((total, { amount }) => total + (amount ?? 0n), 0n);
  const isTo = ({ to }: Movement, owner: Address | null) =>
    owner !== null && 'owner' in to && isSameAddress(to.owner, owner);
  const out = (owner: Address | null) => sum((one) => one.from.place === 'escrow' && isTo(one, owner));
  const isPaid = task.state === 'DELIVERED' && state?.to === 'ACTIVE';
  return {
    ...task,
    state: state?.to ?? task.state,
    worker: functionName === 'claimTask' ? from : state?.to === 'POSTED' ? null : task.worker,
    milestone: isPaid ? task.milestone + 1 : task.milestone,
    funded: task.funded + sum(({ to }) => to.place === 'escrow'),
    released: task.released + out(task.worker),
    refunded: task.refunded + out(task.poster),
  };
}

/** Such as `Allows the payment gateway (standard) to take 50 TOK`. */
export function describeAllowance({ token, spender, spenderName, amount, isUnlimited }: Allowance): string {
  const who = spenderName ?? spender;
  if (amount === 0n) return `Takes back what ${who} may take of your ${token}`;
  const shown = isUnlimited ? `any amount of ${token}` : describeAmount({ token, amount });
  return `Allows ${who} to take ${shown} from your wallet`;
}

type Explained = Pick<ExplainedCall, 'movements' | 'allowance' | 'dangers'> & {
  readonly task: Roles | null;
  /** Of a signature: when the money moves. */
  readonly when?: string | null;
};

/** The lines of money for calls and signatures that are shown as text, such as in a terminal or in a question to the owner. */
export function listMoneyLines(explained: readonly Explained[], me: Address): string[] {
  return explained.flatMap(({ movements, task, allowance, dangers, when = null }) => [
    ...(allowance === null ? [] : [describeAllowance(allowance)]),
    ...movements.map((movement) => describeMovement(movement, { me, task })),
    ...(when === null ? [] : [when]),
    ...dangers.map((danger) => `Careful: ${danger}`),
  ]);
}

/** Signatures that are no action of the catalog, by the name that tools give them. */
const signedNames: Readonly<Record<string, readonly string[]>> = {
  Session: ['open-session'],
  NegotiationEnvelope: ['send-message'],
  Profile: ['publish-profile'],
  Listing: ['publish-listing'],
  TaskTerms: ['create-task', 'build-task-terms', 'accept-terms'],
  MutualSettlement: ['mutual-settle'],
  TransferWithAuthorization: ['x402-payment'],
  ReceiveWithAuthorization: ['x402-payment'],
};

const knownNames = () => new Set([...actions.map(({ name }) => name), ...Object.values(signedNames).flat()]);

/** The names that a request for this typed data may have. */
export function namesOfTypedData({ primaryType }: { readonly primaryType?: unknown }): readonly string[] {
  const type = String(primaryType);
  return Object.hasOwn(signedNames, type) ? (signedNames[type] ?? []) : [];
}

/** A warning where the name of the request is that of another action; null for any other words. */
export function describeMisnamed(asked: string, names: readonly string[]): string | null {
  if (!knownNames().has(asked) || names.includes(asked)) return null;
  const is = names.length === 0 ? 'no action of the market' : `“${[...new Set(names)].join(', ')}”`;
  return `The request calls itself “${asked}”, but what you would sign is ${is}. Do not believe its words.`;
}
