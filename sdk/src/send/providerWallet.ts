// A wallet behind a provider of a browser (EIP-1193), which may execute calls together (EIP-5792) and may forget what it was
// asked for: then it says that it does not know, and never that nothing happened.
import { type Hex, keccak256, numberToHex, stringToBytes } from 'viem';
import type { Call } from '../chain/encodeCall.ts';
import { findRevert } from '../chain/revert.ts';
import type { Asker } from '../chain/rpc.ts';
import { gasOf } from '../chain/rpcRequests.ts';
import type { Address } from '../domain/address.ts';
import { isErrorOf, SvcError } from '../domain/errors.ts';
import { toShown } from '../domain/text.ts';
import type { Notes } from './journal.ts';
import { addGasMargin } from './keySender.ts';
import type { Asked, TypedDataJson, Wallet } from './wallet.ts';

/** What every wallet of a browser has. */
export type Provider = {
  readonly request: (args: { method: string; params?: unknown }) => Promise<unknown>;
};

export type ProviderPlace = {
  /** The chain of the market, for the gas of each call. */
  readonly chain: Asker;
  readonly chainId: number;
  readonly notes: Notes;
  /** How long a wallet may not know a batch that its owner has just agreed to. */
  readonly unknownForMs?: number;
};

/** What the wallet has answered, as this browser remembers it. */
type Note = {
  readonly at: number;
  /** The id of a batch; null where the wallet asks for each call. */
  readonly batch: string | null;
  readonly hash: Hex | null;
  readonly ended: Asked | null;
};

const usable: readonly unknown[] = ['supported', 'ready'];
/** The wallet will not batch after all: its owner declined the upgrade, or it lacks what it announced. */
const noBatchCodes: readonly unknown[] = [4200, -32_601, 5700, 5710, 5720, 5750, 5760];
/** Answers by which a wallet says that it did nothing. Every other failure may have come after the sending. */
const refusalCodes: readonly unknown[] = [4001, 4100, 4200, -32_601, -32_602, -32_600];
const unknownBundle = 5730;
const unknownForMs = 60_000;

/**
 * A wallet of the runner behind a provider such as `window.ethereum`. Calls are executed together where the wallet can, and
 * otherwise one after the other.
 */
export function createProviderWallet(
  { request }: Provider,
  address: Address,
  { chain, chainId, notes, unknownForMs: patienceMs = unknownForMs }: ProviderPlace,
): Wallet {
  let declined = false;
  /** Questions that this page still waits for. */
  const running = new Set<string>();

  const load = async (id: string): Promise<Note | null> => {
    const text = await notes.read(id);
    return text === null ? null : (JSON.parse(text) as Note);
  };
  const note = (id: string, part: Partial<Note>) =>
    notes.write(id, JSON.stringify({ at: Date.now(), batch: null, hash: null, ended: null, ...part }));

  /** Asks the wallet to switch; throws CHAIN_WRONG where it does not. */
  async function requireChain(): Promise<void> {
    const read = async () => Number(await request({ method: 'eth_chainId' }));
    if ((await read()) === chainId) return;
    const params = [{ chainId: numberToHex(chainId) }];
    await request({ method: 'wallet_switchEthereumChain', params }).catch(() => undefined);
    const found = await read();
    if (found !== chainId)
      throw new SvcError('CHAIN_WRONG', {
        found: String(found),
        expected: String(chainId),
        fix: `Choose chain ${chainId} in the wallet, and try again.`,
      });
  }

  /** Throws TRANSACTION_REVERTED before the wallet is asked. */
  async function estimate({ to, data, value }: Call): Promise<Hex> {
    try {
      return numberToHex(addGasMargin(await chain.ask(gasOf({ from: address, to, data, value } as never))));
    } catch (error) {
      const revert = findRevert(error);
      throw revert === undefined
        ? error
        : new SvcError('TRANSACTION_REVERTED', { sentence: revert.sentence, revert });
    }
  }

  async function sendOne(id: string, call: Call): Promise<Asked> {
    const { to, data, value } = call;
    const gas = await estimate(call);
    await note(id, {});
    const hash = (await request({
      method: 'eth_sendTransaction',
      params: [{ from: address, to, data, value, gas }],
    })) as Hex;
    await note(id, { hash });
    return { is: 'sent', hashes: [hash] };
  }

  /** The id is chosen and kept before: a page that is closed meanwhile finds the batch again. */
  async function sendTogether(id: string, calls: readonly Call[]): Promise<Asked> {
    const batch = keccak256(stringToBytes(id));
    await note(id, { batch });
    const answer = (await request({
      method: 'wallet_sendCalls',
      params: [
        {
          version: '2.0.0',
          id: batch,
          chainId: numberToHex(chainId),
          from: address,
          atomicRequired: true,
          calls: calls.map(({ to, data, value }) => ({ to, data, value })),
        },
      ],
    })) as { readonly id?: unknown } | string | null;
    const named = typeof answer === 'string' ? answer : answer?.id;
    if (typeof named === 'string' && named !== batch) await note(id, { batch: named });
    return { is: 'waiting' };
  }

  async function send(id: string, calls: readonly Call[]): Promise<Asked> {
    const known = await load(id);
    if (known !== null) return find(id);
    await requireChain();
    const [first] = calls;
    if (first === undefined) throw new SvcError('WALLET_REJECTED', { reason: 'there is nothing to send' });
    const isBatch = calls.length > 1;
    running.add(id);
    try {
      return await (isBatch ? sendTogether(id, calls) : sendOne(id, first));
    } catch (error) {
      const asked = (await load(id)) !== null;
      if (!asked) throw error;
      const code = findCode(error);
      if (isBatch && noBatchCodes.includes(code)) {
        declined = true;
        return end(id, { is: 'none' });
      }
      if (refusalCodes.includes(code)) return end(id, { is: 'rejected', reason: wordsOf(error) });
      return { is: 'unknown', reason: wordsOf(error) };
    } finally {
      running.delete(id);
    }
  }

  async function end(id: string, ended: Asked): Promise<Asked> {
    await note(id, { ended });
    return ended;
  }

  async function find(id: string): Promise<Asked> {
    if (running.has(id)) return { is: 'waiting' };
    const known = await load(id);
    // It is noted before the wallet is asked.
    if (known === null) return { is: 'none' };
    if (known.ended !== null) return known.ended;
    if (known.hash !== null) return { is: 'sent', hashes: [known.hash] };
    return known.batch === null ? { is: 'unknown' } : readBatch(known.batch, known.at);
  }

  async function readBatch(batch: string, at: number): Promise<Asked> {
    try {
      const status = (await request({ method: 'wallet_getCallsStatus', params: [batch] })) as BatchStatus;
      const code = codeOfStatus(status.status);
      const hashes = [...new Set((status.receipts ?? []).map(({ transactionHash }) => transactionHash))];
      if (code < 200) return { is: 'waiting' };
      if (code < 300) return hashes.length > 0 ? { is: 'sent', hashes } : { is: 'unknown' };
      return { is: 'rejected', ...failureOf(code) };
    } catch (error) {
      const isUnknown = findCode(error) === unknownBundle;
      // A wallet that cannot be asked now may answer later.
      if (!isUnknown) return { is: 'waiting' };
      return Date.now() - at < patienceMs ? { is: 'waiting' } : { is: 'unknown' };
    }
  }

  return {
    address,
    answers: 'now',
    batches: async () => {
      if (declined) return 'none';
      try {
        const id = numberToHex(chainId);
        const all = (await request({
          method: 'wallet_getCapabilities',
          params: [address, [id]],
        })) as Capabilities;
        return usable.includes(all?.[id]?.atomic?.status) ? 'atomic' : 'none';
      } catch {
        return 'none';
      }
    },
    send,
    sign: async (id, typedData) => {
      await requireChain();
      try {
        const text = JSON.stringify(withDomain(typedData));
        const signature = await request({ method: 'eth_signTypedData_v4', params: [address, text] });
        return { is: 'signed', signature: signature as Hex };
      } catch (error) {
        if (isErrorOf(error, 'CHAIN_WRONG')) throw error;
        return end(id, { is: 'rejected', reason: wordsOf(error) });
      }
    },
    find,
  };
}

type Capabilities = Readonly<Record<string, { readonly atomic?: { readonly status?: unknown } }>> | null;

type BatchStatus = {
  readonly status: unknown;
  readonly receipts?: readonly { readonly transactionHash: Hex }[];
};

/** Wallets of the draft answered in words. */
function codeOfStatus(status: unknown): number {
  if (typeof status === 'number') return status;
  return status === 'CONFIRMED' ? 200 : 100;
}

function failureOf(code: number): { readonly reason: string; readonly isPartial: boolean } {
  if (code >= 600)
    return {
      reason:
        'Only a part of the batch took effect, although the wallet promised all or nothing. Check what the market shows before you sign again.',
      isPartial: true,
    };
  if (code >= 500) return { reason: 'The batch reverted; nothing has changed.', isPartial: false };
  if (code >= 400)
    return { reason: 'The wallet did not send the batch. Nothing has changed.', isPartial: false };
  return {
    reason: 'The wallet reports a batch without a result. Check its history before you sign again.',
    isPartial: true,
  };
}

/** Wallets expect the type of the domain among the types. */
function withDomain(typedData: TypedDataJson): TypedDataJson {
  const { types, domain } = typedData as {
    readonly types?: Readonly<Record<string, unknown>>;
    readonly domain?: Readonly<Record<string, unknown>>;
  };
  if (types === undefined || domain === undefined || types.EIP712Domain !== undefined) return typedData;
  const all = {
    name: 'string',
    version: 'string',
    chainId: 'uint256',
    verifyingContract: 'address',
    salt: 'bytes32',
  };
  const fields = Object.entries(all)
    .filter(([name]) => domain[name] !== undefined)
    .map(([name, type]) => ({ name, type }));
  return { ...typedData, types: { EIP712Domain: fields, ...types } };
}

function findCode(error: unknown): unknown {
  for (let at: unknown = error; typeof at === 'object' && at !== null; at = (at as { cause?: unknown }).cause)
    if ('code' in at && typeof at.code === 'number') return at.code;
  return undefined;
}

function wordsOf(error: unknown): string {
  if (findCode(error) === 4001) return 'its owner declined';
  const { shortMessage, message } = error as { readonly shortMessage?: unknown; readonly message?: unknown };
  return toShown(String(shortMessage ?? message ?? 'it gave no reason')).replace(/\.$/, '');
}
