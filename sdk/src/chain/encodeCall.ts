// Builds one unsigned call: calldata for a wallet, and the same call as a step in words.
import {
  type Abi,
  type AbiParameter,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  hexToString,
} from 'viem';
import { describeCall, type ShownArguments } from '../describe/calls.ts';
import type { Address } from '../domain/address.ts';
import { formatMoment, formatPercent, formatTok, formatUsdc } from '../domain/amount.ts';
import { toJsonValue } from '../domain/json.ts';
import { currencies } from '../domain/state.ts';
import { milestoneNumber } from '../domain/task.ts';
import { contractAbis } from './abis.ts';

/** As wallets take it. */
export type Call = { readonly to: Address; readonly value: Hex; readonly data: Hex };

export type Step = {
  readonly summary: string;
  readonly contract: string;
  readonly function: string;
  /** By the names of the ABI; amounts and times as decimal strings. */
  readonly args: Record<string, unknown>;
};

/** `steps[n]` describes `calls[n]`. */
export type EncodedCalls = { readonly calls: readonly Call[]; readonly steps: readonly Step[] };

/** The contracts that a wallet calls, and the names that site-config has for their addresses. */
export const calledContracts = {
  TokToken: { key: 'tokToken', abi: contractAbis.tokToken },
  USDC: { key: 'usdc', abi: contractAbis.usdc },
  TaskRegistry: { key: 'taskRegistry', abi: contractAbis.taskRegistry },
  DepositVault: { key: 'depositVault', abi: contractAbis.depositVault },
  PaymentGateway: { key: 'paymentGateway', abi: contractAbis.paymentGateway },
  StakingVault: { key: 'stakingVault', abi: contractAbis.stakingVault },
  DisputeCourt: { key: 'disputeCourt', abi: contractAbis.disputeCourt },
  SwapRouter: { key: 'swapRouter', abi: contractAbis.swapRouter },
} as const;

export type CalledContract = keyof typeof calledContracts;
type AbiOf<Name extends CalledContract> = (typeof calledContracts)[Name]['abi'];
type FunctionOf<Name extends CalledContract> = ContractFunctionName<AbiOf<Name>, 'nonpayable'>;

/** A function of a contract, such as `TaskRegistry.claimTask`. */
export type CallName = { [Name in CalledContract]: `${Name}.${FunctionOf<Name>}` }[CalledContract];

/** The addresses of one market that a wallet calls. */
export type CallContracts = {
  readonly [Name in Exclude<CalledContract, 'SwapRouter'> as (typeof calledContracts)[Name]['key']]: Address;
} & {
  /** Where the deployment names a pool of TOK and USDC. */
  readonly swapRouter?: Address | undefined;
};

export function encodeCall<Name extends CalledContract, Func extends FunctionOf<Name>>(
  contracts: CallContracts,
  contract: Name,
  functionName: Func,
  args: ContractFunctionArgs<AbiOf<Name>, 'nonpayable', Func>,
): EncodedCalls {
  const { key, abi } = calledContracts[contract];
  const call = { abi: abi as Abi, functionName, args } as EncodeFunctionDataParameters;
  const item = getAbiItem({ abi: abi as Abi, name: functionName, args } as never) as unknown as {
    readonly inputs: readonly AbiParameter[];
  };
  const values = args as readonly unknown[];
  const named = Object.fromEntries(item.inputs.map(({ name = '' }, at) => [name, values[at]]));
  const sentence = describeCall(contract, functionName, showArguments(contracts, contract, named));
  return {
    calls: [{ to: contracts[key] as Address, value: '0x0', data: encodeFunctionData(call) }],
    steps: [
      {
        summary: sentence ?? `${contract}.${functionName}`,
        contract,
        function: functionName,
        args: toJsonValue(named) as Step['args'],
      },
    ],
  };
}

/** In this order, as one sequence. */
export function joinCalls(...parts: readonly EncodedCalls[]): EncodedCalls {
  return { calls: parts.flatMap(({ calls }) => calls), steps: parts.flatMap(({ steps }) => steps) };
}

const amounts = /^(value|amount|totalAmount|fundNow|maxPay|amountOut)$/;

/** The arguments of a call for `describeCall`. */
function showArguments(
  contracts: CallContracts,
  contract: CalledContract,
  args: Readonly<Record<string, unknown>>,
): ShownArguments {
  const isUsdc =
    contract === 'USDC' || contract === 'DepositVault' || currencies[Number(args.payWith)] === 'usdc';
  const show = (name: string, value: unknown): string => {
    if (name === 'amountInMaximum') return `${formatUsdc(value as bigint)} USDC`;
    if (amounts.test(name))
      return isUsdc ? `${formatUsdc(value as bigint)} USDC` : `${formatTok(value as bigint)} TOK`;
    if (name === 'newDeadline') return formatMoment(Number(value));
    if (name === 'milestone') return String(milestoneNumber(value as number));
    if (name === 'workerBps') return formatPercent(value as number);
    if (name === 'tier') return hexToString(value as Hex, { size: 32 });
    if (value === contracts.paymentGateway) return 'the payment gateway';
    if (value === contracts.swapRouter) return 'the router of the pool';
    return value === contracts.depositVault ? 'the deposit vault' : String(value);
  };
  const flat = Object.entries(args).flatMap(([name, value]) =>
    isStruct(value) ? Object.entries(value) : [[name, value] as const],
  );
  return Object.fromEntries(flat.map(([name, value]) => [name, show(name, value)]));
}

function isStruct(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
