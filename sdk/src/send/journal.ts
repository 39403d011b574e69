// What a run has asked a wallet for, written before the wallet is asked: a process that dies loses nothing, and the next one
// sends nothing again.
import type { Hex } from 'viem';
import type { Call } from '../chain/encodeCall.ts';
import { type Address, addressKey } from '../domain/address.ts';
import { SvcError } from '../domain/errors.ts';
import type { AskedWords, TypedDataJson } from './wallet.ts';

/** What a wallet wants to do: an action of the catalog with its arguments as JSON. */
export type Intent = { readonly action: string; readonly args: Readonly<Record<string, unknown>> };

/** What the wallet was asked for last, while its end is unknown. */
export type OpenAsk = {
  readonly id: string;
  /** How many calls from `step` on; 0 for a signature. */
  readonly count: number;
  /** Milliseconds. */
  readonly at: number;
  /** Of the account and the chain before the wallet was asked: where a search begins. */
  readonly nonce: number;
  readonly block: string;
  /** Of the transaction that the wallet has sent, once a node has shown it: another one with this nonce replaces it. */
  readonly sentNonce: number | null;
  /** All that the wallet has signed with this nonce, where it knows that; else null. */
  readonly signed: readonly Hex[] | null;
  /** Whether the chain was searched for the hashes, instead of believing the wallet. */
  readonly isFound: boolean;
  /** As far as the wallet has answered. */
  readonly hashes: readonly Hex[];
};

export type RunEnd = {
  readonly is: 'done' | 'failed' | 'rejected' | 'given-up';
  readonly error: string | null;
};

/** A run as it is kept; JSON. */
export type RunEntry = {
  readonly id: string;
  readonly wallet: Address;
  readonly chainId: number;
  readonly intent: Intent;
  /** The plan that was confirmed. */
  readonly planHash: Hex;
  readonly calls: readonly Call[];
  readonly typedData: TypedDataJson | null;
  readonly words: AskedWords;
  /** Calls before it are done. */
  readonly step: number;
  /** Of the calls that are done, in this plan and in those before it. */
  readonly hashes: readonly Hex[];
  readonly signature: Hex | null;
  /** How often a wallet was asked. */
  readonly asks: number;
  readonly asked: OpenAsk | null;
  readonly approvalUrl: string | null;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Null while it runs. */
  readonly end: RunEnd | null;
};

/** What an adapter remembers of an id, such as signed bytes or the id that a wallet gave it. */
export type Notes = {
  readonly read: (id: string) => Promise<string | null>;
  readonly write: (id: string, text: string) => Promise<void>;
};

/** In memory, in a file, or in a browser under a Web Lock. */
export type Journal = {
  /** Runs the work while no other tab or process works with this wallet. */
  readonly lock: <Result>(wallet: Address, work: () => Promise<Result>) => Promise<Result>;
  /** The runs of a wallet that have not ended, oldest first. */
  readonly load: (wallet: Address) => Promise<readonly RunEntry[]>;
  /** Throws RUN_ENDED where the saved one has ended. */
  readonly save: (entry: RunEntry) => Promise<void>;
  readonly notes: Notes;
};

/** Where texts are kept. `write` of null removes one. */
export type TextStore = {
  readonly list: (prefix: string) => readonly string[];
  readonly read: (name: string) => string | null;
  readonly write: (name: string, text: string | null) => void;
};

type Lock = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

const entryName = (wallet: Address, id: string) => `svc-run:${addressKey(wallet)}:${id}`;
const noteName = (id: string) => `svc-note:${id}`;

/** A journal over texts. Ended runs and their notes are forgotten. */
export function createJournal(store: TextStore, lock: Lock): Journal {
  const find = (name: string): RunEntry | null => {
    const text = store.read(name);
    return text === null ? null : (JSON.parse(text) as RunEntry);
  };
  const ended = new Set<string>();
  return {
    lock: (wallet, work) => lock(`svc-wallet:${addressKey(wallet)}`, work),
    load: async (wallet) =>
      store
        .list(entryName(wallet, ''))
        .map(find)
        .filter((entry) => entry !== null)
        .sort((one, other) => one.createdAt - other.createdAt),
    save: async (entry) => {
      if (ended.has(entry.id)) throw new SvcError('RUN_ENDED', { runId: entry.id });
      const name = entryName(entry.wallet, entry.id);
      if (entry.asks > 0 && store.read(name) === null) throw new SvcError('RUN_ENDED', { runId: entry.id });
      if (entry.end === null) return store.write(name, JSON.stringify(entry));
      ended.add(entry.id);
      store.write(name, null);
      for (const note of store.list(noteName(`${entry.id}.`))) store.write(note, null);
    },
    notes: {
      read: async (id) => store.read(noteName(id)),
      write: async (id, text) => store.write(noteName(id), text),
    },
  };
}

/** One at a time for each name, in this process. */
export function createLocks(): Lock {
  const queues = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const result = (queues.get(name) ?? Promise.resolve()).then(work);
    queues.set(
      name,
      result.catch(() => undefined),
    );
    return result;
  };
}

/** Lives as long as the process: a bot that looks at the chain first needs no more. */
export function createMemoryJournal(): Journal {
  const texts = new Map<string, string>();
  const store: TextStore = {
    list: (prefix) => [...texts.keys()].filter((name) => name.startsWith(prefix)),
    read: (name) => texts.get(name) ?? null,
    write: (name, text) => void (text === null ? texts.delete(name) : texts.set(name, text)),
  };
  return createJournal(store, createLocks());
}

/** What a browser has for it: `localStorage` and `navigator.locks`. */
export type BrowserPlace = {
  readonly storage: {
    readonly length: number;
    readonly key: (at: number) => string | null;
    readonly getItem: (name: string) => string | null;
    readonly setItem: (name: string, text: string) => void;
    readonly removeItem: (name: string) => void;
  };
  readonly locks: { readonly request: (name: string, work: () => Promise<unknown>) => Promise<unknown> };
};

/** Outlives a reload, and two tabs take turns. */
export function createBrowserJournal({ storage, locks }: BrowserPlace): Journal {
  const store: TextStore = {
    list: (prefix) =>
      Array.from({ length: storage.length }, (_, at) => storage.key(at)).filter(
        (name): name is string => name?.startsWith(prefix) === true,
      ),
    read: (name) => storage.getItem(name),
    write: (name, text) => (text === null ? storage.removeItem(name) : storage.setItem(name, text)),
  };
  return createJournal(store, (name, work) => locks.request(name, work) as never);
}

export function endOf(entry: RunEntry, is: RunEnd['is'], error: string | null): RunEntry {
  return { ...entry, asked: null, end: { is, error } };
}

/** Ends a run of which nothing more is known, once a person has looked at the wallet: what it may have been asked for is not sought any more. */
export function giveUpRun(journal: Journal, entry: RunEntry): Promise<void> {
  return journal.lock(entry.wallet, () =>
    journal.save(endOf(entry, 'given-up', 'The request was given up.')),
  );
}
