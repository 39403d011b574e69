// A wallet behind a wallet tool server: calls and typed data are handed to its tools, and its word is checked on chain.
import { type Address, isSameAddress } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import { toShown } from '#domain/text.ts';
import type { CreateRequest, RequestStatus } from '#schemas/walletRequest.ts';
import { endInTime, isOpen, isSameAct, toAnswer } from './keptRequest.ts';
import type { Proof } from './proof.ts';
import type { KeptRequest, RequestBook } from './requestBook.ts';
import type { ToolClient } from './toolClient.ts';
import type { Wallet, WalletAnswer } from './wallet.ts';

export type ToolWalletOptions = {
  readonly proof: Proof;
  readonly book: RequestBook;
  /** Where the tools are, so that a later process finds them again. */
  readonly server: string;
  /** Genesis hash. */
  readonly chain: string;
};

const undone: readonly string[] = ['WALLET_REFUSED', 'WALLET_NOT_RENEWED'];

export function createToolWallet(
  client: ToolClient,
  { proof, book, server, chain }: ToolWalletOptions,
): Wallet {
  async function readAddresses(): Promise<Address[]> {
    const text = JSON.stringify(await client.call('get_wallets', {}));
    return [...new Set(text.match(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g))] as Address[];
  }

  async function checkOwner(from: Address): Promise<void> {
    const own = await readAddresses();
    if (own.length > 0 && !own.some((address) => isSameAddress(address, from)))
      throw new SvcError('WALLET_OTHER', { have: own.join(', '), want: from });
  }

  /** A signature can be asked for twice; calls that are sent twice are done twice. */
  function findHanded(request: CreateRequest): KeptRequest | undefined {
    const handed = book
      .loadOpen({ wallet: 'mcp', chain, request })
      .find((kept) => kept.server === server && isSameAct(kept, request));
    if (handed !== undefined && handed.remoteId === null)
      throw new SvcError('WALLET_ANSWER_LOST', { requestId: handed.id });
    return handed;
  }

  async function handOver(request: CreateRequest): Promise<KeptRequest> {
    const kept = book.begin({ wallet: 'mcp', chain, request, server });
    const answer = await ask(request).catch((error: unknown) => {
      // Its word that nothing was done; a connection that broke is none.
      if (error instanceof SvcError && undone.includes(error.code))
        book.change(kept, { status: 'failed', error: error.message });
      throw error;
    });
    const { requestId } = answer;
    if (typeof requestId !== 'string' || requestId === '')
      throw new SvcError('WALLET_REFUSED', { reason: 'it answered no requestId' });
    return book.change(kept, { remoteId: requestId, approvalUrl: readUrl(answer.approvalUrl) });
  }

  const ask = (request: CreateRequest) =>
    request.kind === 'calls'
      ? client.call('send_calls', { chain: 'base', calls: request.calls })
      : client.call('sign', { type: '0x01', data: request.typedData });

  async function readStatus(kept: KeptRequest): Promise<WalletAnswer> {
    if (!isOpen(kept) || kept.remoteId === null) return toAnswer(endInTime(kept, book));
    const answer = await client.call('get_request_status', { requestId: kept.remoteId });
    const made = book.change(kept, await judge(kept, answer, proof));
    return toAnswer(isOpen(made) ? endInTime(made, book) : made);
  }

  return {
    findAddress: async () => {
      const [first, ...others] = await readAddresses();
      return first === undefined || others.length > 0 ? null : first;
    },
    hand: async (request) => {
      await checkOwner(request.from as Address);
      const handed = findHanded(request);
      return handed === undefined ? toAnswer(await handOver(request)) : readStatus(handed);
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

type Judged = Partial<Pick<KeptRequest, 'status' | 'transactionHashes' | 'signature' | 'error'>>;

async function judge(
  { request, createdAt }: KeptRequest,
  answer: Record<string, unknown>,
  proof: Proof,
): Promise<Judged> {
  const status = readStatusWord(answer);
  const error = typeof answer.error === 'string' ? toShown(answer.error) : null;
  if (status !== 'settled') return { status, error };
  if (request.kind === 'signature') {
    const signature = findSignature(answer);
    const isGood = signature !== null && (await proof.ofSignature(request, signature));
    if (isGood) return { status, signature };
    return { status: 'failed', error: 'The wallet answered no signature of this address.' };
  }
  const transactionHashes = findHashes(answer);
  if (transactionHashes.length === 0)
    return { status: 'failed', error: 'The wallet says it is done, but names no transaction.' };
  const outcome = await proof.ofCalls(request, transactionHashes, createdAt);
  if (outcome.kind === 'failed') return { status: 'failed', transactionHashes, error: outcome.reason };
  return { status: outcome.kind === 'done' ? 'settled' : 'submitted', transactionHashes };
}

/** Servers have no common words for it; what is not understood is not decided yet. */
const words: readonly (readonly [RegExp, RequestStatus])[] = [
  [/reject|denied|declin|cancel/, 'rejected'],
  [/expire|timed?.?out/, 'expired'],
  [/fail|error|revert/, 'failed'],
  [/complete|confirm|success|settled|signed|done|executed/, 'settled'],
  [/submit|sent|process|broadcast/, 'submitted'],
];

function readStatusWord(answer: Record<string, unknown>): RequestStatus {
  const word = String(answer.status ?? answer.state ?? '').toLowerCase();
  return words.find(([pattern]) => pattern.test(word))?.[1] ?? 'pending';
}

const hashNames = ['transactionHashes', 'transactionHash', 'txHashes', 'txHash', 'hash', 'hashes'];

function findHashes(answer: Record<string, unknown>): string[] {
  const nested = typeof answer.result === 'object' && answer.result !== null ? answer.result : {};
  const values = [answer, nested as Record<string, unknown>].flatMap((part) =>
    hashNames.map((name) => part[name]),
  );
  const hashes = values
    .flat()
    .filter((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value));
  return [...new Set(hashes as string[])];
}

function findSignature(answer: Record<string, unknown>): string | null {
  const nested = answer.result as { readonly signature?: unknown } | string | null | undefined;
  const candidates = [answer.signature, nested, typeof nested === 'object' ? nested?.signature : undefined];
  const found = candidates.find((value) => typeof value === 'string' && /^0x([0-9a-fA-F]{2})+$/.test(value));
  return (found as string | undefined) ?? null;
}
