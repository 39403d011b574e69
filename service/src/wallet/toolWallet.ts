// A wallet behind a wallet tool server. Calls and typed data go to its tools, and what it reports is checked on the chain.

import type { CreateRequest, RequestStatus } from '@svc/sdk/client';
import { type Address, isSameAddress, SvcError } from '@svc/sdk/domain';
import { addressKey } from '@svc/sdk/internal/domain/address';
import { networkOf } from '@svc/sdk/internal/domain/chains';
import { toShown } from '@svc/sdk/internal/domain/text';
import type { Hex } from 'viem';
import { isOperatorError, OperatorError } from '../errors/operatorError.ts';
import { createMachine, type KeyWalletOptions } from './keyWallet.ts';
import { createRequestId, isSameAction, type SavedRequest, toAnswer } from './requestFile.ts';
import { isOpen, type RequestChain, type WalletReport } from './requestMachine.ts';
import type { ToolClient } from './toolClient.ts';
import { checkRequestChain, type Wallet, type WalletAnswer } from './walletInterface.ts';

/** The server may name no page on which the owner can look at what it did. */
type ToolWalletOptions = Omit<KeyWalletOptions, 'privateKey' | 'rpc'> & {
  readonly requestChain: RequestChain;
  /** Where the tools are, so that a later process finds them again. */
  readonly server: string;
};

export function createToolWallet(
  client: ToolClient,
  { requests, requestChain, server, chainId, chain, guard, pages }: ToolWalletOptions,
): Wallet {
  const machine = createMachine(requests, requestChain);

  async function readAddresses(): Promise<Address[]> {
    const text = JSON.stringify(await client.call('get_wallets', {}));
    const found = (text.match(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g) ?? []) as Address[];
    // The same address may appear in two spellings.
    return [...new Map(found.map((address) => [addressKey(address), address])).values()];
  }

  async function checkOwner(from: Address): Promise<void> {
    const own = await readAddresses();
    if (own.length > 0 && !own.some((address) => isSameAddress(address, from)))
      throw new SvcError('WALLET_OTHER', { have: own.join(', '), want: from });
  }

  /**
   * A signature may be asked for twice; calls that are sent twice are executed twice. While the answer to any calls is
   * missing, no others are sent: a deadline that moves with the clock makes the same action look different.
   */
  async function findSubmitted(request: CreateRequest): Promise<SavedRequest | undefined> {
    if (request.kind !== 'calls') return undefined;
    const saved = requests
      .loadOpen({ wallet: 'mcp', chain, request })
      .filter((one) => one.server === server && one.request.kind === 'calls');
    const open = (await Promise.all(saved.map(machine.checkClock))).filter(isOpen);
    const lost = open.find(({ remoteId }) => remoteId === null);
    if (lost !== undefined)
      throw new OperatorError('WALLET_ANSWER_LOST', { action: lost.request.action, requestId: lost.id });
    return open.find((one) => isSameAction(one, request));
  }

  async function send(saved: SavedRequest): Promise<SavedRequest> {
    const { request } = saved;
    try {
      const answer = await (request.kind === 'calls'
        ? client.call('send_calls', { chain: networkOf(chainId), calls: request.calls })
        : client.call('sign', { type: '0x01', data: request.typedData }));
      const { requestId } = answer;
      if (typeof requestId !== 'string' || requestId === '')
        throw new OperatorError('WALLET_ANSWER_UNCLEAR', { reason: 'it names no requestId' });
      const known = { remoteId: requestId, approvalUrl: parseUrl(answer.approvalUrl) };
      return requests.change(saved, known) ?? requests.load(saved.id) ?? saved;
    } catch (error) {
      // Only the server's own refusal proves that nothing was done; a broken connection does not.
      if (isOperatorError(error, 'WALLET_REFUSED', 'WALLET_NOT_RENEWED')) {
        const failed = requests.change(saved, { status: 'failed', error: error.message });
        if (failed !== undefined) await pages?.report(failed);
        guard?.ended(saved.id, true);
      }
      throw error;
    }
  }

  async function readStatus(saved: SavedRequest): Promise<WalletAnswer> {
    if (!isOpen(saved) || saved.remoteId === null) return toAnswer(await machine.checkClock(saved));
    try {
      const answer = await client.call('get_request_status', { requestId: saved.remoteId });
      const now = await machine.checkClock(await machine.applyReport(saved, parseReport(answer)));
      const isNew =
        now.status !== saved.status || now.transactionHashes.length > saved.transactionHashes.length;
      if (isNew) await pages?.report(now);
      return toAnswer(now);
    } catch (error) {
      // A server that has lost a request refuses every time; the clock ends that as well.
      const ended = isOperatorError(error, 'WALLET_REFUSED') ? await machine.checkClock(saved) : saved;
      if (isOpen(ended)) throw error;
      return toAnswer(ended);
    }
  }

  return {
    findAddress: async () => {
      const [first, ...others] = await readAddresses();
      return first === undefined || others.length > 0 ? null : first;
    },
    submit: async (request) => {
      checkRequestChain(request, chainId);
      await checkOwner(request.from as Address);
      // Under the lock: of two equal requests at once, the second finds the answer to the first.
      return requests.locked({ wallet: 'mcp', request }, async () => {
        const submitted = await findSubmitted(request);
        if (submitted !== undefined) return readStatus(submitted);
        const id = createRequestId('mcp');
        const instead = await guard?.admit({ id, wallet: 'mcp', request });
        if (instead) return instead;
        const page = (await pages?.open(request)) ?? null;
        return toAnswer(await send(requests.create({ id, wallet: 'mcp', chain, request, server, page })));
      });
    },
    ...(guard !== undefined && { tryPolicy: guard.tryAll }),
    readStatus: async (requestId) => readStatus(requests.requireSaved(requestId)),
    close: client.close,
  };
}

/** Users will follow it, so only web addresses count. */
function parseUrl(value: unknown): string | null {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** Servers share no vocabulary. A word that is unknown, or that announces something, leaves the request pending. */
const statusWords: readonly (readonly [RegExp, RequestStatus])[] = [
  [/pending|await|wait|need|requir|progress|queue|to.?be|^(un|in|not)[-_ ]?[a-z]*(ed|e)$/, 'pending'],
  [/reject|denied|declin|cancel|disapprov/, 'rejected'],
  [/expire|timed?.?out/, 'expired'],
  [/fail|error|revert/, 'failed'],
  [/complete|confirm|success|succeed|finali[sz]ed|settled|signed|done|executed/, 'settled'],
  // The owner agreed, which does not mean that it is done.
  [/submit|sent|process|broadcast|approved|granted|^ok$/, 'submitted'],
];

const hashNames = ['transactionHashes', 'transactionHash', 'txHashes', 'txHash', 'hash', 'hashes'];

export function parseReport(answer: Record<string, unknown>): WalletReport {
  const word = String(answer.status ?? answer.state ?? '').toLowerCase();
  const { result } = answer;
  const nested = typeof result === 'object' && result !== null ? (result as Record<string, unknown>) : {};
  const hashes = [answer, nested]
    .flatMap((part) => hashNames.flatMap((name) => part[name]))
    .filter((value): value is Hex => typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value));
  const signature = [answer.signature, result, nested.signature].find(
    (value): value is Hex => typeof value === 'string' && /^0x([0-9a-fA-F]{2})+$/.test(value),
  );
  return {
    status: statusWords.find(([pattern]) => pattern.test(word))?.[1] ?? 'pending',
    transactionHashes: [...new Set(hashes)],
    signature: signature ?? null,
    error: typeof answer.error === 'string' ? toShown(answer.error) : null,
  };
}
