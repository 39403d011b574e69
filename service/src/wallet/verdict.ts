// What a wallet tool server says about a request, and what the chain says to that.
import { toShown } from '@svc/sdk/domain';
import type { RequestStatus } from '@svc/sdk/schemas';
import type { Proof } from './proof.ts';
import type { KeptRequest } from './requestBook.ts';

export type Verdict = Partial<Pick<KeptRequest, 'status' | 'transactionHashes' | 'signature' | 'error'>>;

export async function judge(
  { request, createdAt }: KeptRequest,
  answer: Record<string, unknown>,
  proof: Proof,
): Promise<Verdict> {
  const status = readStatusWord(answer);
  const error = typeof answer.error === 'string' ? toShown(answer.error) : null;
  if (request.kind === 'signature') {
    if (refusals.includes(status)) return { status, error };
    const signature = findSignature(answer);
    const isGood = signature !== null && (await proof.ofSignature(request, signature));
    // It is there and good: the word that comes with it adds nothing.
    if (isGood) return { status: 'settled', signature };
    if (status !== 'settled') return { status, error };
    return { status: 'failed', error: 'The wallet answered no signature of this address.' };
  }
  const transactionHashes = findHashes(answer);
  const outcome =
    transactionHashes.length === 0 ? null : await proof.ofCalls(request, transactionHashes, createdAt);
  // What the chain has is done, whatever the wallet says: somebody who is told otherwise would do it again.
  if (outcome?.kind === 'done') return { status: 'settled', transactionHashes, error: null };
  if (status !== 'settled') return { status, error };
  if (outcome === null)
    return {
      status: 'failed',
      error: 'The wallet says it is done, but names no transaction. Look there before you do it again.',
    };
  if (outcome.kind === 'failed') return { status: 'failed', transactionHashes, error: outcome.reason };
  return { status: 'submitted', transactionHashes };
}

const refusals: readonly RequestStatus[] = ['rejected', 'expired', 'failed'];

/** Servers have no common words for it; what is not understood, or still to come, is not decided yet. */
const words: readonly (readonly [RegExp, RequestStatus])[] = [
  [/pending|await|wait|need|requir|progress|queue|to.?be|^(un|in|not)[-_ ]?[a-z]*(ed|e)$/, 'pending'],
  [/reject|denied|declin|cancel|disapprov/, 'rejected'],
  [/expire|timed?.?out/, 'expired'],
  [/fail|error|revert/, 'failed'],
  [/complete|confirm|success|succeed|finali[sz]ed|settled|signed|done|executed/, 'settled'],
  // Its owner agreed; whether it has been done already is another matter.
  [/submit|sent|process|broadcast|approved|granted|^ok$/, 'submitted'],
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
