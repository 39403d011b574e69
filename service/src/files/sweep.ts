// Ends uses of files whose time is over, adopts drafts that were named meanwhile, and removes bytes that nobody uses.

import { buffer } from 'node:stream/consumers';
import { workDocumentSchema } from '@svc/sdk/documents';
import { type Address, maxDocumentBytes, parseTaskId } from '@svc/sdk/domain';
import { parseCanonical, readFileHash, readInlineUri } from '@svc/sdk/internal/domain/document';
import type { Hex } from 'viem';
import type { FileRows, FileUse } from '../store/fileRows.ts';
import type { FileSubjects } from '../store/fileSubjects.ts';
import type { ListingStore } from '../store/listings.ts';
import type { ByteStore } from './byteStore.ts';
import { removeLeftovers } from './receive.ts';
import { keptSeconds } from './uploads.ts';

export type SweepOptions = {
  readonly rows: FileRows;
  readonly bytes: ByteStore;
  readonly incoming: string;
  /** Whether every event of the chain is known: until then a task or a document may only be unread. */
  readonly isWhole: () => Promise<boolean>;
  readonly subjects: FileSubjects;
  /** The words of a wallet's listings. */
  readonly listings: Pick<ListingStore, 'loadNamings'>;
  /** A time that has certainly passed. */
  readonly past: () => number;
};

const batch = 200;
/** How often a use is checked again while its task is open. */
const recheckSeconds = 7 * 86_400;
/** Longer than any upload takes. */
const arrivalSeconds = 3_600;
/** The clocks of the chain and of this machine may differ by this. */
const clockSeconds = 3_600;

/** One round; there is more to do where it resolves to true. */
export function createSweep(options: SweepOptions): (signal: AbortSignal) => Promise<boolean> {
  const { rows, bytes, incoming, past } = options;

  /** Until when the file is in use, and for what; null where the use has ended. */
  async function judge(use: FileUse, named: NamedHashes): Promise<{ until: number; subject: string } | null> {
    const now = past();
    if (use.subject === '') {
      const subject = (await named(use.wallet as Address, use.createdAt)).get(use.sha256);
      return subject === undefined ? null : { until: now + recheckSeconds, subject };
    }
    const until = await findEnd(use.subject, now, options.subjects);
    return until === null || until <= now ? null : { until, subject: use.subject };
  }

  async function sweepUses(signal: AbortSignal): Promise<boolean> {
    const due = await rows.loadDue(past(), batch);
    if (due.length === 0 || !(await options.isWhole())) return false;
    const named = createNamedHashes(options);
    for (const use of due) {
      if (signal.aborted) return false;
      const verdict = await judge(use, named);
      if (verdict === null) await rows.endUse(use, past());
      else await rows.keepUse(use, verdict.subject, verdict.until);
    }
    return due.length === batch;
  }

  async function sweepFiles(signal: AbortSignal): Promise<boolean> {
    const before = past() - arrivalSeconds;
    const unfinished = await rows.loadUnfinished(before, batch);
    for (const file of unfinished) {
      if (signal.aborted) return false;
      if (file.state === 'removing') await bytes.remove(file.sha256);
      // A process ended between the store and its row.
      else if (await bytes.has(file.sha256)) {
        await rows.markStored(file.sha256, past());
        continue;
      }
      await rows.forgetFile(file, before);
    }
    return unfinished.length === batch;
  }

  return async (signal) => {
    await removeLeftovers(incoming, arrivalSeconds * 1_000);
    const hasMoreUses = await sweepUses(signal);
    return (await sweepFiles(signal)) || hasMoreUses;
  };
}

async function findEnd(subject: string, now: number, subjects: FileSubjects): Promise<number | null> {
  if (subject.startsWith('0x')) {
    const conversation = await subjects.loadConversation(subject as Hex);
    // The relay removes it when its time is over; until then its files stay as well.
    return conversation && Math.max(conversation.keepUntil, now + recheckSeconds);
  }
  const task = await subjects.loadTask(parseTaskId(subject));
  if (task === null) return null;
  return task.endedAt === null ? now + recheckSeconds : task.endedAt + keptSeconds;
}

/** Which files a wallet named, each with the task or conversation; empty for a listing. */
type NamedHashes = (wallet: Address, since: number) => Promise<ReadonlyMap<string, string>>;

/** Each wallet is looked up once in a round, from its oldest draft on: drafts come in the order of their age. */
function createNamedHashes({ subjects, listings, bytes, past }: SweepOptions): NamedHashes {
  const known = new Map<Address, Promise<Map<string, string>>>();

  async function collect(wallet: Address, since: number): Promise<Map<string, string>> {
    const named = new Map<string, string>();
    const add = (hash: string, subject: string) => named.set(hash, named.get(hash) || subject);
    const from = since - clockSeconds;
    const namings = [
      ...(await subjects.loadNamings(wallet, from)),
      ...(await listings.loadNamings(wallet, from, past())),
    ];
    for (const naming of namings) {
      const { subject } = naming;
      const file = 'uri' in naming ? readFileHash(naming.uri) : null;
      if (file !== null) add(file, subject);
      const documents = 'uri' in naming ? [await loadDocument(bytes, naming.uri, file)] : naming.documents;
      for (const hash of documents.flatMap(listFiles)) add(hash, subject);
    }
    return named;
  }

  return (wallet, since) => {
    const found = known.get(wallet) ?? collect(wallet, since);
    known.set(wallet, found);
    return found;
  };
}

/** The hashes of the files that a document lists; none of what is no document. */
function listFiles(value: unknown): string[] {
  const { data } = workDocumentSchema.safeParse(value);
  const artifacts = data !== undefined && 'artifacts' in data ? (data.artifacts ?? []) : [];
  return artifacts.flatMap(({ sha256, sealed }) => [
    sha256,
    ...(sealed === undefined ? [] : [sealed.sha256]),
  ]);
}

/** What is inline, or at most the start of the file, which is all of it if it is a document. */
async function loadDocument(bytes: ByteStore, uri: string, file: string | null): Promise<unknown> {
  if (file === null) return parseCanonical(readInlineUri(uri)?.bytes ?? new Uint8Array());
  if (!(await bytes.has(file))) return null;
  const stream = await bytes.read(file, { first: 0, last: maxDocumentBytes - 1 });
  return stream && parseCanonical(await buffer(stream));
}
