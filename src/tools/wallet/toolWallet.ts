// A wallet behind a wallet tool server: calls and typed data are handed to its tools, and its word is checked on chain.
import { type Address, isSameAddress } from '#domain/address.ts';
import { SvcError } from '#domain/errors.ts';
import { toShown } from '#domain/text.ts';
import type { CreateRequest, RequestStatus } from '#schemas/walletRequest.ts';
import type { ToolClient } from './toolClient.ts';
import type { Wallet, WalletAnswer } from './wallet.ts';

/** What the chain says about what a wallet claims to have done. */
export type Proof = {
  readonly ofCalls: (
    request: CreateRequest & { readonly kind: 'calls' },
    hashes: readonly string[],
    since: number,
  ) => Promise<{ readonly kind: 'waiting' | 'done' } | { readonly kind: 'failed'; readonly reason: string }>;
  readonly ofSignature: (
    request: CreateRequest & { readonly kind: 'signature' },
    signature: string,
  ) => Promise<boolean>;
};

type Known = { readonly request: CreateRequest; readonly since: number; readonly approvalUrl: string | null };

export function createToolWallet(client: ToolClient, proof: Proof): Wallet {
  const handed = new Map<string, Known>();

  async function readAddresses(): Promise<Address[]> {
    const text = JSON.stringify(await client.call('get_wallets', {}));
    return [...new Set(text.match(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g))] as Address[];
  }

  async function checkOwner(from: Address): Promise<void> {
    const own = await readAddresses();
    if (own.length > 0 && !own.some((address) => isSameAddress(address, from)))
      throw new SvcError('WALLET_OTHER', { have: own.join(', '), want: from });
  }

  return {
    findAddress: async () => {
      const [first, ...others] = await readAddresses();
      return first === undefined || others.length > 0 ? null : first;
    },
    hand: async (request) => {
      await checkOwner(request.from as Address);
      const since = Math.floor(Date.now() / 1_000);
      const answer =
        request.kind === 'calls'
          ? await client.call('send_calls', { chain: 'base', calls: request.calls })
          : await client.call('sign', { type: '0x01', data: request.typedData });
      const { requestId } = answer;
      if (typeof requestId !== 'string' || requestId === '')
        throw new SvcError('WALLET_REFUSED', { reason: 'it answered no requestId' });
      const approvalUrl = readUrl(answer.approvalUrl);
      handed.set(requestId, { request, since, approvalUrl });
      return { ...nothing, requestId, approvalUrl, status: 'pending' };
    },
    readStatus: async (requestId) => {
      const known = handed.get(requestId);
      if (known === undefined) throw new SvcError('WALLET_REFUSED', { reason: 'there is no such request' });
      const answer = await client.call('get_request_status', { requestId });
      const head = { ...nothing, requestId, approvalUrl: known.approvalUrl };
      return judge(known, answer, head, proof);
    },
    close: client.close,
  };
}

/** It is shown to people, who will follow it. */
function readUrl(value: unknown): string | null {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

const nothing = { transactionHashes: [], signature: null, error: null } as const;
type Head = Omit<WalletAnswer, 'status'>;

async function judge(
  { request, since }: Known,
  answer: Record<string, unknown>,
  head: Head,
  proof: Proof,
): Promise<WalletAnswer> {
  const status = readStatusWord(answer);
  const error = typeof answer.error === 'string' ? toShown(answer.error) : null;
  if (status !== 'settled') return { ...head, status, error };
  if (request.kind === 'signature') {
    const signature = findSignature(answer);
    const isGood = signature !== null && (await proof.ofSignature(request, signature));
    if (isGood) return { ...head, status, signature };
    return { ...head, status: 'failed', error: 'The wallet answered no signature of this address.' };
  }
  const transactionHashes = findHashes(answer);
  if (transactionHashes.length === 0)
    return { ...head, status: 'failed', error: 'The wallet says it is done, but names no transaction.' };
  const outcome = await proof.ofCalls(request, transactionHashes, since);
  if (outcome.kind === 'failed')
    return { ...head, status: 'failed', transactionHashes, error: outcome.reason };
  return { ...head, status: outcome.kind === 'done' ? 'settled' : 'submitted', transactionHashes };
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
