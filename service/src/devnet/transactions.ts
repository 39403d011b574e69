// Transactions of the development accounts: encoding, and mining each in a block with a given time.
import { type Deployment, findRevert } from '@svc/sdk/chain';
import type { Address } from '@svc/sdk/domain';
import { sendFromNode } from '@svc/sdk/internal/send/keySender';
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
import type { Evm } from './evm.ts';

/** `from` is a development account, so the chain signs. */
export type DevTransaction = { readonly from: Address; readonly to: Address; readonly data: Hex };

export type Miner = {
  readonly deployment: Deployment;
  readonly publicClient: PublicClient;
  /** Mines the transaction, at this Unix time if one is given. Throws the contract's reason when it reverts. */
  readonly mine: (transaction: DevTransaction, at?: number) => Promise<void>;
};

/** More than any seeded transaction uses. A fixed limit saves an estimate for each. */
const gas = numberToHex(3_000_000);

export function createMiner(evm: Evm, publicClient: PublicClient, deployment: Deployment): Miner {
  return {
    deployment,
    publicClient,
    mine: async (transaction, at) => {
      if (at !== undefined) await evm.request({ method: 'evm_setNextBlockTimestamp', params: [at] });
      const request = { ...transaction, gas };
      const hash = await sendFromNode(evm, request);
      const receipt = await evm.request({ method: 'eth_getTransactionReceipt', params: [hash] });
      if ((receipt as { status: Hex }).status === '0x1') return;
      const error = await evm
        .request({ method: 'eth_call', params: [request, 'latest'] })
        .catch((reason: unknown) => reason);
      throw new Error(findRevert(error)?.sentence ?? `transaction ${hash} failed`);
    },
  };
}

export function buildTransaction<
  const Interface extends Abi,
  Name extends ContractFunctionName<Interface, 'nonpayable'>,
>(
  from: Address,
  contract: { readonly address: Address; readonly abi: Interface },
  functionName: Name,
  args: ContractFunctionArgs<Interface, 'nonpayable', Name>,
): DevTransaction {
  const call = { abi: contract.abi as Abi, functionName, args } as EncodeFunctionDataParameters;
  return { from, to: contract.address, data: encodeFunctionData(call) };
}
