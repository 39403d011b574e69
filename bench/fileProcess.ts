// A server of files in a separate process: the routes of the gateway (`svc`), or a bare node:http server over a folder.
import { createReadStream, createWriteStream, fstatSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createFolderStore } from '#service/files/byteStore.ts';
import { createFileService, fileLimits } from '#service/files/uploads.ts';
import { createApp } from '#service/http/app.ts';
import { registerFileRoutes } from '#service/http/gateway/files.ts';
import type { SessionService } from '#service/sessions/walletSessions.ts';
import { createFileRows } from '#service/store/fileRows.ts';
import { migrate } from '#service/store/migrate.ts';
import { createSqliteDatabase } from '#service/store/sqlite.ts';
import { createWithheldStore } from '#service/store/withheld.ts';

const [kind, folder = ''] = process.argv.slice(2);
const wallet = `0x${'aa'.repeat(20)}` as const;
const silent = { level: 'error', debug: () => undefined, info: () => undefined, error: console.error };
const much = { bytes: Number.MAX_SAFE_INTEGER, files: Number.MAX_SAFE_INTEGER };

async function startOurs(): Promise<number> {
  const database = createSqliteDatabase(join(folder, 'svc.sqlite'));
  await migrate(database);
  const files = createFileService({
    rows: createFileRows(database, 'bench'),
    withheld: createWithheldStore(database),
    bytes: createFolderStore(join(folder, 'files')),
    incoming: join(folder, 'files', 'incoming'),
    standing: {
      loadTask: async () => ({ state: 'ACTIVE', isPrivate: false, parties: [wallet], endedAt: null }),
      loadConversation: async () => null,
      hasCollateral: async () => true,
    },
    maxBytes: much.bytes,
    now: () => Math.floor(Date.now() / 1_000),
    limits: {
      fileBytes: 25e6,
      perSubject: much,
      perWallet: much,
      uploads: { ...fileLimits.uploads, ofWallet: 32, inAll: 32, forEvidence: 0 },
    },
  });
  const app = createApp({ log: silent });
  const sessions = { find: async () => ({ wallet, expiresAt: 0 }) } as unknown as SessionService;
  registerFileRoutes(app, { files, sessions, publicUrl: () => 'http://127.0.0.1' });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

/** Writes and reads files, and does nothing else: no hash, no limits, no rows, no sync. */
async function startBare(): Promise<number> {
  const server = createServer(async (request, response) => {
    const path = join(folder, basename((request.url ?? '').split('?')[0] ?? ''));
    if (request.method === 'PUT') {
      await pipeline(request, createWriteStream(path));
      response.writeHead(201).end();
      return;
    }
    const fd = openSync(path, 'r');
    response.writeHead(200, { 'Content-Length': fstatSync(fd).size });
    createReadStream('', { fd }).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

process.send?.({ port: await (kind === 'svc' ? startOurs() : startBare()) });
process.on('disconnect', () => process.exit());
