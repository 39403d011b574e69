// Decodes revert data into a name, arguments and a sentence for people.
import * as abis from '@svc/contracts/abi';
import { type Abi, type AbiParameter, decodeErrorResult, type Hex, hexToString, isHex } from 'viem';
import { formatMoment, formatTok, formatUsdc, tokDecimals, usdcDecimals } from '../domain/amount.ts';
import { disputePhases, taskStates } from '../domain/state.ts';
import { milestoneNumber } from '../domain/task.ts';
import { toShown } from '../domain/text.ts';

/** `name` is empty when the error is unknown. */
export type Revert = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly sentence: string;
};

/** Every error of our contracts, each once. */
export const revertAbi: Abi = [
  ...new Map(
    (Object.values(abis) as Abi[])
      .flat()
      .filter((entry) => entry.type === 'error')
      .map((entry) => [entry.name, entry]),
  ).values(),
];

/** The name, the arguments and a sentence for the data of a revert. Never throws: unknown data has an empty name. */
export function decodeRevert(data: Hex): Revert {
  if (data === '0x') return { name: '', args: {}, sentence: 'The contract refused without saying why.' };
  try {
    const { errorName: name, args = [], abiItem } = decodeErrorResult({ abi: revertAbi, data });
    const inputs: readonly AbiParameter[] = abiItem.type === 'error' ? abiItem.inputs : [];
    const named = Object.fromEntries(inputs.map((input, index) => [input.name, args[index]]));
    return { name, args: named, sentence: fill(revertSentences[name] ?? name, named) };
  } catch {
    return { name: '', args: { data }, sentence: `The contract refused with unknown data ${toShown(data)}.` };
  }
}

/** Finds revert data in an error of viem; undefined when no contract reverted. */
export function findRevert(error: unknown): Revert | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const data = parseRevertData((at as { data?: unknown }).data);
    if (data !== undefined) return decodeRevert(data);
  }
  return undefined;
}

/** Some nodes return the data as hex, others as an object that holds the hex. */
export function parseRevertData(data: unknown): Hex | undefined {
  const inner = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data;
  return isHex(inner) ? inner : undefined;
}

function fill(sentence: string, args: Readonly<Record<string, unknown>>): string {
  return sentence.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, unit = 'plain') =>
    (printers[unit as Unit] ?? String)(args[name] as never),
  );
}

type Unit = keyof typeof printers;

const printers = {
  plain: (value: unknown) => toShown(String(value)),
  tok: formatTok,
  usdc: formatUsdc,
  /** Of a token that the error does not name. So many units are a speck of TOK, and more USDC than anyone pays here. */
  units: (amount: bigint) => {
    if (amount === 0n) return '0';
    return amount < 10n ** 13n
      ? `${formatUsdc(amount)} (at ${usdcDecimals} decimals)`
      : `${formatTok(amount)} (at ${tokDecimals} decimals)`;
  },
  time: formatMoment,
  text: (value: Hex) => hexToString(value, { size: 32 }).replace(/[^\x20-\x7e]/g, '') || value,
  number: (index: number) => String(milestoneNumber(index)),
  state: (index: number) => taskStates[index] ?? String(index),
  phase: (index: number) =>
    index === 0 ? 'NONE (there is no dispute)' : (disputePhases[index] ?? String(index)),
  panic: (code: bigint) => panics[Number(code)] ?? `code ${code}`,
};

const panics: Readonly<Record<number, string>> = {
  1: 'an assertion failed',
  17: 'a sum or difference does not fit',
  18: 'a division by zero',
  33: 'a number is not a member of its enumeration',
  49: 'an empty list was shortened',
  50: 'an index is out of range',
  65: 'too much memory',
};

/**
 * A sentence for each error of our contracts, of OpenZeppelin's code in them, and of Solidity. Braces hold an argument and
 * its unit.
 */
export const revertSentences: Readonly<Record<string, string>> = {
  AgentIsPaused: 'The deposit of {agent} is below the pause threshold; top it up to continue.',
  AlreadyActive: 'Staking is already active.',
  ArbitratorIsParty: '{arbitrator} takes part in this dispute and cannot also decide it.',
  AuthorizationExpired: 'The USDC authorization ended at {validBefore:time}.',
  AuthorizationNotYetValid: 'The USDC authorization starts at {validAfter:time}.',
  AuthorizationSpent: 'The USDC authorization {nonce} was used or cancelled before.',
  BadBps: 'A split must be 0 to 10000 basis points, not {bps}.',
  BadMilestones: 'The milestones do not fit: {reason:text}.',
  BadPlan: 'The plan {id:text} cannot be set: an empty id or limit, a discount above half, or a full table.',
  BadPrice: 'A price must be above 0, not {answer}.',
  BadSignature: 'The signature is not that of {signer}.',
  BadTerms: 'A term is out of bounds: {field:text}.',
  BelowEntry: 'The deposit is {balance:usdc} USDC, but {required:usdc} USDC are needed to post or claim.',
  BelowMinStake: 'A stake of {staked:tok} TOK is below the minimum of {required:tok} TOK.',
  BondTooLow: 'A bond of {bond:tok} TOK is below the minimum of {required:tok} TOK.',
  CallFailed: 'Call {index} of the batch failed.',
  CallerIsNotPayee: '{caller} is not the payee of this USDC authorization.',
  CasesOpen: 'The arbitrator still has {openCases} open cases.',
  DeliveredAgain: 'The work was delivered again at {deliveredAt:time}; look at that delivery first.',
  DigestMismatch: 'The terms on chain differ from the expected ones; their digest is {expected}.',
  ECDSAInvalidSignature: 'The signature is malformed.',
  ECDSAInvalidSignatureLength: 'The signature is malformed: it has {length} bytes.',
  ECDSAInvalidSignatureS: 'The signature is malformed: its s value is too high.',
  ERC20InsufficientAllowance:
    '{spender} may take {allowance:units} of a token, but {needed:units} are needed; approve it.',
  ERC20InsufficientBalance: '{sender} has {balance:units} of a token, but {needed:units} are needed.',
  ERC20InvalidApprover: '{approver} cannot approve a token.',
  ERC20InvalidReceiver: '{receiver} cannot receive a token.',
  ERC20InvalidSender: '{sender} cannot send a token.',
  ERC20InvalidSpender: '{spender} cannot be approved for a token.',
  ERC2612ExpiredSignature: 'The permit ended at {deadline:time}.',
  ERC2612InvalidSigner: 'The permit was signed by {signer}, not by {owner}.',
  EntriesArePaused: 'New posts and claims are paused on this market.',
  Error: '{message}',
  ExceedsHeld: 'The task holds {held:tok} TOK, less than the {wanted:tok} TOK asked for.',
  Expired: 'This was possible until {endedAt:time}.',
  FreePlan: 'The plan {tier:text} is free; there is nothing to buy.',
  Insolvent: 'The token transferred {received:units} instead of {required:units}.',
  InsufficientFree: '{free:usdc} USDC of the deposit are free, but {required:usdc} USDC are needed.',
  InsufficientStake: '{staked:tok} TOK are staked, less than the {wanted:tok} TOK asked for.',
  InvalidAccountNonce: 'The next permit of {account} has number {currentNonce}.',
  InvalidShortString: 'A short text on chain is malformed.',
  InvalidUsdcSignature: 'The USDC authorization is not signed by {signer}.',
  NotArbitrator: '{caller} is not the arbitrator of this dispute.',
  NotAuthorized: '{caller} may not do this.',
  NotCourt: 'Only the court may do this; {caller} is not the court.',
  NoNotice: 'The worker of task {taskId} has had no notice of a dismissal.',
  NotEligible:
    '{arbitrator} cannot take this dispute: its bond is too small, it is leaving, it takes no sum so small, or it paid for the answer.',
  NotFullyFunded: 'Escrow holds {held:tok} TOK, but {required:tok} TOK are needed to start.',
  NotInEmergency: 'The deposit of {agent} is not in an emergency.',
  NotParty: '{caller} is neither poster nor worker of the task.',
  NotPoster: 'Only the poster may do this; {caller} is not.',
  NotPublisher: '{caller} may not publish prices.',
  NotRegistry: 'Only the registry may do this; {caller} is not the registry.',
  NotWorker: 'Only the worker may do this; {caller} is not.',
  OverFunded: 'Escrow would hold {funded:tok} TOK, more than the {total:tok} TOK that the task pays.',
  OwnableInvalidOwner: '{owner} cannot be an owner.',
  OwnableUnauthorizedAccount: 'Only the owner may do this; {account} is not.',
  Panic: 'The contract failed: {reason:panic}.',
  PlanBelowMin:
    'The plan gives {dailyLimit} posts a day for {periodDays} days now, less than what you asked for.',
  PriceAboveMax: 'The plan costs {price:units} now, more than the {maxPay:units} allowed.',
  ReentrancyGuardReentrantCall: 'A contract made a reentrant call.',
  ReviewOver: 'The time to dispute this delivery ended at {endedAt:time}.',
  SafeCastOverflowedUintDowncast:
    'The sum would be {value:units}, more than the contracts can count ({bits} bits).',
  SafeERC20FailedOperation: 'The token {token} refused a transfer.',
  SaltUsed: 'These two wallets have already made a task with the salt {salt}.',
  SelfDeal: 'Poster and worker must be two wallets, but both are {agent}.',
  StakeLocked: 'The stake is locked until {until:time}.',
  StakingNotActive: 'Staking is not open yet.',
  StalePrice: 'There is no valid TOK price; the last one is from {updatedAt:time}.',
  StepTooLarge: 'The price may not change from {previous} to {answer} in one step.',
  StillBelowPause: 'The deposit would be {balance:usdc} USDC, still below {required:usdc} USDC.',
  StringTooLong: 'The text is too long: {str}.',
  SupplyTooLarge: 'A supply of {supply:tok} TOK is more than the contracts can count.',
  TermsAreRevoked: 'A signer has revoked the terms {digest}.',
  TokNotAllowed: 'The plan {tier:text} cannot be paid in TOK now: there is no valid price.',
  TooEarly: 'This is possible after {possibleAfter:time}.',
  TooLate: 'This was possible until {endedAt:time}.',
  TooSoon: 'The next price may be published at {possibleAt:time}.',
  UnknownPlan: 'There is no plan {id:text}.',
  ValueMismatch: 'The batch was sent {sent} wei and used {used}.',
  WrongMilestone: 'Milestone {current:number}, whose index is {current}, is the current one.',
  WrongPhase: 'The dispute is in phase {phase:phase}, which does not allow this.',
  WrongState: 'Task {taskId} is in state {state:state}, which does not allow this.',
  ZeroAmount: 'An amount of 0 moves nothing.',
};
