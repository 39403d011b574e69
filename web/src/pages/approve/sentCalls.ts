// Finds which calls of a request were sent already, from the gateway, this browser and the chain, so that none is sent twice.

import type { WalletRequest } from '@svc/sdk/client';
import { isSameAddress } from '@svc/sdk/domain';
import { sleep } from '@svc/sdk/internal/domain/backoff';
import { hashSchema } from '@svc/sdk/internal/schemas/primitives';
import type { Hex } from 'viem';
import { getBlock, getBlockNumber, getTransactionCount } from 'viem/actions';
import * as z from 'zod';
import { orNull } from '../../data/orNull.ts';
import { loadRequest, sendResult } from '../../data/walletRequests.ts';
import type { SentLog } from '../../wallet/send.ts';
import type { WalletClient } from '../../wallet/useWallet.tsx';

type Calls = Extract<WalletRequest['request'], { kind: 'calls' }>['calls'];

const noteSchema = z.object({
  hashes: z.array(hashSchema),
  /** The call that the wallet was last asked to sign, with its nonce and a block before it. */
  asked: z.object({ step: z.int(), nonce: z.int(), block: z.string() }).nullable(),
});
type Note = z.infer<typeof noteSchema>;

export async function loadSentCalls(id: string, calls: Calls, client: WalletClient) {
  const { status, transactionHashes } = await loadRequest(id);
  if (status !== 'pending') throw new Error(`The request is already ${status}.`);
  const note = loadNote(id);
  const known = transactionHashes.length > note.hashes.length ? transactionHashes : note.hashes;
  const hashes = [...known];
  const asked = calls[hashes.length];
  if (asked !== undefined && note.asked?.step === hashes.length) {
    const hash = await findSent(client, asked, note.asked.nonce, BigInt(note.asked.block));
    if (hash !== null) hashes.push(hash);
  }
  const { address } = client.account;
  const log: SentLog = {
    saveAsked: async (step) => {
      const [nonce, block] = await Promise.all([
        getTransactionCount(client, { address, blockTag: 'pending' }),
        getBlockNumber(client, { cacheTime: 0 }),
      ]);
      saveNote(id, { ...loadNote(id), asked: { step, nonce, block: `${block}` } });
    },
    saveSent: async (sent) => {
      saveNote(id, { hashes: [...sent], asked: null });
      // If the gateway does not respond now, the final report includes these hashes.
      await sendResult(id, address, { status: 'sending', transactionHashes: [...sent] }).catch(
        () => undefined,
      );
    },
    // Reverted, or replaced in the wallet: this ends the request, and the gateway finds out why.
    saveFailed: async (sent) => {
      saveNote(id, { hashes: [...sent], asked: null });
      await sendResult(id, address, { status: 'submitted', transactionHashes: [...sent] });
      forgetSentCalls(id);
    },
  };
  if (hashes.length > known.length) await log.saveSent(hashes);
  return { hashes, log };
}

/** Looks for a call that the wallet may have sent after the page was closed, by its nonce. Null if it was not sent. */
async function findSent(
  client: WalletClient,
  call: Calls[number],
  nonce: number,
  from: bigint,
): Promise<Hex | null> {
  const { address } = client.account;
  if (!(await isUsed(client, nonce))) return null;
  const latest = await getBlockNumber(client, { cacheTime: 0 });
  let [before, after] = [from, latest];
  while (after - before > 1n) {
    const middle = (before + after) / 2n;
    const count = await getTransactionCount(client, { address, blockNumber: middle });
    if (count > nonce) after = middle;
    else before = middle;
  }
  const { transactions } = await getBlock(client, { blockNumber: after, includeTransactions: true });
  const sent = transactions.find((one) => isSameAddress(one.from, address) && one.nonce === nonce);
  const isSameCall =
    sent?.to != null &&
    isSameAddress(sent.to, call.to) &&
    sent.input === call.data &&
    sent.value === BigInt(call.value);
  return isSameCall ? sent.hash : null;
}

const blockPollMs = 1_000;
const blockPolls = 60;

/** Whether a transaction with this nonce is in a block. Waits for a pending one. */
async function isUsed(client: WalletClient, nonce: number): Promise<boolean> {
  const { address } = client.account;
  for (let poll = 0; poll < blockPolls; poll++) {
    if ((await getTransactionCount(client, { address, blockTag: 'latest' })) > nonce) return true;
    if ((await getTransactionCount(client, { address, blockTag: 'pending' })) <= nonce) return false;
    await sleep(blockPollMs);
  }
  throw new Error('A transaction of this wallet is still pending. Approve again once it is mined.');
}

/** Runs in one tab of this browser at a time. */
export async function withRequestLock<T>(id: string, run: () => Promise<T>): Promise<T> {
  // Plain http has no locks; there only the gateway prevents a second send.
  if (navigator.locks === undefined) return run();
  return navigator.locks.request(keyOf(id), { ifAvailable: true }, (lock) => {
    if (lock === null) throw new Error('Another tab is sending this request. Continue there.');
    return run();
  });
}

function loadNote(id: string): Note {
  const text = localStorage.getItem(keyOf(id)) ?? '';
  return orNull(() => noteSchema.parse(JSON.parse(text))) ?? { hashes: [], asked: null };
}

function saveNote(id: string, note: Note): void {
  localStorage.setItem(keyOf(id), JSON.stringify(note));
}

export function forgetSentCalls(id: string): void {
  localStorage.removeItem(keyOf(id));
}

function keyOf(id: string): string {
  return `svc.request.${id}`;
}
