// A relay in a separate process: the routes of the gateway (`svc`), or a bare node:http server that stores a body with one
// INSERT, sends a page that it keeps, and holds streams open. A token is the address of its wallet.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { zeroAddress } from 'viem';
import { createApp } from '#service/http/app.ts';
import { registerMailboxRoutes } from '#service/http/gateway/mailbox.ts';
import { registerMessageRoutes } from '#service/http/gateway/messages.ts';
import { createMetrics } from '#service/http/metrics.ts';
import { createRelay } from '#service/relay/acceptMessage.ts';
import { createMailboxService } from '#service/relay/mailbox.ts';
import { createMailFeed } from '#service/relay/mailFeed.ts';
import type { SessionService } from '#service/sessions/walletSessions.ts';
import { createConversationListStore } from '#service/store/conversationList.ts';
import { createConversationStore, mailChannel } from '#service/store/conversations.ts';
import { createMailboxStore } from '#service/store/mailboxes.ts';
import { migrate } from '#service/store/migrate.ts';
import { createPostgresDatabase } from '#service/store/postgres.ts';
import { createSqliteDatabase } from '#service/store/sqlite.ts';

const [kind, folder = ''] = process.argv.slice(2);
const silent = { level: 'error', debug: () => undefined, info: () => undefined, error: console.error };
const { DATABASE_URL } = process.env;
const openDatabase = () =>
  DATABASE_URL === undefined ? createSqliteDatabase(folder) : createPostgresDatabase({ url: DATABASE_URL });
const seconds = () => Math.floor(Date.now() / 1_000);

async function startOurs(): Promise<number> {
  const database = openDatabase();
  await migrate(database);
  const store = createMailboxStore(database);
  const relay = createRelay({
    store: createConversationStore(database),
    standing: {
      findStanding: async () => ({ kind: 'shared' }),
      loadShared: async () => [],
      isInDispute: async () => false,
      hasProposed: async () => false,
    },
    isBlocked: store.isBlocked,
    contracts: { verify: async () => false, hasCode: async () => false },
    key: `0x${'07'.repeat(32)}`,
    registries: {
      chainId: 8_453,
      contracts: { standard: { taskRegistry: zeroAddress }, micro: { taskRegistry: zeroAddress } },
    },
    now: seconds,
    clock: seconds,
    block: () => 1,
  });
  const sessions = {
    find: async (token: string) => (token === '' ? null : { wallet: token, expiresAt: 2 ** 40 }),
  } as unknown as SessionService;
  const mailFeed = await createMailFeed({
    loadPositions: store.loadPositions,
    listen: (onNotice) => database.listen(mailChannel, onNotice),
  });
  const app = createApp({ log: silent, trustedProxies: ['127.0.0.1'] });
  const mailboxes = createMailboxService(store, createConversationListStore(database), seconds);
  registerMessageRoutes(app, { sessions, relay });
  registerMailboxRoutes(app, { sessions, mailboxes, mailFeed, metrics: createMetrics(), log: silent });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

async function startBare(): Promise<number> {
  const database = openDatabase();
  await database.write('CREATE TABLE message (wire TEXT NOT NULL)', []);
  let page: Promise<string> | null = null;
  const loadPage = async () =>
    JSON.stringify({ messages: await database.query('SELECT wire FROM message LIMIT 20', []) });
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      await database.write('INSERT INTO message (wire) VALUES ($1)', [(await buffer(request)).toString()]);
      response.writeHead(202, { 'Content-Type': 'application/json' }).end('{}');
    } else if (request.url?.startsWith('/v1/mailbox/events')) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(':\n\n');
    } else {
      page ??= loadPage();
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(await page);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

process.send?.({ port: await (kind === 'svc' ? startOurs() : startBare()) });
process.on('disconnect', () => process.exit());
