// One unsigned call and what it means: calldata for a wallet, and a step in words for whoever decides on it.
import {
  type Abi,
  type AbiParameter,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  stringify,
} from 'viem';
import type { Address } from '#domain/address.ts';

export type Call = { readonly to: Address; readonly value: '0x0'; readonly data: Hex };

export type Step = {
  readonly summary: string;
  readonly contract: string;
  readonly function: string;
  /** By the names of the ABI; amounts and times as decimal strings. */
  readonly args: Record<string, unknown>;
};

/** `steps[n]` is what `calls[n]` means. */
export type EncodedCalls = { readonly calls: readonly Call[]; readonly steps: readonly Step[] };

/** The contracts of one market that a wallet calls; site-config answers them by the same names. */
export type CallContracts = {
  readonly tokToken: Address;
  readonly usdc: Address;
  readonly taskRegistry: Address;
  readonly depositVault: Address;
  readonly paymentGateway: Address;
  readonly stakingVault: Address;
  readonly disputeCourt: Address;
};

export type Contract<Interface extends Abi> = {
  readonly name: string;
  readonly address: Address;
  readonly abi: Interface;
};

export function encodeCall<
  const Interface extends Abi,
  Name extends ContractFunctionName<Interface, 'nonpayable'>,
>(
  contract: Contract<Interface>,
  functionName: Name,
  args: ContractFunctionArgs<Interface, 'nonpayable', Name>,
  summary: string,
): EncodedCalls {
  const call = { abi: contract.abi as Abi, functionName, args } as EncodeFunctionDataParameters;
  const item = getAbiItem({ abi: contract.abi as Abi, name: functionName, args } as never) as unknown as {
    readonly inputs: readonly AbiParameter[];
  };
  const given = args as readonly unknown[];
  return {
    calls: [{ to: contract.address, value: '0x0', data: encodeFunctionData(call) }],
    steps: [
      {
        summary,
        contract: contract.name,
        function: functionName,
        args: Object.fromEntries(item.inputs.map(({ name }, at) => [name, toJson(given[at])])),
      },
    ],
  };
}

/** In this order, as one sequence. */
export function joinCalls(...parts: readonly EncodedCalls[]): EncodedCalls {
  return { calls: parts.flatMap(({ calls }) => calls), steps: parts.flatMap(({ steps }) => steps) };
}

function toJson(value: unknown): unknown {
  return JSON.parse(stringify(value));
}
