// Documents on the chain that the operator does not show: their words and their place are left out, their hash stays.
import type { TaskDetail } from '@svc/sdk/actions';
import { hashDocument } from '@svc/sdk/domain';
import { readInlineUri } from '@svc/sdk/internal/domain/document';
import type { ChainEvent } from '@svc/sdk/internal/domain/event';
import { keepFor } from '../store/keepFor.ts';
import type { StoredTask } from '../store/taskRow.ts';
import type { TaskStore } from '../store/tasks.ts';

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
  const load = async (): Promise<WithheldHashes> =>
    new Set((await listWithheld()).flatMap(({ kind, hash }) => (kind === 'document' ? hash : [])));
  return keepFor(Number.POSITIVE_INFINITY, load, version);
}

/** The same reads, without the words of withheld documents. */
export function hideWithheld(tasks: TaskStore, loadWithheld: LoadWithheld): TaskStore {
  return {
    ...tasks,
    loadPage: async (page) => {
      const [found, hashes] = await Promise.all([tasks.loadPage(page), loadWithheld()]);
      return found.map((stored) => hideWords(stored, hashes));
    },
    /** A search by words finds no task whose words are withheld: the answer would tell them. */
    find: async (search) => {
      const [found, hashes] = await Promise.all([tasks.find(search), loadWithheld()]);
      const { terms, tags } = search.filter;
      const isByWords = terms !== undefined || tags !== undefined;
      const shown = found.tasks.filter((stored) => !isByWords || !isHidden(stored, hashes));
      return { ...found, tasks: shown.map((stored) => hideWords(stored, hashes)) };
    },
    loadTask: async (market, number) => {
      const [stored, hashes] = await Promise.all([tasks.loadTask(market, number), loadWithheld()]);
      return stored && hideWords(stored, hashes);
    },
  };
}

export function hideWords(stored: StoredTask, hashes: WithheldHashes): StoredTask {
  if (!isHidden(stored, hashes)) return stored;
  return { ...stored, facts: { ...stored.facts, uri: '' }, words: null };
}

function isHidden({ task: { criteriaHash }, facts: { uri } }: StoredTask, hashes: WithheldHashes): boolean {
  return isWithheld(hashes, [criteriaHash], [uri]);
}

/** By the hash that the chain names, which may be that of the criteria alone, or by that of the document in a uri. */
function isWithheld(hashes: WithheldHashes, named: readonly unknown[], uris: readonly unknown[]): boolean {
  if (hashes.size === 0) return false;
  const inline = uris.map((uri) => (typeof uri === 'string' ? readInlineUri(uri) : null));
  const contained = inline.map((found) => found && hashDocument(found.bytes));
  return [...named, ...contained].some((hash) => hashes.has(String(hash).toLowerCase()));
}

const noDocument = { document: null, documentState: 'withheld' } as const;
const hidden = { uri: '', ...noDocument, text: undefined };

/** The documents of the work and of a dispute. */
export function hideDocuments(detail: TaskDetail, hashes: WithheldHashes): TaskDetail {
  if (hashes.size === 0) return detail;
  const hideIn = <T extends { readonly uri: string | null }>(one: T, named: string): T =>
    isWithheld(hashes, [named], [one.uri]) ? { ...one, ...hidden } : one;
  const { deliveries, dispute } = detail;
  return {
    ...detail,
    deliveries: deliveries.map((one) => hideIn(one, one.proofHash)),
    dispute: dispute && {
      ...dispute,
      evidence: dispute.evidence.map((one) => hideIn(one, one.evidenceHash)),
      ruling: dispute.ruling && hideIn(dispute.ruling, dispute.ruling.reasonHash),
    },
  };
}

const hashNames = ['proofHash', 'evidenceHash', 'reasonHash', 'criteriaHash'];
const placeNames = ['uri', 'reasonUri'];

/** Null where the document of the event may be shown; otherwise what is shown instead. */
export function hideEvent({ args }: ChainEvent, hashes: WithheldHashes) {
  const valuesOf = (names: readonly string[]) => names.map((name) => args[name]);
  if (!isWithheld(hashes, valuesOf(hashNames), valuesOf(placeNames))) return null;
  const places = placeNames.filter((name) => name in args).map((name) => [name, '']);
  return { args: { ...args, ...Object.fromEntries(places) } as ChainEvent['args'], view: noDocument };
}
