// Uploads and downloads of files, beside a bare Node server that writes and reads the same bytes.
import { createHash, randomBytes } from 'node:crypto';
import { compareRounds, describeRounds, startContenders, type Work } from './alternate.ts';
import type { Figure } from './figure.ts';
import type { Setup } from './setup.ts';

const atOnce = 4;
const rounds = 4;
const megabyte = 1_000_000;
const headers = { authorization: `Bearer ${'A'.repeat(43)}` };

type SentFile = { readonly body: Uint8Array<ArrayBuffer>; readonly sha256: string };

/** Files of one megabyte, so that files are megabytes. */
export async function measureFiles({ folder, sizes }: Setup): Promise<Figure[]> {
  const lists = Array.from({ length: rounds }, () =>
    Array.from({ length: sizes.files / rounds }, (): SentFile => {
      const body = Uint8Array.from(randomBytes(megabyte));
      return { body, sha256: createHash('sha256').update(body).digest('hex') };
    }),
  );
  const servers = await startContenders('fileProcess', (kind) => folder(`files-${kind}`));
  const upload: Work<SentFile> = async ({ url }, { body, sha256 }) => {
    const { status } = await fetch(`${url}/v1/files/${sha256}`, { method: 'PUT', headers, body });
    if (status !== 201) throw new Error(`an upload got ${status}`);
  };
  const download: Work<SentFile> = async ({ url }, { sha256 }) => {
    const { length } = await (await fetch(`${url}/v1/files/${sha256}`)).bytes();
    if (length !== megabyte) throw new Error('a download is incomplete');
  };
  try {
    const up = await compareRounds(servers, lists, upload, atOnce);
    const down = await compareRounds(servers, lists, download, atOnce);
    return [
      ...describeRounds('files of 1 MB: uploads', 'a bare server that neither hashes nor syncs', up),
      ...describeRounds('files of 1 MB: downloads', 'a bare server', down),
    ];
  } finally {
    await servers.close();
  }
}
