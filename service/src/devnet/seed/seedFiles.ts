// Files of the seeded deliveries and evidence: their bytes, and who uploads which for which task.
import { createCipheriv, hash } from 'node:crypto';
import type { Artifact } from '@svc/sdk/documents';
import type { TaskKey } from '@svc/sdk/domain';
import { findMediaType } from '@svc/sdk/internal/domain/documentNames';
import type { AccountName } from '../accounts.ts';
import { encodeFile } from './fileFormats.ts';
import pictures from './pictures.json' with { type: 'json' };
import { numberTasks, type TaskStep, type TaskStory, taskStories } from './story.ts';
import texts from './texts.json' with { type: 'json' };

export type SeededFile = {
  readonly task: TaskKey;
  /** A party of the task at the end of the story. */
  readonly by: AccountName;
  readonly sha256: string;
  readonly content: Uint8Array;
  readonly isSealed: boolean;
};

type SealedContent = {
  /** IV, ciphertext and tag, as sealFile of the SDK writes them. */
  readonly content: Uint8Array;
  readonly key: `0x${string}`;
  readonly sealed: { readonly sha256: string; readonly bytes: number };
};

const ivBytes = 12;

const linesOf: Readonly<Record<string, readonly string[]>> = { ...texts, ...pictures };

export function buildArtifact(story: TaskStory, name: string): Artifact {
  const content = encodeOwn(story, name);
  const mediaType = findMediaType(name) ?? 'text/plain';
  const plain = { name, mediaType, bytes: content.length, sha256: hash('sha256', content) };
  return story.scope === 'private' ? { ...plain, sealed: sealContent(story, name, content).sealed } : plain;
}

/** What opens the sealed files of a private task, by the hash of their sealed bytes. */
export function listFileKeys(story: TaskStory, names: readonly string[]): Record<string, string> {
  const sealed = names.map((name) => sealContent(story, name, encodeOwn(story, name)));
  return Object.fromEntries(sealed.map(({ key, sealed: { sha256 } }) => [sha256, key]));
}

/** Files that documents of the story name; those of private tasks are sealed. */
export function listSeededFiles(): SeededFile[] {
  const numbers = numberTasks();
  return taskStories.flatMap((story) => {
    const task = { market: story.market, number: numbers.get(story) as bigint };
    return listUploads(story).map(({ by, name }) => {
      const plain = encodeOwn(story, name);
      const isSealed = story.scope === 'private';
      const content = isSealed ? sealContent(story, name, plain).content : plain;
      return { task, by, sha256: hash('sha256', content), content, isSealed };
    });
  });
}

/** The files that a step names. */
export function listFiles(step: TaskStep): readonly string[] {
  switch (step[0]) {
    case 'deliver':
    case 'dispute':
      return step.slice(2) as string[];
    case 'answer':
    case 'evidence':
      return step.slice(3) as string[];
    default:
      return [];
  }
}

/** A worker who left is no party any more: what it delivered is uploaded by the poster. */
function listUploads({ poster, steps }: TaskStory): { readonly by: AccountName; readonly name: string }[] {
  const uploads: { by: 'poster' | 'worker'; worker: AccountName | null; name: string }[] = [];
  let worker: AccountName | null = null;
  for (const [, ...step] of steps as readonly (readonly [string, ...TaskStep])[]) {
    if (step[0] === 'claim' || step[0] === 'create') worker = step[1];
    if (step[0] === 'leave' || step[0] === 'dismiss') worker = null;
    const isPoster = step[0] === 'dispute' || (step[0] === 'evidence' && step[1] === 'poster');
    const by = isPoster ? 'poster' : 'worker';
    for (const name of listFiles(step)) uploads.push({ by, worker, name });
  }
  return uploads.map(({ by, worker: then, name }) => ({
    by: by === 'worker' && then !== null && then === worker ? then : poster,
    name,
  }));
}

function encodeOwn({ key }: TaskStory, name: string): Uint8Array {
  const lines = linesOf[`${key}/${name}`];
  if (lines === undefined) throw new Error(`The story of ${key} names ${name}, which has no content.`);
  return encodeFile(name, lines);
}

/**
 * Seals a file of a private task. Key and IV come from the story, so that the chain and the store, which are filled apart,
 * agree on the sealed bytes; every key of this chain is public anyway.
 */
function sealContent(story: TaskStory, name: string, plain: Uint8Array): SealedContent {
  const derive = (use: string) => hash('sha256', `${story.key}/${name}/${use}`, 'buffer');
  const [key, iv] = [derive('key'), derive('iv').subarray(0, ivBytes)];
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const content = Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return {
    content,
    key: `0x${key.toString('hex')}`,
    sealed: { sha256: hash('sha256', content), bytes: content.length },
  };
}
