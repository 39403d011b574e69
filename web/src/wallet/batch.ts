// Signs all calls of an action once, where the wallet executes them together or none of them (EIP-5792).

import type { EncodedCalls } from '@svc/sdk/internal/chain/encodeCall';
import { sleep } from '@svc/sdk/internal/domain/backoff';
import { bytesToHex, type Hex, type TransactionReceipt } from 'viem';
import { getCallsStatus, getCapabilities, sendCalls as sendCallBatch } from 'viem/actions';
import * as z from 'zod';
import { orNull } from '../data/orNull.ts';
import { batchName, notifyReaders, readText, saveText } from '../data/savedText.ts';
import type { WalletClient } from './useWallet.tsx';

/** What is known of executed calls. A wallet reports of a batch the place and the content of its logs only. */
export type CallReceipt = Pick<TransactionReceipt, 'logs' | 'blockNumber' | 'transactionHash'>;

/** `ready`: the wallet first asks its owner to make the account able to batch. */
const usable: readonly unknown[] = ['supported', 'ready'];

/** False for every wallet that does not clearly say yes. */
export async function canBatch(client: WalletClient): Promise<boolean> {
  try {
    const { atomic } = (await getCapabilities(client, { chainId: client.chain.id })) ?? {};
    return usable.includes(atomic?.status);
  } catch {
    return false;
  }
}

const noteSchema = z.object({
  id: z.string(),
  /** When the wallet was asked, in milliseconds. */
  askedAt: z.number(),
  calls: z.array(z.object({ to: z.string(), data: z.string(), value: z.string() })),
  steps: z.array(z.object({ summary: z.string() })),
});

/** A batch that the wallet was asked for, as this browser remembers it. */
export type BatchNote = z.infer<typeof noteSchema>;

/** Null if this wallet has none under way. */
export function loadBatch(owner: string): BatchNote | null {
  return parseBatch(readText(batchName(owner)));
}

export function parseBatch(text: string): BatchNote | null {
  return orNull(() => noteSchema.parse(JSON.parse(text)));
}

/** Batches that a dialog of this page waits for. */
const watched = new Set<string>();

/** The text of one that no dialog waits for, after a reload or a closed dialog; else empty. */
export function readUnwatched(owner: string): string {
  const note = loadBatch(owner);
  return note === null || watched.has(note.id) ? '' : readText(batchName(owner));
}

function saveBatch(owner: string, note: BatchNote): void {
  saveText(batchName(owner), JSON.stringify(note));
}

export function forgetBatch(owner: string): void {
  saveText(batchName(owner), '');
}

/** The wallet will not batch after all: its owner declined the upgrade, or it lacks what it announced. */
export class NoBatch extends Error {}

const noBatchCodes: readonly unknown[] = [4200, -32_601, 5700, 5710, 5720, 5750, 5760];

/**
 * Asks the wallet for all calls at once. The id is chosen and saved before: a page that is closed meanwhile finds the batch
 * again, and never asks for it twice.
 */
export async function askForBatch(client: WalletClient, { calls, steps }: EncodedCalls): Promise<BatchNote> {
  const owner = client.account.address;
  const note: BatchNote = {
    id: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
    askedAt: Date.now(),
    calls: calls.map(({ to, data, value }) => ({ to, data, value })),
    steps: steps.map(({ summary }) => ({ summary })),
  };
  watched.add(note.id);
  saveBatch(owner, note);
  try {
    const { id } = await sendCallBatch(client, {
      account: client.account,
      chain: client.chain,
      id: note.id,
      forceAtomic: true,
      calls: calls.map(({ to, data, value }) => ({ to, data, value: BigInt(value) })),
    });
    if (id === note.id) return note;
    const named = { ...note, id };
    watched.add(id);
    saveBatch(owner, named);
    return named;
  } catch (error) {
    forgetBatch(owner);
    throw noBatchCodes.includes(findCode(error)) ? new NoBatch('The wallet does not batch.') : error;
  }
}

function findCode(error: unknown): unknown {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'number') return cause.code;
  return undefined;
}

export type BatchState =
  | { readonly is: 'pending' }
  | { readonly is: 'done'; readonly receipts: readonly CallReceipt[] }
  | { readonly is: 'failed'; readonly sentence: string; readonly hash?: Hex | undefined };

const unknownBundle = 5730;
/** A wallet may know an id only some time after its owner has agreed. */
const unknownForMs = 60_000;

export async function readBatch(client: WalletClient, { id, askedAt }: BatchNote): Promise<BatchState> {
  try {
    const { statusCode, receipts = [] } = await getCallsStatus(client, { id });
    const hash = receipts.at(-1)?.transactionHash;
    const hasReverted = receipts.some(({ status }) => status === 'reverted');
    if (statusCode < 200) return { is: 'pending' };
    if (statusCode < 300 && !hasReverted && receipts.length > 0)
      return { is: 'done', receipts: receipts as unknown as readonly CallReceipt[] };
    return { is: 'failed', sentence: failureOf(statusCode), hash };
  } catch (error) {
    if (findCode(error) !== unknownBundle) throw error;
    if (Date.now() - askedAt < unknownForMs) return { is: 'pending' };
    return {
      is: 'failed',
      sentence: 'The wallet does not know this batch: it was not sent. Nothing has changed.',
    };
  }
}

function failureOf(code: number): string {
  if (code >= 600)
    return 'Only a part of the batch took effect, although the wallet promised all or nothing. Check what the market shows before you sign again.';
  if (code >= 500) return 'The batch reverted; nothing has changed.';
  if (code >= 400) return 'The wallet did not send the batch. Nothing has changed.';
  return 'The wallet reports a batch without a result. Check its history before you sign again.';
}

const pollMs = 1_000;

/** Waits for the end of a batch; then this browser forgets it. Throws a sentence if it failed, or the signal's reason. */
export async function awaitBatch(
  client: WalletClient,
  note: BatchNote,
  signal: AbortSignal,
): Promise<readonly CallReceipt[]> {
  watched.add(note.id);
  try {
    for (;;) {
      const state = await readBatch(client, note);
      if (state.is !== 'pending') forgetBatch(client.account.address);
      if (state.is === 'done') return state.receipts;
      if (state.is === 'failed') throw new Error(state.sentence);
      await sleep(pollMs, signal);
      signal.throwIfAborted();
    }
  } finally {
    watched.delete(note.id);
    notifyReaders();
  }
}
