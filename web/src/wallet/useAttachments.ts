// Files that a person adds to a document: hashed in the browser, sealed for private tasks, uploaded with the session.
import { createFileClient, hashFile, maxFileBytes, sealFile } from '@svc/sdk/client';
import type { Artifact } from '@svc/sdk/documents';
import { sealBytes } from '@svc/sdk/internal/client/sealFile';
import { cleanFileName } from '@svc/sdk/internal/domain/documentNames';
import { useEffect, useRef, useState } from 'react';
import { useIsGateway } from '../data/client.ts';
import type { Task } from '../data/market.ts';
import { explainError } from './explainError.ts';

export type Attachment = {
  readonly id: number;
  readonly name: string;
  readonly bytes: number;
  readonly stage: 'reading' | 'ready' | 'uploading' | 'done' | 'failed';
  readonly failure?: string;
  readonly artifact?: Artifact;
  /** What is uploaded: the file, or its sealed form. */
  readonly content?: Uint8Array<ArrayBuffer>;
  /** Of a sealed file. */
  readonly key?: string;
};

export type Attachments = ReturnType<typeof useAttachments>;

const maxFiles = 100;

/** What the files are for; without an id they belong to a post that is not sent yet. */
type Subject = Pick<Task, 'scope'> & { readonly id?: string };

/** Its bytes are gone with the page that had them. */
export type LostFile = Pick<Attachment, 'name' | 'bytes'>;
const lostFailure = 'not uploaded before this page was left: choose it again, or remove it';
const fullFailure = `not taken: at most ${maxFiles} files fit`;

/** `uploaded` and `lost` are files of an earlier visit. */
export function useAttachments(
  { id: taskId, scope }: Subject,
  token: string | null,
  uploaded: readonly Artifact[] = [],
  lost: readonly LostFile[] = [],
) {
  const [list, setList] = useState<readonly Attachment[]>(() => [
    ...uploaded.map((artifact, id): Attachment => {
      const { name, bytes } = artifact;
      return { id, name, bytes, stage: 'done', artifact };
    }),
    ...lost.map((file, at): Attachment => {
      return { ...file, id: uploaded.length + at, stage: 'failed', failure: lostFailure };
    }),
  ]);
  const nextId = useRef(uploaded.length + lost.length);
  const isGateway = useIsGateway();
  const change = (id: number, changes: Partial<Attachment>) =>
    setList((now) => now.map((one) => (one.id === id ? { ...one, ...changes } : one)));

  const read = async (id: number, file: File) => {
    try {
      change(id, { ...(await readFile(file, scope === 'private')), stage: 'ready' });
    } catch (error) {
      change(id, { stage: 'failed', failure: explainError(error) });
    }
  };
  useEffect(() => {
    // One at a time, in order: a slow line is not shared by all of them.
    const next = list.find(({ stage }) => stage === 'ready');
    const isBusy = list.some(({ stage }) => stage === 'uploading');
    if (token === null || !isGateway || next?.content === undefined || isBusy) return;
    change(next.id, { stage: 'uploading' });
    void createFileClient({ baseUrl: location.origin, token })
      .upload(next.content, {
        ...(taskId !== undefined && { for: taskId }),
        sealed: next.artifact?.sealed !== undefined,
      })
      .then(
        () => change(next.id, { stage: 'done' }),
        (error: unknown) => change(next.id, { stage: 'failed', failure: explainError(error) }),
      );
  });
  // Without a gateway the files stay with their owner; the document names their hashes.
  const isReady = ({ stage }: Attachment) => stage === 'done' || (!isGateway && stage === 'ready');
  return {
    list,
    add: (files: readonly File[]) => {
      const names = new Set(files.map(({ name }) => cleanFileName(name)));
      // What was lost, or did not fit, is chosen again.
      const kept = list.filter(
        ({ stage, content, name }) => stage !== 'failed' || content !== undefined || !names.has(name),
      );
      const room = maxFiles - kept.length;
      const added = files.map((file, at) => ({ file, id: nextId.current++, isTaken: at < room }));
      setList([
        ...kept,
        ...added.map(({ file: { name, size: bytes }, id, isTaken }): Attachment => {
          const state = isTaken
            ? ({ stage: 'reading' } as const)
            : ({ stage: 'failed', failure: fullFailure } as const);
          return { id, name: cleanFileName(name), bytes, ...state };
        }),
      ]);
      for (const { file, id, isTaken } of added) if (isTaken) void read(id, file);
    },
    remove: (id: number) => setList((now) => now.filter((one) => one.id !== id)),
    /** Tries the failed ones again. */
    retry: () =>
      setList((now) =>
        now.map((one) =>
          one.stage === 'failed' && one.content !== undefined ? { ...one, stage: 'ready' } : one,
        ),
      ),
    /** Those that a document can name, or null while some are not ready. */
    artifacts: list.every(isReady) ? list.flatMap(({ artifact }) => artifact ?? []) : null,
    /** Keys of sealed files, by the hash of the sealed bytes. */
    keys: Object.fromEntries(
      list.flatMap(({ artifact, key }) =>
        artifact?.sealed === undefined || key === undefined ? [] : [[artifact.sealed.sha256, key]],
      ),
    ),
    /** Whether some wait for the session. */
    isWaiting: isGateway && token === null && list.some(({ stage }) => stage === 'ready'),
  };
}

async function readFile(file: File, isSealed: boolean): Promise<Partial<Attachment>> {
  if (file.size + (isSealed ? sealBytes : 0) > maxFileBytes) throw new Error('It is larger than 25 MB.');
  const content = new Uint8Array(await file.arrayBuffer());
  const named = { name: cleanFileName(file.name), mediaType: mediaTypeOf(file) };
  if (!isSealed) return { content, artifact: { ...named, bytes: content.length, sha256: hashFile(content) } };
  const { plain, sealed, key, content: stored } = await sealFile(content);
  return { content: stored, key, artifact: { ...named, ...plain, sealed } };
}

/** As the browser guesses it; it is only a hint, and readers look at the bytes. */
function mediaTypeOf({ type }: File): string {
  const plain = type.split(';')[0]?.trim() ?? '';
  return /^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+$/.test(plain) ? plain : 'application/octet-stream';
}
