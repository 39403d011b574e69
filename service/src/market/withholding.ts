// Documents on the chain that the operator does not show: their words and their place are left out, their hash stays.
import { hash } from 'node:crypto';
import { type ChainEvent, hashDocument, readInlineUri } from '@svc/sdk/domain';
import type { StoredTask, TaskStore } from '#store/tasks.ts';

/** The keccak-256 of withheld documents, in lower case. */
export type WithheldHashes = ReadonlySet<string>;
export type LoadWithheld = () => Promise<WithheldHashes>;

type Source = {
  readonly listWithheld: () => Promise<readonly { readonly kind: string; readonly hash: string }[]>;
  /** Changes with every change of the list. */
  readonly version: () => string;
};

/** Asks once per version: a market changes with its blocks, and reads are many. */
export function createWithheldLoader({ listWithheld, version }: Source): LoadWithheld {
  let known: { readonly version: string; readonly hashes: Promise<WithheldHashes> } | null = null;
  async function load(): Promise<WithheldHashes> {
    const listed = await listWithheld();
    return new Set(listed.flatMap((each) => (each.kind === 'document' ? each.hash : [])));
  }
  return () => {
    const now = version();
    if (known?.version !== now) {
      const mine = { version: now, hashes: load() };
      known = mine;
      mine.hashes.catch(() => {
        if (known === mine) known = null;
      });
    }
    return known.hashes;
  };
}

/** The same reads, without the words of withheld documents. */
export function hideWithheld(tasks: TaskStore, loadWithheld: LoadWithheld): TaskStore {
  const hideAll =
    <Page extends readonly unknown[]>(load: (...page: Page) => Promise<StoredTask[]>) =>
    async (...page: Page) => {
      const [found, hashes] = await Promise.all([load(...page), loadWithheld()]);
      return hashes.size === 0 ? found : found.map((task) => hideWords(task, hashes));
    };
  return {
    ...tasks,
    loadOpen: hideAll(tasks.loadOpen),
    loadRecent: hideAll(tasks.loadRecent),
    loadByPoster: hideAll(tasks.loadByPoster),
    loadByWorker: hideAll(tasks.loadByWorker),
    /** Who searches by words finds no task whose words are withheld: the answer would tell them. */
    find: async (search) => {
      const [found, hashes] = await Promise.all([tasks.find(search), loadWithheld()]);
      if (hashes.size === 0) return found;
      const { terms, tags } = search.filter;
      const isByWords = terms !== undefined || tags !== undefined;
      const shown = found.tasks.filter(({ text }) => !isByWords || !isTaskHidden(JSON.parse(text), hashes));
      return { ...found, tasks: shown.map((task) => hideWords(task, hashes)) };
    },
    loadTask: async (market, number) => {
      const task = await tasks.loadTask(market, number);
      const hashes = await loadWithheld();
      return task === null || hashes.size === 0 ? task : hideWords(task, hashes);
    },
  };
}

/** A record of any shape, as far as it concerns documents. */
type Shown = {
  readonly uri: string | null;
  /** Not in the open list. */
  readonly criteriaHash?: string;
  readonly milestones?: readonly object[];
  readonly deliveries?: readonly { readonly proofHash: string }[];
  readonly dispute?: {
    readonly evidence?: readonly { readonly evidenceHash: string }[];
    readonly ruling?: { readonly reasonHash: string } | null;
  } | null;
};

const hidden = { uri: '', document: null, documentState: 'withheld', text: undefined } as const;
const noWords = {
  title: undefined,
  description: undefined,
  criteria: undefined,
  tags: undefined,
  criteriaMatches: undefined,
  artifacts: undefined,
};

function hideWords(task: StoredTask, hashes: WithheldHashes): StoredTask {
  const record = JSON.parse(task.text) as Shown;
  const hideIn = <T extends object>(one: T, named: string): T =>
    hashes.has(named.toLowerCase()) ? { ...one, ...hidden } : one;
  const { deliveries, dispute } = record;
  const { evidence, ruling } = dispute ?? {};
  const text = JSON.stringify({
    ...record,
    ...(deliveries && { deliveries: deliveries.map((one) => hideIn(one, one.proofHash)) }),
    ...(dispute && {
      dispute: {
        ...dispute,
        ...(evidence && { evidence: evidence.map((one) => hideIn(one, one.evidenceHash)) }),
        ...(ruling && { ruling: hideIn(ruling, ruling.reasonHash) }),
      },
    }),
    ...(isTaskHidden(record, hashes) && hideTask(record)),
  });
  return text === task.text ? task : { ...task, text, seal: hash('sha256', text, 'base64url') };
}

function isTaskHidden({ uri, criteriaHash }: Shown, hashes: WithheldHashes): boolean {
  if (criteriaHash !== undefined) return hashes.has(criteriaHash.toLowerCase());
  const inline = uri === null ? null : readInlineUri(uri);
  return inline !== null && hashes.has(hashDocument(inline.bytes));
}

function hideTask({ criteriaHash, milestones }: Shown) {
  const words = criteriaHash === undefined ? {} : { ...noWords, bound: 'none' };
  const parts = milestones?.map((one) => ({ ...one, description: undefined }));
  return { uri: '', ...words, ...(parts && { milestones: parts }) };
}

const hashNames = ['proofHash', 'evidenceHash', 'reasonHash', 'criteriaHash'];
const placeNames = ['uri', 'reasonUri'];

/** Null where the document of the event may be shown; otherwise what is shown instead. */
export function hideEvent({ args }: ChainEvent, hashes: WithheldHashes) {
  if (!hashNames.some((name) => hashes.has(String(args[name]).toLowerCase()))) return null;
  const { uri: _, text: __, ...view } = hidden;
  const places = placeNames.filter((name) => name in args).map((name) => [name, '']);
  return { args: { ...args, ...Object.fromEntries(places) } as ChainEvent['args'], view };
}
