// A wallet that is a private key in this process. It signs and sends at once, without asking anybody. Every transaction is
// saved before it is sent, so that a process that dies never makes the next one send it twice.

import { createSender, type Rpc } from '@svc/sdk/chain';
import { type CreateRequest, signDocument } from '@svc/sdk/client';
import { isSameAddress, SvcError } from '@svc/sdk/domain';
import { createKeyClients, explainChainError } from '@svc/sdk/internal/chain/chainClient';
import { isErrorOf } from '@svc/sdk/internal/domain/errors';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { OperatorError } from '../errors/operatorError.ts';
import {
  createRequestId,
  isSameAction,
  type RequestFile,
  type SavedRequest,
  toAnswer,
} from './requestFile.ts';
import { createRequestMachine, isOpen, type RequestChain } from './requestMachine.ts';
import {
  checkRequestChain,
  type RequestPages,
  type Wallet,
  type WalletAnswer,
  type WalletGuard,
} from './walletInterface.ts';

export type KeyWalletOptions = {
  readonly privateKey: Hex;
  readonly rpc: Pick<Rpc, 'transport'>;
  readonly chainId: number;
  /** Genesis hash: saved requests for another chain are ignored. */
  readonly chain: string;
  readonly requests: RequestFile;
  /** Decides when mined calls are settled; without it the first receipt does. */
  readonly requestChain?: RequestChain | undefined;
  /** Decides what may be signed; without it everything is. */
  readonly guard?: WalletGuard | undefined;
  /** Where the owner can look at what was signed. */
  readonly pages?: RequestPages | undefined;
};

export type KeyWallet = ReturnType<typeof createKeyWallet>;

/**
 * What became of a request to a key; sends nothing. Interrupted calls stay submitted until they are continued or given up,
 * for at most a day.
 */
export async function checkKeyRequest(
  saved: SavedRequest,
  requests: RequestFile,
  requestChain: RequestChain,
): Promise<SavedRequest> {
  const { request, signed } = saved;
  if (!isOpen(saved) || request.kind !== 'calls') return saved;
  const machine = createMachine(requests, requestChain);
  const isSent = signed.length === request.calls.length;
  const checked = isSent ? await machine.checkChain(saved) : saved;
  if (!isOpen(checked)) return checked;
  // A process that is sending it knows more than the clock.
  return (await requests.tryLocked(saved, 0, () => machine.checkClock(checked))) ?? checked;
}

export function createKeyWallet(options: KeyWalletOptions) {
  const { privateKey, rpc, chainId, chain, requests, requestChain, guard, pages } = options;
  const account = privateKeyToAccount(privateKey);
  const clients = createKeyClients(rpc, privateKey);
  const sender = createSender(clients);
  const { save } = createMachine(requests, requestChain ?? noChain);

  /** In order, each after the receipt of the one before: a call may depend on it. */
  async function send(begun: SavedRequest): Promise<SavedRequest> {
    let saved = begun;
    if (saved.request.kind !== 'calls') return saved;
    try {
      for (const [at, { to, data, value }] of saved.request.calls.entries()) {
        const call = { to, data, value: BigInt(value) };
        const known = saved.signed[at];
        if (known !== undefined) await sender.resend(call, known);
        else
          await sender.send(call, {
            onSigned: (signed) => {
              const next = requests.change(saved, {
                status: 'submitted',
                signed: [...saved.signed, signed],
                transactionHashes: [...saved.transactionHashes, signed.hash],
              });
              // Throwing here keeps the sender from sending what is not saved.
              if (next === undefined)
                throw new OperatorError('WALLET_REQUEST_ENDED', { requestId: saved.id });
              saved = next;
            },
          });
      }
      return requestChain === undefined ? save(saved, { status: 'settled' }) : await check(saved);
    } catch (error) {
      const reason = explainChainError(error);
      const isFinal = isErrorOf(reason, 'TRANSACTION_REVERTED', 'TRANSACTION_REPLACED');
      // A signed transaction may still be mined, so the request stays open; without one, nothing can happen.
      if (isFinal || saved.signed.length === 0) {
        const words = reason instanceof SvcError ? reason.message : 'The wallet failed.';
        saved = await save(saved, { status: 'failed', error: words });
      }
      if (isFinal) return saved;
      throw reason;
    }
  }

  /** While the chain cannot be asked, the saved state is the answer. */
  const check = async (saved: SavedRequest): Promise<SavedRequest> =>
    requestChain === undefined ? saved : checkKeyRequest(saved, requests, requestChain).catch(() => saved);

  async function sign(saved: SavedRequest): Promise<SavedRequest> {
    const { typedData } = saved.request as CreateRequest & { kind: 'signature' };
    try {
      const signature = await signDocument(account, typedData);
      return await save(saved, { status: 'settled', signature });
    } catch (error) {
      requests.change(saved, { status: 'failed', error: 'The typed data cannot be signed.' });
      throw error;
    }
  }

  /**
   * The same action, interrupted. Throws WALLET_REQUEST_OPEN while the end of another one is unknown: it might be the same
   * action with other arguments.
   */
  async function findInterrupted(request: CreateRequest): Promise<SavedRequest | undefined> {
    const begun = requests
      .loadOpen({ wallet: 'key', chain, request })
      .filter(({ signed }) => signed.length > 0);
    const checked = (await Promise.all(begun.map(check))).filter(isOpen);
    const ended = checked.map((saved) => (isSameAction(saved, request) ? saved : endUnsigned(saved)));
    const open = (await Promise.all(ended)).filter(isOpen);
    const other = open.find((saved) => !isSameAction(saved, request));
    if (other !== undefined)
      throw new OperatorError('WALLET_REQUEST_OPEN', { action: other.request.action, requestId: other.id });
    return open[0];
  }

  /**
   * Ends an interrupted request whose last call, the action itself, was never signed: the caller holds the lock, so no process
   * goes on with it. Its allowances must be mined first, because their nonces are taken.
   */
  async function endUnsigned(saved: SavedRequest): Promise<SavedRequest> {
    const { request, signed, id } = saved;
    if (request.kind !== 'calls' || signed.length === request.calls.length) return saved;
    const mined = signed.map(({ hash }) =>
      clients.publicClient.getTransactionReceipt({ hash }).catch(() => null),
    );
    if ((await Promise.all(mined)).includes(null)) return saved;
    const error = 'It was interrupted before the action was signed.';
    const failed = await save(saved, { status: 'failed', error });
    guard?.ended(id, false);
    return failed;
  }

  /** Never rejects: the outcome is in the file. */
  async function carryOut(saved: SavedRequest): Promise<void> {
    const sendInTurn = async () => {
      // Another process may have ended it before this one got the lock.
      const now = requests.load(saved.id) ?? saved;
      return isOpen(now) ? send(now) : now;
    };
    const isSignature = saved.request.kind === 'signature';
    await (isSignature ? sign(saved) : requests.locked(saved, sendInTurn)).catch(() => undefined);
  }

  /** A new request, if the guard admits it. */
  async function begin(
    request: CreateRequest,
    work: (saved: SavedRequest) => Promise<SavedRequest>,
  ): Promise<WalletAnswer> {
    const id = createRequestId('key');
    const instead = await guard?.admit({ id, wallet: 'key', request });
    if (instead) return instead;
    // Before signing: only later transactions prove a request.
    const page = (await pages?.open(request)) ?? null;
    try {
      await work(requests.create({ id, wallet: 'key', chain, request, server: null, page }));
    } finally {
      const saved = requests.load(id);
      const isUnsigned = saved === undefined || (saved.signed.length === 0 && saved.signature === null);
      if (saved === undefined || !isOpen(saved)) guard?.ended(id, isUnsigned);
      if (saved !== undefined) await pages?.report(saved);
    }
    return toAnswer(requests.load(id) as SavedRequest);
  }

  const checkRequest = (request: CreateRequest): void => {
    const { from } = request;
    if (!isSameAddress(from, account.address))
      throw new SvcError('WALLET_OTHER', { have: account.address, want: from });
    checkRequestChain(request, chainId);
  };

  const inTurn: NonNullable<Wallet['inTurn']> = (work) =>
    requests.locked({ wallet: 'key', request: { from: account.address } }, () =>
      work(async (request) => {
        checkRequest(request);
        if (request.kind === 'signature') return begin(request, sign);
        const begun = await findInterrupted(request);
        if (begun === undefined) return begin(request, send);
        const sent = await send(begun);
        await pages?.report(sent);
        return toAnswer(sent);
      }),
    );

  const wallet: Wallet = {
    findAddress: async () => account.address,
    submit: async (request) => {
      checkRequest(request);
      // Signatures use no nonce and no allowance.
      return request.kind === 'signature' ? begin(request, sign) : inTurn((submit) => submit(request));
    },
    inTurn,
    ...(guard !== undefined && { tryPolicy: guard.tryAll }),
    readStatus: async (requestId) => toAnswer(await check(requests.requireSaved(requestId))),
    close: async () => undefined,
  };
  return {
    ...wallet,
    /** Saves the request and returns. It is carried out in the background; `done` never rejects. */
    start: (request: CreateRequest): { readonly requestId: string; readonly done: Promise<void> } => {
      checkRequest(request);
      const saved = requests.create({ wallet: 'key', chain, request, server: null });
      return { requestId: saved.id, done: carryOut(saved) };
    },
    /** Continues a request that another process has left behind. */
    resume: async (requestId: string): Promise<void> => {
      const saved = requests.load(requestId);
      if (saved?.chain === chain && isOpen(saved)) await carryOut(saved);
    },
  };
}

export function createMachine(requests: RequestFile, chain: RequestChain) {
  return createRequestMachine({ storage: requests, chain, now: () => Date.now() / 1_000 });
}

/** For wallets that trust their own receipts. */
const noChain: RequestChain = {
  readOutcome: async () => ({ kind: 'waiting' }),
  readSignature: async () => null,
};
