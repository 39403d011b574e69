// Which calls of a request went out already, so that none is sent twice: told by the gateway, by this browser, by the chain.

import { isSameAddress } from '@svc/sdk/domain';
import type { WalletRequest } from '@svc/sdk/schemas';
import { hashSchema } from '@svc/sdk/schemas';
import type { Hex } from 'viem';
import { getBlock, getBlockNumber, getTransactionCount } from 'viem/actions';
import * as z from 'zod';
import { readRequest, sendResult } from '../../data/gateway.ts';
import type { Memory } from '../../wallet/send.ts';
import type { WalletClient } from '../../wallet/useWallet.ts';

type Calls = Extract<WalletRequest['request'], { kind: 'calls' }>['calls'];

const noteSchema = z.object({
  hashes: z.array(hashSchema),
  /** The wallet was asked for this call, which then has this nonce and is in no block before. */
  asked: z.object({ step: z.int(), nonce: z.int(), block: z.string() }).nullable(),
});
type Note = z.infer<typeof noteSchema>;

export async function recallSent(id: string, calls: Calls, client: WalletClient) {
  const { status, transactionHashes } = await readRequest(id);
  if (status !== 'pending') throw new Error(`The request is ${status} already.`);
  const note = loadNote(id);
  const told = transactionHashes.length > note.hashes.length ? transactionHashes : note.hashes;
  const hashes = [...told] as Hex[];
  const asked = calls[hashes.length];
  if (asked !== undefined && note.asked?.step === hashes.length) {
    const hash = await findSent(client, asked, note.asked.nonce, BigInt(note.asked.block));
    if (hash !== null) hashes.push(hash);
  }
  const memory: Memory = {
    expect: async (step) => {
      const { address } = client.account;
      const [nonce, block] = await Promise.all([
        getTransactionCount(client, { address, blockTag: 'pending' }),
        getBlockNumber(client, { cacheTime: 0 }),
      ]);
      saveNote(id, { ...loadNote(id), asked: { step, nonce, block: `${block}` } });
    },
    keep: async (sent) => {
      saveNote(id, { hashes: [...sent], asked: null });
      // This browser knows it; where the gateway does not answer now, it is told at the end.
      await sendResult(id, { status: 'sending', transactionHashes: [...sent] }).catch(() => undefined);
    },
    // Refused by the chain or replaced in the wallet: that ends the request, and the gateway finds the reason.
    fail: async (sent) => {
      saveNote(id, { hashes: [...sent], asked: null });
      await sendResult(id, { status: 'submitted', transactionHashes: [...sent] });
      forgetSent(id);
    },
  };
  if (hashes.length > told.length) await memory.keep(hashes);
  return { hashes, memory };
}

/** The page was gone when the wallet answered: the chain knows what became of the nonce. Null where nothing was sent. */
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
  const isAsked =
    sent?.to != null &&
    isSameAddress(sent.to, call.to as Hex) &&
    sent.input === call.data &&
    sent.value === BigInt(call.value);
  return isAsked ? sent.hash : null;
}

const blockPollMs = 1_000;
const blockPolls = 60;

/** Whether a transaction with this nonce is in a block; one that waits for its block is waited for. */
async function isUsed(client: WalletClient, nonce: number): Promise<boolean> {
  const { address } = client.account;
  for (let poll = 0; poll < blockPolls; poll++) {
    if ((await getTransactionCount(client, { address, blockTag: 'latest' })) > nonce) return true;
    if ((await getTransactionCount(client, { address, blockTag: 'pending' })) <= nonce) return false;
    await new Promise((resolve) => setTimeout(resolve, blockPollMs));
  }
  throw new Error('A transaction of this wallet still waits for a block. Approve again once it is mined.');
}

/** Runs alone among the tabs of this browser. */
export async function whileAlone<T>(id: string, run: () => Promise<T>): Promise<T> {
  // Only pages of a safe place have locks; elsewhere the gateway's memory must do.
  if (navigator.locks === undefined) return run();
  return navigator.locks.request(keyOf(id), { ifAvailable: true }, (lock) => {
    if (lock === null) throw new Error('Another tab sends this request right now; go on there.');
    return run();
  });
}

function loadNote(id: string): Note {
  try {
    return noteSchema.parse(JSON.parse(localStorage.getItem(keyOf(id)) ?? ''));
  } catch {
    return { hashes: [], asked: null };
  }
}

function saveNote(id: string, note: Note): void {
  localStorage.setItem(keyOf(id), JSON.stringify(note));
}

export function forgetSent(id: string): void {
  localStorage.removeItem(keyOf(id));
}

function keyOf(id: string): string {
  return `svc.request.${id}`;
}
