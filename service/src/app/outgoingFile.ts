// A local file that is about to be uploaded: its content, and what a document says about it.

import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, relative, resolve, sep } from 'node:path';
import type { MarketClient } from '@svc/sdk';
import { hashFile, maxFileBytes, type SealedFile, sealFile } from '@svc/sdk/client';
import { SvcError } from '@svc/sdk/domain';
import { sealBytes } from '@svc/sdk/internal/client/sealFile';
import { cleanFileName, findMediaType } from '@svc/sdk/internal/domain/documentNames';
import { toShown } from '@svc/sdk/internal/domain/text';
import { OperatorError } from '../errors/operatorError.ts';
import type { Attachment } from '../mcp/tool.ts';
import { explainFileError } from './durableFile.ts';

type OutgoingFile = {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly name: string;
  readonly mediaType: string;
};

export function mediaTypeOf(name: string): string {
  return findMediaType(name) ?? 'application/octet-stream';
}

/** Throws FILE_UNUSABLE and FILE_TOO_LARGE. */
export function readOutgoingFile(path: string): OutgoingFile {
  try {
    const found = statSync(path);
    if (!found.isFile()) throw unusable(path, 'it is no file');
    if (found.size > maxFileBytes - sealBytes)
      throw new SvcError('FILE_TOO_LARGE', { limit: String(maxFileBytes / 1_000_000) });
    const name = cleanFileName(basename(path));
    return { content: Uint8Array.from(readFileSync(path)), name, mediaType: mediaTypeOf(name) };
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throw unusable(path, explainFileError(error), error);
  }
}

/**
 * The same for a model that names the path: only files below the folder, no hidden ones, and nothing of `own`, the files and
 * folders of the operator. A text that a model has read must not be able to publish keys of this user.
 */
export function readOutgoingFileBelow(
  folder: string,
  path: string,
  own: readonly string[] = [],
): OutgoingFile {
  const full = resolve(folder, path);
  let inside: string;
  try {
    // Also where a link on the way leads elsewhere.
    inside = relative(realpathSync(folder), realpathSync(full));
  } catch (error) {
    throw unusable(path, explainFileError(error), error);
  }
  if (own.some((one) => isWithin(one, full))) throw unusable(path, 'it belongs to the operator of the tools');
  const parts = inside.split(sep);
  if (resolve(inside) === inside || parts.some((part) => part.startsWith('.')))
    throw unusable(
      path,
      'only files below the folder in which the tools were started are sent, and no hidden ones',
    );
  return readOutgoingFile(full);
}

/** Whether it is that file or in that folder, whatever links lead there. */
function isWithin(own: string, path: string): boolean {
  if (!existsSync(own)) return false;
  const [place, file] = [realpathSync(own), realpathSync(path)];
  const [one, other] = [statSync(place), statSync(file)];
  // A second name of the same file counts as well.
  return (one.ino === other.ino && one.dev === other.dev) || file.startsWith(`${place}${sep}`);
}

/** `seal` is what the caller wants, if it says so. */
type FileUse = { readonly seal: boolean | undefined; readonly taskId: string | undefined };

/** What is uploaded, what a document lists, and the keys for a message: none unless the file is sealed. */
export async function buildAttachment(
  file: OutgoingFile,
  use: FileUse,
  market: Pick<MarketClient, 'task'>,
): Promise<Attachment> {
  const { content, name, mediaType } = file;
  const isSealed = await decideSeal(use, market);
  const plain = { name, mediaType, bytes: content.length, sha256: hashFile(content) };
  if (!isSealed) return { content, artifact: plain, keys: {} };
  const { content: stored, sealed, key }: SealedFile = await sealFile(content);
  return { content: stored, artifact: { ...plain, sealed }, keys: { [sealed.sha256]: key } };
}

/** The scope of the task decides. A draft has no task yet, so that its sender has to say it. */
async function decideSeal({ seal, taskId }: FileUse, market: Pick<MarketClient, 'task'>): Promise<boolean> {
  if (seal === true) return true;
  if (taskId === undefined) {
    const reason =
      'Without taskId, give seal: true for a private task, false for one that everybody may read.';
    if (seal === undefined) throw new SvcError('USAGE', { reason });
    return false;
  }
  const { task } = await market.task(taskId);
  if (task.scope === 'private' && seal === false)
    throw new SvcError('FILE_NOT_SEALED', { reason: `${taskId} is private; leave seal out` });
  return task.scope === 'private';
}

function unusable(file: string, reason: string, cause?: unknown): OperatorError {
  return new OperatorError('FILE_UNUSABLE', { file: toShown(file), reason }, cause);
}
