// Builds one unsigned call: calldata for a wallet, and the same call as a step in words.
import {
  depositVaultAbi,
  disputeCourtAbi,
  paymentGatewayAbi,
  stakingVaultAbi,
  taskRegistryAbi,
  tokTokenAbi,
} from '@svc/contracts/abi';
import {
  type Abi,
  type AbiParameter,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  getAbiItem,
  type Hex,
} from 'viem';
import type { Address } from '#domain/address.ts';
import { toJsonValue } from '#domain/json.ts';

export type Call = { readonly to: Address; readonly value: '0x0'; readonly data: Hex };

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
  TokToken: { key: 'tokToken', abi: tokTokenAbi },
  // The part of ERC-20 that is called here is the same in USDC.
  USDC: { key: 'usdc', abi: tokTokenAbi },
  TaskRegistry: { key: 'taskRegistry', abi: taskRegistryAbi },
  DepositVault: { key: 'depositVault', abi: depositVaultAbi },
  PaymentGateway: { key: 'paymentGateway', abi: paymentGatewayAbi },
  StakingVault: { key: 'stakingVault', abi: stakingVaultAbi },
  DisputeCourt: { key: 'disputeCourt', abi: disputeCourtAbi },
} as const;

export type CalledContract = keyof typeof calledContracts;
type AbiOf<Name extends CalledContract> = (typeof calledContracts)[Name]['abi'];
type FunctionOf<Name extends CalledContract> = ContractFunctionName<AbiOf<Name>, 'nonpayable'>;

/** The addresses of one market that a wallet calls. */
export type CallContracts = {
  readonly [Name in CalledContract as (typeof calledContracts)[Name]['key']]: Address;
};

export function encodeCall<Name extends CalledContract, Func extends FunctionOf<Name>>(
  contracts: CallContracts,
  contract: Name,
  functionName: Func,
  args: ContractFunctionArgs<AbiOf<Name>, 'nonpayable', Func>,
  summary: string,
): EncodedCalls {
  const { key, abi } = calledContracts[contract];
  const call = { abi: abi as Abi, functionName, args } as EncodeFunctionDataParameters;
  const item = getAbiItem({ abi: abi as Abi, name: functionName, args } as never) as unknown as {
    readonly inputs: readonly AbiParameter[];
  };
  const given = args as readonly unknown[];
  return {
    calls: [{ to: contracts[key], value: '0x0', data: encodeFunctionData(call) }],
    steps: [
      {
        summary,
        contract,
        function: functionName,
        args: Object.fromEntries(item.inputs.map(({ name }, at) => [name, toJsonValue(given[at])])),
      },
    ],
  };
}

/** In this order, as one sequence. */
export function joinCalls(...parts: readonly EncodedCalls[]): EncodedCalls {
  return { calls: parts.flatMap(({ calls }) => calls), steps: parts.flatMap(({ steps }) => steps) };
}
