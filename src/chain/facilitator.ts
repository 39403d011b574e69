// Facilitators check x402 payments against the chain and send them: one in this process, which pays the gas, or one elsewhere.
import { x402Facilitator } from '@x402/core/facilitator';
import { HTTPFacilitatorClient } from '@x402/core/server';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import type { FacilitatorEvmSigner } from '@x402/evm';
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator';
import { type Abi, createWalletClient, encodeFunctionData, fallback, http, type PublicClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Hash } from '#domain/task.ts';
import { createChainClient } from './publicClient.ts';
import { createSender, type Sender } from './send.ts';

export type FacilitatorOptions = {
  readonly rpcUrls: readonly string[];
  readonly chainId: number;
  /** Pays the gas. */
  readonly key: Hash;
};

export function createLocalFacilitator({ rpcUrls, chainId, key }: FacilitatorOptions) {
  const transport = fallback(rpcUrls.map((url) => http(url)));
  const publicClient = createChainClient({ transport, cacheTime: 0, pollingInterval: 100 });
  const walletClient = createWalletClient({ transport, account: privateKeyToAccount(key) });
  const facilitator = new x402Facilitator();
  registerExactEvmScheme(facilitator, {
    signer: createSigner(publicClient, createSender({ publicClient, walletClient })),
    networks: `eip155:${chainId}`,
  });
  return adapt(facilitator);
}

export function createRemoteFacilitator(url: string) {
  return adapt(new HTTPFacilitatorClient({ url }));
}

/** The shapes of payments and requirements are the protocol's own, in either of its versions. */
function adapt(facilitator: Pick<x402Facilitator, 'verify' | 'settle'>) {
  return {
    verify: async (payment: object, requirement: object) => {
      const verdict = await facilitator.verify(payment as PaymentPayload, requirement as PaymentRequirements);
      return { isValid: verdict.isValid, reason: verdict.invalidReason ?? '' };
    },
    settle: async (payment: object, requirement: object) => {
      const result = await facilitator.settle(payment as PaymentPayload, requirement as PaymentRequirements);
      return {
        txHash: result.success ? (result.transaction as Hash) : null,
        reason: result.errorReason ?? '',
      };
    },
  };
}

/** Sending is the sender's business, with nonces in order; it answers once the transaction is mined. */
function createSigner(publicClient: PublicClient, sender: Sender): FacilitatorEvmSigner {
  const send = async (call: { readonly to: Hash; readonly data: Hash; readonly gas?: bigint }) =>
    (await sender.send(call)).transactionHash;
  return {
    getAddresses: () => [sender.address],
    readContract: (call) => publicClient.readContract(call as never),
    verifyTypedData: (document) => publicClient.verifyTypedData(document as never),
    getCode: (account) => publicClient.getCode(account),
    waitForTransactionReceipt: ({ hash }) => publicClient.getTransactionReceipt({ hash }),
    sendTransaction: send,
    writeContract: ({ address, abi, functionName, args, gas }) => {
      const data = encodeFunctionData({ abi: abi as Abi, functionName, args: [...args] });
      return send({ to: address, data, ...(gas !== undefined && { gas }) });
    },
  };
}
