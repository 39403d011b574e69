// A wallet that is a private key in this process: it signs and sends at once, and nobody is asked. Every transaction is
// kept before it is sent, so that a process that ends in between never makes the next one send it twice.

import { createChainClient, createSender, explainChainError } from '@svc/sdk/chain';
import { type Address, isSameAddress, SvcError } from '@svc/sdk/domain';
import type { CreateRequest } from '@svc/sdk/schemas';
import { createWalletClient, fallback, type Hex, http, type TypedDataDefinition } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { isOpen, isSameAct, note, readKeyRequest, toAnswer } from './keptRequest.ts';
import type { Proof } from './proof.ts';
import type { KeptRequest, RequestBook } from './requestBook.ts';
import type { Wallet, WalletAnswer } from './wallet.ts';

export type KeyWalletOptions = {
  readonly privateKey: Hex;
  readonly rpcUrls: readonly string[];
  /** Genesis hash: what was kept for another chain is none of this one's business. */
  readonly chain: string;
  readonly book: RequestBook;
  /** Says when what was mined is settled; without it the first receipt does. */
  readonly proof?: Proof | undefined;
};

export type KeyWallet = Wallet & {
  /** Keeps it and answers at once; it is carried out meanwhile, and `done` never fails. */
  readonly take: (request: CreateRequest) => { readonly requestId: string; readonly done: Promise<void> };
  /** Goes on with what was taken by a process that is gone. */
  readonly resume: (requestId: string) => Promise<void>;
};

export function createKeyWallet({ privateKey, rpcUrls, chain, book, proof }: KeyWalletOptions): KeyWallet {
  const account = privateKeyToAccount(privateKey);
  const transport = fallback(rpcUrls.map((url) => http(url)));
  const sender = createSender({
    publicClient: createChainClient({ transport }),
    walletClient: createWalletClient({ account, transport }),
  });

  /** One call after the other: each may need what the one before it did. */
  async function send(begun: KeptRequest): Promise<KeptRequest> {
    let kept = begun;
    if (kept.request.kind !== 'calls') return kept;
    try {
      for (const [at, { to, data, value }] of kept.request.calls.entries()) {
        const call = { to: to as Address, data: data as Hex, value: BigInt(value) };
        const known = kept.signed[at];
        if (known !== undefined) await sender.resend(call, known);
        else
          await sender.send(call, {
            onSigned: (signed) => {
              const noted = book.change(kept, {
                status: 'submitted',
                signed: [...kept.signed, signed],
                transactionHashes: [...kept.transactionHashes, signed.hash],
              });
              // What is not kept is not sent.
              if (noted === undefined) throw new SvcError('WALLET_REQUEST_ENDED', { requestId: kept.id });
              kept = noted;
            },
          });
      }
      return proof === undefined ? note(kept, { status: 'settled' }, book) : await look(kept);
    } catch (error) {
      const reason = explainChainError(error);
      const isEnd =
        reason instanceof SvcError && ['TRANSACTION_REVERTED', 'TRANSACTION_REPLACED'].includes(reason.code);
      // What was signed may be mined yet, and stays open; where nothing was, nothing can come of it.
      if (isEnd || kept.signed.length === 0) {
        const words = reason instanceof SvcError ? reason.message : 'The wallet failed.';
        kept = note(kept, { status: 'failed', error: words }, book);
      }
      if (isEnd) return kept;
      throw reason;
    }
  }

  /** Who cannot be told now asks again later. */
  const look = async (kept: KeptRequest): Promise<KeptRequest> =>
    proof === undefined ? kept : readKeyRequest(kept, book, proof).catch(() => kept);

  async function sign(kept: KeptRequest): Promise<KeptRequest> {
    const { typedData } = kept.request as CreateRequest & { kind: 'signature' };
    try {
      const signature = await account.signTypedData(typedData as unknown as TypedDataDefinition);
      return note(kept, { status: 'settled', signature }, book);
    } catch (error) {
      book.change(kept, { status: 'failed', error: 'It is no typed data that can be signed.' });
      throw error;
    }
  }

  /** While the end of something else is not known, nothing is sent: it might be the same in other words. */
  async function findBegun(request: CreateRequest): Promise<KeptRequest | undefined> {
    const begun = book.loadOpen({ wallet: 'key', chain, request }).filter(({ signed }) => signed.length > 0);
    const open = (await Promise.all(begun.map(look))).filter(isOpen);
    const [other] = open.filter((kept) => !isSameAct(kept, request));
    if (other !== undefined)
      throw new SvcError('WALLET_REQUEST_OPEN', { action: other.request.action, requestId: other.id });
    return open[0];
  }

  const begin = (request: CreateRequest) => book.begin({ wallet: 'key', chain, request, server: null });

  const carryOut = (request: CreateRequest, own?: KeptRequest): Promise<KeptRequest> =>
    request.kind === 'signature'
      ? sign(own ?? begin(request))
      : book.inTurn({ wallet: 'key', request }, async () => {
          // By now somebody may have ended it, or begun something else.
          const begun = own === undefined ? await findBegun(request) : book.load(own.id);
          if (begun !== undefined && !isOpen(begun)) return begun;
          return send(begun ?? begin(request));
        });

  async function hand(request: CreateRequest): Promise<WalletAnswer> {
    if (!isSameAddress(request.from as Address, account.address))
      throw new SvcError('WALLET_OTHER', { have: account.address, want: request.from });
    return toAnswer(await carryOut(request));
  }

  return {
    findAddress: async () => account.address,
    hand,
    take: (request) => {
      const kept = begin(request);
      return { requestId: kept.id, done: carryOut(request, kept).then(ignore, ignore) };
    },
    resume: async (requestId) => {
      const kept = book.load(requestId);
      if (kept?.chain === chain && isOpen(kept)) await carryOut(kept.request, kept).then(ignore, ignore);
    },
    readStatus: async (requestId) => {
      const kept = book.load(requestId);
      if (kept === undefined) throw new SvcError('WALLET_REQUEST_NOT_FOUND', {});
      return toAnswer(await look(kept));
    },
    close: async () => undefined,
  };
}

const ignore = () => undefined;
