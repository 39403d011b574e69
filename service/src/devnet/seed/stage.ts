// Where the story is played: sends one transaction after the other, each in a block of its own time.

import type { Deployment } from '@svc/sdk/chain';
import { findRevert } from '@svc/sdk/chain';
import type { Address } from '@svc/sdk/domain';
import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  numberToHex,
  type PublicClient,
} from 'viem';
import type { Evm } from '../evm.ts';

/** A transaction that somebody sends. */
export type Act = { readonly by: Address; readonly to: Address; readonly data: Hex };

export type Stage = {
  readonly deployment: Deployment;
  readonly publicClient: PublicClient;
  /** Mines the act, at this time where one is given; throws where a contract refuses: the story itself is wrong. */
  readonly play: (act: Act, at?: number) => Promise<void>;
};

/** More than any act of the story needs; a fixed one saves estimating each. */
const gas = numberToHex(3_000_000);

export function createStage(evm: Evm, publicClient: PublicClient, deployment: Deployment): Stage {
  return {
    deployment,
    publicClient,
    play: async ({ by, to, data }, at) => {
      if (at !== undefined) await evm.request({ method: 'evm_setNextBlockTimestamp', params: [at] });
      const transaction = { from: by, to, data, gas };
      const hash = await evm.request({ method: 'eth_sendTransaction', params: [transaction] });
      const receipt = await evm.request({ method: 'eth_getTransactionReceipt', params: [hash] });
      if ((receipt as { status: Hex }).status === '0x1') return;
      const error = await evm
        .request({ method: 'eth_call', params: [transaction, 'latest'] })
        .catch((reason: unknown) => reason);
      throw new Error(findRevert(error)?.sentence ?? `transaction ${hash} failed`);
    },
  };
}

export function buildAct<
  const Interface extends Abi,
  Name extends ContractFunctionName<Interface, 'nonpayable'>,
>(
  by: Address,
  contract: { readonly address: Address; readonly abi: Interface },
  functionName: Name,
  args: ContractFunctionArgs<Interface, 'nonpayable', Name>,
): Act {
  const call = { abi: contract.abi as Abi, functionName, args } as EncodeFunctionDataParameters;
  return { by, to: contract.address, data: encodeFunctionData(call) };
}
