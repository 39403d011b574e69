// A wallet that is a private key in this process: it signs and sends at once, and nobody is asked.
import { createWalletClient, fallback, type Hex, http, type TypedDataDefinition } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { explainChainError } from '#chain/connection.ts';
import { createChainClient } from '#chain/publicClient.ts';
import { createSender } from '#chain/send.ts';
import { type Address, isSameAddress } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import type { CreateRequest } from '#schemas/walletRequest.ts';
import type { Wallet, WalletAnswer } from './wallet.ts';

export type KeyWalletOptions = { readonly privateKey: Hex; readonly rpcUrls: readonly string[] };

type CallsRequest = CreateRequest & { readonly kind: 'calls' };

export function createKeyWallet({ privateKey, rpcUrls }: KeyWalletOptions): Wallet {
  const account = privateKeyToAccount(privateKey);
  const transport = fallback(rpcUrls.map((url) => http(url)));
  const sender = createSender({
    publicClient: createChainClient({ transport }),
    walletClient: createWalletClient({ account, transport }),
  });
  const answers = new Map<string, WalletAnswer>();

  /** One after the other: each may need what the one before it did. */
  async function send({ calls }: CallsRequest): Promise<Pick<WalletAnswer, 'transactionHashes' | 'error'>> {
    const transactionHashes: Hex[] = [];
    for (const { to, data, value } of calls) {
      try {
        const receipt = await sender.send({ to: to as Address, data: data as Hex, value: BigInt(value) });
        transactionHashes.push(receipt.transactionHash);
      } catch (error) {
        if (!(error instanceof SvcError) || error.code !== 'TRANSACTION_REVERTED')
          throw explainChainError(error);
        return { transactionHashes, error: error.message };
      }
    }
    return { transactionHashes, error: null };
  }

  async function decide(request: CreateRequest): Promise<Omit<WalletAnswer, 'requestId'>> {
    if (request.kind === 'signature') {
      const signature = await account.signTypedData(request.typedData as unknown as TypedDataDefinition);
      return { approvalUrl: null, status: 'settled', transactionHashes: [], signature, error: null };
    }
    const sent = await send(request);
    return {
      approvalUrl: null,
      status: sent.error === null ? 'settled' : 'failed',
      signature: null,
      ...sent,
    };
  }

  return {
    findAddress: async () => account.address,
    hand: async (request) => {
      if (!isSameAddress(request.from as Address, account.address))
        throw new SvcError('WALLET_OTHER', { have: account.address, want: request.from });
      const answer = { requestId: `key-${crypto.randomUUID()}`, ...(await decide(request)) };
      answers.set(answer.requestId, answer);
      return answer;
    },
    readStatus: async (requestId) => {
      const answer = answers.get(requestId);
      if (answer === undefined) throw new SvcError('WALLET_REFUSED', { reason: 'there is no such request' });
      return answer;
    },
    close: async () => undefined,
  };
}
