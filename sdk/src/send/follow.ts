// What became of what a wallet was asked for: the wallet is asked first, then the chain. Nothing here sends a new transaction.
import type { Hex } from 'viem';
import type { Call } from '../chain/encodeCall.ts';
import type { Asker } from '../chain/rpc.ts';
import { latestBlock, nonceOf, receiptOf } from '../chain/rpcRequests.ts';
import { isSameAddress } from '../domain/address.ts';
import { sleep } from '../domain/backoff.ts';
import { isErrorOf, SvcError } from '../domain/errors.ts';
import { type AskedCalls, type CallsOutcome, readCallsOutcome } from './callsOutcome.ts';
import type { Journal, OpenAsk, RunEntry } from './journal.ts';
import { findLostCalls, findSent, isCall } from './search.ts';
import type { Asked, Wallet } from './wallet.ts';

export type Followed =
  /** The question is answered: the entry is a step further, or may be asked again. */
  | { readonly is: 'moved'; readonly entry: RunEntry }
  /** The owner, or the wallet's batch. */
  | { readonly is: 'waiting'; readonly entry: RunEntry }
  /** It has ended without effect. */
  | {
      readonly is: 'failed';
      readonly entry: RunEntry;
      readonly error: SvcError;
      /** Something may have happened all the same. */
      readonly isPartial?: boolean;
    }
  /** Neither wallet nor chain know of it. */
  | { readonly is: 'unknown'; readonly entry: RunEntry; readonly error?: unknown };

type Needs = {
  readonly wallet: Pick<Wallet, 'find' | 'keep'>;
  readonly journal: Pick<Journal, 'save'>;
  readonly chain: Asker;
  /** `once`: looks, and does not wait for a block. */
  readonly mode: 'once' | 'until-moved';
  readonly minedTimeoutMs: number;
  readonly pollMs: number;
  /** A transaction that no node knows may be that of a bundle, or replaced: the chain is searched from then on. */
  readonly searchAfterMs: number;
  readonly onHashes?: (hashes: readonly Hex[]) => void;
  /** What the wallet has just answered. */
  readonly first?: Asked | undefined;
};

export async function followAsk(begun: RunEntry, needs: Needs): Promise<Followed> {
  const { wallet, journal, chain, mode, searchAfterMs } = needs;
  const startedAt = Date.now();
  let { first } = needs;
  let entry = begun;
  let searchedAt = 0;
  const save = async (next: RunEntry): Promise<RunEntry> => {
    await journal.save(next);
    entry = next;
    return next;
  };
  const change = (part: Partial<OpenAsk>) =>
    save({ ...entry, asked: { ...(entry.asked as OpenAsk), ...part } });

  for (;;) {
    const asked = entry.asked as OpenAsk;
    const answer = first ?? (await wallet.find(asked.id));
    first = undefined;
    const done = await take(answer);
    if (done !== null) return done;
    const hashes = (entry.asked as OpenAsk).hashes;
    if (hashes.length > 0) needs.onHashes?.(hashes);
    const came = await look();
    if (came !== null) return came;
    if (hashes.length === 0) return { is: 'unknown', entry };
    // What another wish has left is looked at, and not sent by this one.
    if (mode === 'once') return { is: 'waiting', entry };
    await wallet.keep?.(asked.id).catch(() => undefined);
    const seconds = Math.floor((Date.now() - startedAt) / 1_000);
    if (Date.now() - startedAt > needs.minedTimeoutMs)
      throw new SvcError('TRANSACTION_NOT_MINED', { hash: hashes.at(-1) as Hex, seconds: String(seconds) });
    await sleep(needs.pollMs);
  }

  /** Null where the chain has to be asked. */
  async function take(answer: Asked): Promise<Followed | null> {
    const asked = entry.asked as OpenAsk;
    switch (answer.is) {
      case 'none':
        // The journal knows more than a wallet that has forgotten.
        if (asked.hashes.length > 0) return null;
        return { is: 'moved', entry: await save({ ...entry, asked: null }) };
      case 'waiting': {
        const approvalUrl = answer.approvalUrl ?? entry.approvalUrl;
        if (approvalUrl !== entry.approvalUrl) await save({ ...entry, approvalUrl });
        return { is: 'waiting', entry };
      }
      case 'rejected': {
        const reason = answer.reason ?? 'its owner declined';
        const ended: RunEntry = { ...entry, asked: null, end: { is: 'rejected', error: reason } };
        const error = new SvcError('WALLET_REJECTED', { reason });
        return { is: 'failed', entry: await save(ended), error, isPartial: answer.isPartial === true };
      }
      case 'signed': {
        const { signature } = answer;
        return { is: 'moved', entry: await save({ ...entry, signature, asked: null }) };
      }
      case 'sent':
        // The chain knows better than a wallet whose hash is of a bundle, or of what was replaced.
        if (asked.isFound) return null;
        if (isNew(answer, asked)) {
          const { hashes, exact } = answer;
          await change({ hashes, ...(exact && { sentNonce: exact.nonce, signed: exact.signed }) });
        }
        return null;
      case 'unknown':
        return null;
    }
  }

  /** Null while the chain does not say. */
  async function look(): Promise<Followed | null> {
    if (entry.typedData !== null)
      // A signature that nobody has is none: it may be asked for again.
      return { is: 'moved', entry: await save({ ...entry, asked: null }) };
    const asked = entry.asked as OpenAsk;
    const calls = entry.calls.slice(entry.step, entry.step + asked.count);
    const since = Math.floor(asked.at / 1_000);
    const { wallet: from } = entry;
    if (asked.hashes.length > 0) {
      const wanted = { from, calls, since };
      const outcome = await patiently(() => readOutcome(wanted, asked));
      if (outcome?.kind === 'done') return { is: 'moved', entry: await save(advance(entry, asked.hashes)) };
      if (outcome?.kind === 'failed') return fail(outcome.reason);
      if (outcome === null || outcome.kind === 'waiting') return null;
      if (Date.now() - asked.at < searchAfterMs) return null;
    }
    if (asked.hashes.length > 0 && Date.now() - searchedAt < searchAfterMs) return null;
    searchedAt = Date.now();
    if (asked.sentNonce !== null)
      return patiently(() => findReplacement(asked, asked.sentNonce as number, calls));
    const lost = { from, calls, nonce: asked.nonce, block: BigInt(asked.block), since };
    const found = await patiently(() => findLostCalls(chain, lost));
    if (found === null || found.join() === asked.hashes.join()) return null;
    await change({ hashes: found, isFound: true });
    return look();
  }

  /** What a key has signed is what was asked for: its receipt says all. */
  async function readOutcome(wanted: AskedCalls, { hashes, signed }: OpenAsk): Promise<CallsOutcome> {
    if (signed !== null) {
      const receipts = await chain.askAll(hashes.map((hash) => receiptOf(hash)));
      if (receipts.every((receipt) => receipt?.isSuccess)) return { kind: 'done' };
    }
    return readCallsOutcome(chain, wanted, hashes, 1);
  }

  /** The owner may have sped up, cancelled or replaced a transaction in the wallet: then another one has its nonce. */
  async function findReplacement(
    asked: OpenAsk,
    nonce: number,
    [call]: readonly Call[],
  ): Promise<Followed | null> {
    const head = await chain.ask(latestBlock());
    const sent = await findSent(chain, entry.wallet, nonce, BigInt(asked.block), head.number);
    if (sent === null || asked.hashes.includes(sent.hash)) return null;
    // Another process has the same key: what was signed here will never be mined.
    const isOwn = asked.signed?.includes(sent.hash);
    if (isOwn === false) return { is: 'moved', entry: await save({ ...entry, asked: null }) };
    if (!isOwn && (call === undefined || !isCall(sent, call)))
      return fail('You cancelled or replaced this transaction in the wallet.');
    await change({ hashes: [sent.hash], isFound: true });
    return look();
  }

  async function fail(reason: string): Promise<Followed> {
    const ended: RunEntry = { ...entry, asked: null, end: { is: 'failed', error: reason } };
    return {
      is: 'failed',
      entry: await save(ended),
      error: new SvcError('TRANSACTION_REVERTED', { sentence: reason }),
    };
  }

  /** What is sent stays sent: a chain that does not answer for a while is asked again. */
  async function patiently<Result>(work: () => Promise<Result>): Promise<Result | null> {
    const { hashes, sentNonce } = entry.asked as OpenAsk;
    try {
      const [only] = hashes;
      if (hashes.length === 1 && only !== undefined && sentNonce === null) {
        const sent = await chain.ask(nonceOf(only));
        // A bundle comes from somebody else, and its nonces say nothing about the wallet.
        if (sent !== null && isSameAddress(sent.from, entry.wallet)) await change({ sentNonce: sent.nonce });
      }
      return await work();
    } catch (error) {
      if (hashes.length === 0 || Date.now() - startedAt > needs.minedTimeoutMs) throw error;
      if (!isErrorOf(error, 'CHAIN_UNREACHABLE', 'CHAIN_REFUSED')) throw error;
      return null;
    }
  }
}

function isNew({ hashes, exact }: Asked & { readonly is: 'sent' }, asked: OpenAsk): boolean {
  return (
    hashes.join() !== asked.hashes.join() ||
    (exact !== undefined && exact.signed.join() !== asked.signed?.join())
  );
}

/** Whether all that was planned is done; the run ends once its caller has been told. */
export function isComplete({ typedData, signature, step, calls }: RunEntry): boolean {
  return typedData === null ? step >= calls.length : signature !== null;
}

function advance(entry: RunEntry, hashes: readonly Hex[]): RunEntry {
  const step = entry.step + (entry.asked?.count ?? 0);
  return { ...entry, step, hashes: [...entry.hashes, ...hashes], asked: null };
}
