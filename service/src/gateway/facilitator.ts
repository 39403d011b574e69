// Facilitators check x402 payments against the chain and send them: one in this process, which pays the gas, or remote.

import { createChainClient, createSender, type Sender } from '@svc/sdk/chain';
import type { Hash } from '@svc/sdk/domain';
import { parseAddress, SvcError } from '@svc/sdk/domain';
import { x402Facilitator } from '@x402/core/facilitator';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { type PaymentPayload, type PaymentRequirements, VerifyError } from '@x402/core/types';
import type { FacilitatorEvmSigner } from '@x402/evm';
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator';
import {
  type Abi,
  createWalletClient,
  encodeFunctionData,
  fallback,
  http,
  type PublicClient,
  parseErc6492Signature,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

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
  return adapt(new HTTPFacilitatorClient({ url, timeoutMs: answerMs }));
}

/** No request waits longer for a payment to be settled. */
const answerMs = 12_000;

/** The part of a payment that matters here; its shape is the protocol's own, in either of its versions. */
type Signed = {
  readonly payload: {
    readonly signature: string;
    readonly authorization: { readonly from: string; readonly to: string };
  };
};

function adapt(facilitator: Pick<x402Facilitator, 'verify' | 'settle'>) {
  return {
    /** Throws FACILITATOR_UNREACHABLE if the payment could not be checked. */
    verify: async (payment: Signed, requirement: object) => {
      if (!isReadable(payment.payload.signature)) return { isValid: false, reason: 'unreadable signature' };
      try {
        const verdict = await facilitator.verify(checksum(payment), requirement as PaymentRequirements);
        return { isValid: verdict.isValid, reason: verdict.invalidReason ?? '' };
      } catch (error) {
        // A remote facilitator may reject a payment with an HTTP error status.
        if (error instanceof VerifyError) return { isValid: false, reason: error.invalidReason ?? '' };
        throw new SvcError('FACILITATOR_UNREACHABLE', {}, error);
      }
    },
    settle: async (payment: Signed, requirement: object) => {
      const result = await facilitator.settle(checksum(payment), requirement as PaymentRequirements);
      return {
        txHash: result.success ? (result.transaction as Hash) : null,
        reason: result.errorReason ?? '',
      };
    },
  };
}

/** One of a wallet that is not deployed yet may hold anything where its parts should be. */
function isReadable(signature: string): boolean {
  try {
    parseErc6492Signature(signature as Hash);
    return true;
  } catch {
    return false;
  }
}

/** Addresses are taken in any case; the protocol's libraries refuse those whose case is no checksum. */
function checksum(payment: Signed): PaymentPayload {
  const { authorization } = payment.payload;
  const [from, to] = [parseAddress(authorization.from), parseAddress(authorization.to)];
  const payload = { ...payment.payload, authorization: { ...authorization, from, to } };
  return { ...payment, payload } as unknown as PaymentPayload;
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
