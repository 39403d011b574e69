// Uploads and downloads of files, beside a bare Node server that writes and reads the same bytes.
import { createHash, randomBytes } from 'node:crypto';
import type { Figure } from './figure.ts';
import { nextMessage, startNode, stopProcess } from './processes.ts';
import type { Setup } from './setup.ts';

const concurrency = 4;
const megabyte = 1_000_000;

type Rates = { readonly up: number; readonly down: number };

/** Megabytes a second, of files of one megabyte. */
export async function measureFiles({ folder, sizes }: Setup): Promise<Figure[]> {
  const count = sizes.files;
  const bodies = Array.from({ length: count }, () => Uint8Array.from(randomBytes(megabyte)));
  const files = bodies.map((body) => ({ body, sha256: createHash('sha256').update(body).digest('hex') }));

  async function measure(kind: 'svc' | 'bare'): Promise<Rates> {
    const child = startNode('bench/fileProcess.ts', {
      place: 'server',
      args: [kind, folder(`files-${kind}`)],
    });
    const { port } = await nextMessage<{ port: number }>(child);
    const url = (sha256: string) => `http://127.0.0.1:${port}/v1/files/${sha256}`;
    const headers = { authorization: `Bearer ${'A'.repeat(43)}` };
    const up = await time(files, async ({ body, sha256 }) => {
      const { status } = await fetch(url(sha256), { method: 'PUT', headers, body });
      if (status !== 201) throw new Error(`an upload got ${status}`);
    });
    const down = await time(files, async ({ sha256 }) => {
      const bytes = new Uint8Array(await (await fetch(url(sha256))).arrayBuffer());
      if (bytes.length !== megabyte) throw new Error('a download is incomplete');
    });
    await stopProcess(child);
    return { up, down };
  }

  const bare = await measure('bare');
  const ours = await measure('svc');
  return [
    { name: 'files of 1 MB: uploads', value: ours.up, unit: 'perSecond' },
    {
      name: 'files of 1 MB: uploads, ratio to a bare server that neither hashes nor syncs',
      value: ours.up / bare.up,
      unit: 'ratio',
    },
    { name: 'files of 1 MB: downloads', value: ours.down, unit: 'perSecond' },
    { name: 'files of 1 MB: downloads, ratio to a bare server', value: ours.down / bare.down, unit: 'ratio' },
  ];
}

/** How many a second, with a few at once. */
async function time<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  const queue = items.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const item of queue) await work(item);
    }),
  );
  return items.length / ((performance.now() - startedAt) / 1_000);
}
