// Uploads and downloads files of a gateway. A download is returned only when its bytes have the hash that was asked for.
import { concat } from 'viem';
import { SvcError } from '../domain/errors.ts';
import type { UploadReply } from '../schemas/files.ts';
import { gatewayRoutes } from './clientRoutes.ts';
import { type Connection, createRequest, openResponse, type Signal, throwUnreachable } from './request.ts';
import { hashFile } from './sealFile.ts';

export type FileClientOptions = Connection & {
  /** Of a session; only uploads need it. */
  readonly token?: string;
};

export type UploadOptions = Signal & {
  /** A task id or the root of a conversation; without it the file is a draft. */
  readonly for?: string;
  /** Whether the content is the `content` of `sealFile`. Every file of a private task must be. */
  readonly sealed?: boolean;
};

export type DownloadOptions = Signal & {
  /** A longer file is not read; default 25 MB. */
  readonly maxBytes?: number;
};

/** Limit of a single file at a gateway. */
export const maxFileBytes = 25_000_000;

/** Uploads and downloads the files of one gateway. */
export function createFileClient({ token, ...connection }: FileClientOptions) {
  const request = createRequest(connection);
  return {
    /** Throws FILE_TOO_LARGE before anything is sent. */
    upload: async (
      content: Uint8Array<ArrayBuffer>,
      { for: subject, sealed = false, signal }: UploadOptions = {},
    ): Promise<UploadReply> => {
      if (content.length > maxFileBytes) throw tooLarge(maxFileBytes);
      const params = { sha256: hashFile(content) };
      return request(
        gatewayRoutes.putFile,
        { for: subject, ...(sealed && { sealed: 'true' }), signal },
        content,
        { params, token },
      );
    },

    /** Throws HASH_MISMATCH where the gateway sends other bytes, and FILE_TOO_LARGE. */
    download: async (
      sha256: string,
      { maxBytes = maxFileBytes, signal }: DownloadOptions = {},
    ): Promise<Uint8Array<ArrayBuffer>> => {
      const init = { headers: { accept: 'application/octet-stream' }, ...(signal && { signal }) };
      const path = gatewayRoutes.getFile.path.replace(':sha256', sha256);
      const response = await openResponse(connection, path, {}, init);
      const content = await readBounded(response, maxBytes).catch((error: unknown) => {
        if (error instanceof SvcError) throw error;
        return throwUnreachable(connection, error, signal);
      });
      if (hashFile(content) !== sha256) throw new SvcError('HASH_MISMATCH', {});
      return content;
    },
  };
}

export type FileClient = ReturnType<typeof createFileClient>;

/** Stops reading where the bytes become too many, whatever length the server announced. */
async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (let step = await reader?.read(); step?.value !== undefined; step = await reader?.read()) {
    length += step.value.length;
    if (length > maxBytes) {
      await reader?.cancel();
      throw tooLarge(maxBytes);
    }
    parts.push(step.value);
  }
  return Uint8Array.from(concat(parts));
}

function tooLarge(limit: number): SvcError {
  return new SvcError('FILE_TOO_LARGE', { limit: String(limit / 1_000_000) });
}
