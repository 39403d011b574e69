// The contracts of one market by the names of site-config, and typed calls of their view functions.
import {
  type Abi,
  type AbiFunction,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
} from 'viem';
import { type Address, parseAddress } from '../domain/address.ts';
import type { Market } from '../domain/market.ts';
import { type AbiDecoder, createAbiDecoder } from './abiDecoder.ts';
import { contractAbis } from './abis.ts';
import type { Deployment } from './deployment.ts';
import type { CallContracts } from './encodeCall.ts';
import { callAt, callLatest, type RpcRequest } from './rpcRequests.ts';

export type MarketContracts = CallContracts & {
  readonly escrowVault: Address;
  readonly usdOracle: Address;
  readonly pricingPolicy: Address;
  readonly reputationRegistry: Address;
  readonly marketLens: Address;
  /** The pool of TOK and USDC at which wallets buy TOK, if there is one. */
  readonly tokPool?: Address | undefined;
};

/** The contracts of one market of a deployment. */
export function contractsOf(deployment: Deployment, market: Market): MarketContracts {
  const { parameters: _, ...own } = deployment.markets[market];
  const { tokToken, usdc, usdOracle, marketLens, sale } = deployment;
  return { ...own, tokToken, usdc, usdOracle, marketLens, ...sale };
}

/** The contracts of both markets of a deployment. */
export function contractsOfBoth(deployment: Deployment): Record<Market, MarketContracts> {
  return { standard: contractsOf(deployment, 'standard'), micro: contractsOf(deployment, 'micro') };
}

/** The addresses as site-config has them. Throws ADDRESS_MALFORMED. */
export function parseContracts(
  named: {
    readonly [Name in keyof MarketContracts]: string | undefined;
  },
): MarketContracts {
  const parsed = Object.entries(named).flatMap(([name, address]) =>
    address === undefined ? [] : [[name, parseAddress(address)]],
  );
  return Object.fromEntries(parsed) as MarketContracts;
}

/** A view call as a request, at the newest block unless one is given. */
export function contractCall<
  const Interface extends Abi,
  Name extends ContractFunctionName<Interface, 'view' | 'pure'>,
  const Args extends ContractFunctionArgs<Interface, 'view' | 'pure', Name>,
>(
  contract: { readonly address: Address; readonly abi: Interface },
  functionName: Name,
  args: Args,
  blockHash?: Hex,
): RpcRequest<ContractFunctionReturnType<Interface, 'view' | 'pure', Name, Args>> {
  const call = { abi: contract.abi as Abi, functionName, args };
  const data = encodeFunctionData(call as EncodeFunctionDataParameters);
  const to = { to: contract.address, data };
  const request = blockHash === undefined ? callLatest(to) : callAt(to, blockHash);
  return {
    ...request,
    parse: (result) => {
      const values = findDecoder(call.abi, functionName)(request.parse(result));
      return (values.length === 1 ? values[0] : values) as ContractFunctionReturnType<
        Interface,
        'view' | 'pure',
        Name,
        Args
      >;
    },
  };
}

/** A view call of a contract of the market, by its name in `addresses`. */
export function marketCall<
  Contract extends keyof typeof contractAbis,
  Name extends ContractFunctionName<(typeof contractAbis)[Contract], 'view' | 'pure'>,
  const Args extends ContractFunctionArgs<(typeof contractAbis)[Contract], 'view' | 'pure', Name>,
>(
  addresses: { readonly [Key in Contract]: Address },
  contract: Contract,
  functionName: Name,
  args: Args,
  blockHash?: Hex,
) {
  const place = { address: addresses[contract], abi: contractAbis[contract] };
  return contractCall<(typeof contractAbis)[Contract], Name, Args>(place, functionName, args, blockHash);
}

const decoders = new WeakMap<AbiFunction, AbiDecoder>();

/** Of the function's result. Our contracts have no two view functions with one name. */
function findDecoder(abi: Abi, functionName: string): AbiDecoder {
  const item = abi.find((one) => one.type === 'function' && one.name === functionName) as AbiFunction;
  const known = decoders.get(item);
  if (known !== undefined) return known;
  const decoder = createAbiDecoder(item.outputs);
  decoders.set(item, decoder);
  return decoder;
}
