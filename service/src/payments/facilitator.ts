// Facilitators check x402 payments against the chain and send them: one in this process, which pays the gas, or remote.
import { randomBytes } from 'node:crypto';
import { createSender, type Rpc, type Sender } from '@svc/sdk/chain';
import { type Address, isSameAddress, parseAddress, SvcError } from '@svc/sdk/domain';
import { createKeyClients } from '@svc/sdk/internal/chain/chainClient';
import { x402Facilitator } from '@x402/core/facilitator';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { type PaymentPayload, type PaymentRequirements, SettleError, VerifyError } from '@x402/core/types';
import type { FacilitatorEvmSigner } from '@x402/evm';
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator';
import {
  type Abi,
  bytesToHex,
  concatHex,
  encodeFunctionData,
  type Hex,
  isHash,
  type PublicClient,
  parseErc6492Signature,
} from 'viem';
import type { Payment } from '../contract/paymentSchemas.ts';
import type { Requirement } from './x402.ts';

export type Outcome = {
  readonly txHash: Hex | null;
  readonly reason: string;
  /** Whether it failed because our own account cannot pay the gas. */
  readonly isUnfunded?: boolean;
};

export type Facilitator = {
  /** Throws FACILITATOR_UNREACHABLE if the payment could not be checked. */
  readonly verify: (
    payment: Payment,
    requirement: Requirement,
  ) => Promise<{ readonly isValid: boolean; readonly reason: string }>;
  /**
   * Sends the payment to the chain and waits for it; the reason is empty where it succeeded. A facilitator in this process
   * notes each transaction before it sends it. Throws where the outcome is unknown.
   */
  readonly settle: (payment: Payment, requirement: Requirement, note: Note) => Promise<Outcome>;
  /** Whether a facilitator elsewhere sends with this account. Null for one in this process, whose notes say it all. */
  readonly isSender: ((account: Address) => Promise<boolean>) | null;
  /** What the account that pays the gas has, in wei; null for a facilitator elsewhere. */
  readonly readBalance: (() => Promise<bigint>) | null;
};

/** Who settles payments: this process with its own key, another server, or nobody. */
export type FacilitatorChoice =
  | { readonly kind: 'local'; readonly key: Hex }
  | { readonly kind: 'remote'; readonly url: string }
  | { readonly kind: 'off' };

export function createFacilitator(
  choice: FacilitatorChoice,
  rpc: Pick<Rpc, 'transport'>,
  chainId: number,
): Facilitator | null {
  if (choice.kind === 'off') return null;
  if (choice.kind === 'remote') return createRemoteFacilitator(choice.url, chainId);
  return createLocalFacilitator({ rpc, chainId, key: choice.key });
}

type FacilitatorOptions = {
  readonly rpc: Pick<Rpc, 'transport'>;
  readonly chainId: number;
  /** Pays the gas. */
  readonly key: Hex;
};

/** Notes a signed transaction as our own, before it is sent. */
type Note = (txHash: Hex) => Promise<void>;

export function createLocalFacilitator({ rpc, chainId, key }: FacilitatorOptions) {
  const clients = createKeyClients(rpc, key);
  const sender = createSender(clients);
  // The protocol's library has no place for a note, so each settlement has a signer with its own.
  const create = (note: Note) => {
    const facilitator = new x402Facilitator();
    const signer = createSigner(clients.publicClient, sender, note);
    return registerExactEvmScheme(facilitator, { signer, networks: `eip155:${chainId}` });
  };
  const adapted = adapt(create);
  const readBalance = () => clients.publicClient.getBalance({ address: sender.address });
  const isPoor = async () => {
    const [balance, price] = await Promise.all([readBalance(), clients.publicClient.getGasPrice()]);
    return balance < price * settlementGas;
  };
  const settle: Facilitator['settle'] = async (...args) => {
    try {
      const outcome = await adapted.settle(...args);
      return outcome.txHash === null && (await isPoor()) ? { ...outcome, isUnfunded: true } : outcome;
    } catch (error) {
      if (!(await isPoor())) throw error;
      return { txHash: null, reason: 'the facilitator has no Ether', isUnfunded: true };
    }
  };
  return { ...adapted, settle, isSender: null, readBalance };
}

/** What a transfer by authorization takes at most. */
const settlementGas = 120_000n;

export function createRemoteFacilitator(url: string, chainId: number) {
  const client = new HTTPFacilitatorClient({ url, timeoutMs: answerMs });
  return {
    ...adapt(() => client),
    readBalance: null,
    /** Whether the facilitator lists this account as one that it sends with. Throws where it does not answer. */
    isSender: async (account: Address): Promise<boolean> => {
      const { signers } = await client.getSupported().catch((error: unknown) => {
        throw new SvcError('FACILITATOR_UNREACHABLE', {}, error);
      });
      const listed = ['eip155:*', `eip155:${chainId}`].flatMap((family) => signers?.[family] ?? []);
      return listed.some((one) => isSameAddress(one as Address, account));
    },
  };
}

/** No request waits longer for a payment to be settled. */
const answerMs = 12_000;

type Verifier = Pick<x402Facilitator, 'verify' | 'settle'>;

function adapt(create: (note: Note) => Verifier): Pick<Facilitator, 'verify' | 'settle'> {
  const verifier = create(() => Promise.reject(new Error('verifying sends nothing')));
  return {
    verify: async (payment, requirement) => {
      if (!isReadable(payment.payload.signature)) return { isValid: false, reason: 'unreadable signature' };
      try {
        const verdict = await verifier.verify(
          checksum(payment),
          requirement as unknown as PaymentRequirements,
        );
        return { isValid: verdict.isValid, reason: verdict.invalidReason ?? '' };
      } catch (error) {
        // A remote facilitator may reject a payment with an HTTP error status.
        if (error instanceof VerifyError) return { isValid: false, reason: error.invalidReason ?? '' };
        throw new SvcError('FACILITATOR_UNREACHABLE', {}, error);
      }
    },
    settle: async (payment, requirement, note) => {
      const result = await create(note)
        .settle(checksum(payment), requirement as unknown as PaymentRequirements)
        .catch((error: unknown) => {
          if (error instanceof SettleError)
            return { success: false, transaction: '', errorReason: error.errorReason };
          throw error;
        });
      if (result.errorReason === pending) throw new Error('the settlement is pending');
      if (result.success && !isHash(result.transaction))
        throw new Error('the settlement names no transaction');
      return {
        txHash: result.success ? (result.transaction as Hex) : null,
        reason: result.errorReason ?? '',
      };
    },
  };
}

/** The protocol's word for a transaction that was sent and is not mined. */
const pending = 'settlement_pending';

/** The signature of a wallet that is not deployed yet may hold anything where its parts should be. */
function isReadable(signature: string): boolean {
  try {
    parseErc6492Signature(signature as Hex);
    return true;
  } catch {
    return false;
  }
}

/** Addresses are taken in any case; the protocol's libraries refuse those whose case is no checksum. */
function checksum(payment: Payment): PaymentPayload {
  const { authorization } = payment.payload;
  const [from, to] = [parseAddress(authorization.from), parseAddress(authorization.to)];
  const payload = { ...payment.payload, authorization: { ...authorization, from, to } };
  return { ...payment, payload } as unknown as PaymentPayload;
}

/**
 * Sending is the sender's business, with nonces in order; it answers once the transaction is mined. A transfer by
 * authorization succeeds once, so it may be signed again when its nonce is taken.
 */
function createSigner(publicClient: PublicClient, sender: Sender, note: Note): FacilitatorEvmSigner {
  const send = async (call: { readonly to: Hex; readonly data: Hex; readonly gas?: bigint }) => {
    const options = { onSigned: ({ hash }: { hash: Hex }) => note(hash), isSignedOnce: false };
    return (await sender.send(call, options)).transactionHash;
  };
  return {
    getAddresses: () => [sender.address],
    readContract: (call) => publicClient.readContract(call as never),
    verifyTypedData: (document) => publicClient.verifyTypedData(document as never),
    getCode: (account) => publicClient.getCode(account),
    waitForTransactionReceipt: ({ hash }) => publicClient.getTransactionReceipt({ hash }),
    sendTransaction: send,
    writeContract: ({ address, abi, functionName, args, gas }) => {
      const data = encodeFunctionData({ abi: abi as Abi, functionName, args: [...args] });
      return send({ to: address, data: addMark(data), ...(gas !== undefined && { gas }) });
    },
  };
}

/**
 * Two gateways with one key and one view of the chain would otherwise sign the same transaction, and both would count it
 * as theirs. Contracts ignore bytes after the arguments.
 */
function addMark(data: Hex): Hex {
  return concatHex([data, bytesToHex(randomBytes(16))]);
}
