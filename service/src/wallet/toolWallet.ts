// A wallet behind a wallet tool server: calls and typed data are handed to its tools, and its word is checked on chain.
import { type Address, addressKey, isSameAddress, SvcError } from '@svc/sdk/domain';
import type { CreateRequest } from '@svc/sdk/schemas';
import { endInTime, isOpen, isSameAct, note, toAnswer } from './keptRequest.ts';
import type { Proof } from './proof.ts';
import type { KeptRequest, RequestBook } from './requestBook.ts';
import type { ToolClient } from './toolClient.ts';
import { judge } from './verdict.ts';
import type { Wallet, WalletAnswer } from './wallet.ts';

export type ToolWalletOptions = {
  readonly proof: Proof;
  readonly book: RequestBook;
  /** Where the tools are, so that a later process finds them again. */
  readonly server: string;
  /** Genesis hash. */
  readonly chain: string;
};

/** With these the server has done nothing. */
const undone: readonly string[] = ['WALLET_REFUSED', 'WALLET_NOT_RENEWED'];

export function createToolWallet(
  client: ToolClient,
  { proof, book, server, chain }: ToolWalletOptions,
): Wallet {
  async function readAddresses(): Promise<Address[]> {
    const text = JSON.stringify(await client.call('get_wallets', {}));
    const found = (text.match(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g) ?? []) as Address[];
    // The same one may be there in two spellings.
    return [...new Map(found.map((address) => [addressKey(address), address])).values()];
  }

  async function checkOwner(from: Address): Promise<void> {
    const own = await readAddresses();
    if (own.length > 0 && !own.some((address) => isSameAddress(address, from)))
      throw new SvcError('WALLET_OTHER', { have: own.join(', '), want: from });
  }

  /**
   * A signature can be asked for twice; calls that are sent twice are done twice. Where an answer was lost, other calls
   * are no better: a deadline that moves with the clock makes the same act look like another.
   */
  function findHanded(request: CreateRequest): KeptRequest | undefined {
    if (request.kind !== 'calls') return undefined;
    const open = book
      .loadOpen({ wallet: 'mcp', chain, request })
      .filter((kept) => kept.server === server && kept.request.kind === 'calls')
      .map((kept) => endInTime(kept, book))
      .filter(isOpen);
    const lost = open.find(({ remoteId }) => remoteId === null);
    if (lost !== undefined)
      throw new SvcError('WALLET_ANSWER_LOST', { action: lost.request.action, requestId: lost.id });
    return open.find((kept) => isSameAct(kept, request));
  }

  async function handOver(kept: KeptRequest): Promise<KeptRequest> {
    try {
      const answer = await ask(kept.request);
      const { requestId } = answer;
      if (typeof requestId !== 'string' || requestId === '')
        throw new SvcError('WALLET_ANSWER_UNCLEAR', { reason: 'it names no requestId' });
      return note(kept, { remoteId: requestId, approvalUrl: readUrl(answer.approvalUrl) }, book);
    } catch (error) {
      // Its word that nothing was done; a connection that broke is none.
      if (error instanceof SvcError && undone.includes(error.code))
        book.change(kept, { status: 'failed', error: error.message });
      throw error;
    }
  }

  const ask = (request: CreateRequest) =>
    request.kind === 'calls'
      ? client.call('send_calls', { chain: 'base', calls: request.calls })
      : client.call('sign', { type: '0x01', data: request.typedData });

  async function readStatus(kept: KeptRequest): Promise<WalletAnswer> {
    if (!isOpen(kept) || kept.remoteId === null) return toAnswer(endInTime(kept, book));
    try {
      const answer = await client.call('get_request_status', { requestId: kept.remoteId });
      const made = note(kept, await judge(kept, answer, proof), book);
      return toAnswer(isOpen(made) ? endInTime(made, book) : made);
    } catch (error) {
      // A server that has forgotten a request says so each time; that, too, has an end.
      const isForgotten = error instanceof SvcError && error.code === 'WALLET_REFUSED';
      const ended = isForgotten ? endInTime(kept, book) : kept;
      if (isOpen(ended)) throw error;
      return toAnswer(ended);
    }
  }

  return {
    findAddress: async () => {
      const [first, ...others] = await readAddresses();
      return first === undefined || others.length > 0 ? null : first;
    },
    hand: async (request) => {
      await checkOwner(request.from as Address);
      // In turn: of two that come at once, the second sees what the first was answered. Nobody takes that for lost.
      return book.inTurn({ wallet: 'mcp', request }, async () => {
        const handed = findHanded(request);
        if (handed !== undefined) return readStatus(handed);
        return toAnswer(await handOver(book.begin({ wallet: 'mcp', chain, request, server })));
      });
    },
    readStatus: async (requestId) => {
      const kept = book.load(requestId);
      if (kept === undefined) throw new SvcError('WALLET_REQUEST_NOT_FOUND', {});
      return readStatus(kept);
    },
    close: client.close,
  };
}

/** It is shown to people, who will follow it. */
function readUrl(value: unknown): string | null {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}
