// A view function of a contract as a question to the chain, with the reading of its answer.
import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  type DecodeFunctionResultParameters,
  decodeFunctionResult,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
} from 'viem';
import type { Address } from '#domain/address.ts';
import { callLatest, type Question } from './questions.ts';

export function contractCall<
  const Interface extends Abi,
  Name extends ContractFunctionName<Interface, 'view' | 'pure'>,
  const Args extends ContractFunctionArgs<Interface, 'view' | 'pure', Name>,
>(
  contract: { readonly address: Address; readonly abi: Interface },
  functionName: Name,
  args: Args,
): Question<ContractFunctionReturnType<Interface, 'view' | 'pure', Name, Args>> {
  const { address: to, abi } = contract;
  const data = encodeFunctionData({ abi: abi as Abi, functionName, args } as EncodeFunctionDataParameters);
  const question = callLatest({ to, data });
  return {
    ...question,
    parse: (result) => {
      const answer = { abi: abi as Abi, functionName, args, data: question.parse(result) };
      return decodeFunctionResult(answer as DecodeFunctionResultParameters) as ContractFunctionReturnType<
        Interface,
        'view' | 'pure',
        Name,
        Args
      >;
    },
  };
}
