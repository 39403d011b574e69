// Ends uses of files whose time is over, adopts drafts that were named meanwhile, and removes bytes that nobody uses.

import { text as readText } from 'node:stream/consumers';
import { type Address, maxDocumentBytes, parseTaskId } from '@svc/sdk/domain';
import { decodeText, readFileHash, readInlineUri } from '@svc/sdk/internal/domain/document';
import type { Hex } from 'viem';
import type { FileRows, FileUse } from '../store/fileRows.ts';
import type { FileSubjects } from '../store/fileSubjects.ts';
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

/** Which files a wallet named, each with the task or conversation. */
type NamedHashes = (wallet: Address, since: number) => Promise<ReadonlyMap<string, string>>;

/** Each wallet is looked up once in a round, from its oldest draft on: drafts come in the order of their age. */
function createNamedHashes({ subjects, bytes }: SweepOptions): NamedHashes {
  const known = new Map<Address, Promise<Map<string, string>>>();

  async function collect(wallet: Address, since: number): Promise<Map<string, string>> {
    const named = new Map<string, string>();
    for (const { subject, text } of await subjects.loadNamingTexts(wallet, since - clockSeconds)) {
      const inline = readInlineUri(text);
      const plain = inline === null ? text : (decodeText(inline.bytes) ?? '');
      for (const hash of listHashes(plain)) named.set(hash, subject);
      const file = readFileHash(text);
      const document = file === null ? null : await loadText(bytes, file);
      for (const hash of listHashes(document ?? '')) named.set(hash, subject);
    }
    return named;
  }

  return (wallet, since) => {
    const found = known.get(wallet) ?? collect(wallet, since);
    known.set(wallet, found);
    return found;
  };
}

/** Any 64 digits: a text that names a hash by chance keeps no more than a draft of its own author. */
function listHashes(text: string): string[] {
  return text.match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g) ?? [];
}

/** The start of a file, which is all of it if it is a document. */
async function loadText(bytes: ByteStore, sha256: string): Promise<string | null> {
  if (!(await bytes.has(sha256))) return null;
  const stream = await bytes.read(sha256, { first: 0, last: maxDocumentBytes - 1 });
  return stream && readText(stream);
}
