// The web pages: static files served from memory under a strict content security policy. Ours instead of @fastify/static:
// the files are few, compressed once, and share the caching of every other reply.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, posix, relative, sep } from 'node:path';
import { type PublicChain, SvcError } from '@svc/sdk/domain';
import type { FastifyInstance } from 'fastify';
import { type HeadLinesOf, send } from './reads.ts';
import { html } from './reference/document.ts';
import { buildReply, createJsonKind, createReplyKind, type Reply } from './reply.ts';
import { fillHead, type TaskHead } from './taskHead.ts';

/** What a page must know of the server that sent it. */
export type PagesInfo = {
  /** Whether the gateway's routes are on the same port. */
  readonly isGateway: boolean;
  /** Where they are otherwise, if anywhere. */
  readonly gatewayUrl: string | null;
  /** For approximate figures; null where the oracle has no good price. */
  readonly tokUsdPrice: number | null;
  /** Mail or web address for reports about files and texts. */
  readonly abuseContact: string | null;
};

/** Lets pages reach WalletConnect's relay, and the chain where a wallet elsewhere cannot be asked to read it. */
export type WalletConnect = { readonly projectId: string; readonly rpcUrl: string };

/** What pages tell a wallet about the chain of the market. */
export type PagesChain = PublicChain & { readonly id: number };

export type Pages = {
  /** Null where no page may make an outside request. */
  readonly walletConnect: () => WalletConnect | null;
  /** Of the embedded chain, where pages offer a visitor's wallet with test money; null on every other chain. */
  readonly embeddedRpcUrl: () => string | null;
  /** By path, with or without `.html`, a folder by its index; undefined where nothing was built of that name. */
  readonly find: (path: string) => Reply | undefined;
  /** A document with the head of one task. */
  readonly findWithHead: (path: string, head: TaskHead) => Reply | undefined;
  /** Reads what was built, in place of what was read before. */
  readonly load: (folder: string) => void;
};

export type PageRoutes = {
  readonly pages: Pages;
  readonly info: () => Promise<PagesInfo>;
  /** By the id in the address of a task's page; null where the general head stays. */
  readonly readTaskHead: (id: unknown) => Promise<TaskHead | null>;
  readonly context: { readonly headLines: HeadLinesOf };
};

const documents = [
  '/',
  '/market.html',
  '/my.html',
  '/messages.html',
  '/leaderboard.html',
  '/agent.html',
  '/tx.html',
  '/treasury-dashboard.html',
  '/market-health.html',
  '/approve.html',
  '/docs',
  '/docs/',
];
const taskPath = '/market.html';
const plainFiles = ['/icon.svg', '/early.js'];

const relay = 'wss://relay.walletconnect.org';

function buildPolicy(walletConnect: WalletConnect | null, embeddedRpcUrl: string | null): string {
  const rpcUrls = [walletConnect?.rpcUrl ?? null, embeddedRpcUrl].filter((url) => url !== null);
  const outside = new Set([
    ...(walletConnect === null ? [] : [relay]),
    ...rpcUrls.map((url) => new URL(url).origin),
  ]);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Pages make blobs of pictures only after they have checked the bytes.
    "img-src 'self' data: blob:",
    ["connect-src 'self'", ...outside].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const shield = { 'Referrer-Policy': 'no-referrer', 'X-Frame-Options': 'DENY' };
const documentType = 'text/html; charset=utf-8';

function createDocumentKind(walletConnect: WalletConnect | null, embeddedRpcUrl: string | null) {
  return createReplyKind(documentType, 'no-cache', {
    'Content-Security-Policy': buildPolicy(walletConnect, embeddedRpcUrl),
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...shield,
  });
}
const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
};
const infoKind = createJsonKind('no-cache');
const infoPath = '/pages.json';
const files = [...plainFiles, '/assets/:file', '/docs/:name', '/docs/:name/:file'];

/** Every URL that pages are served under; the API's contract describes none of them. */
export const pageUrls: readonly string[] = [...documents, ...files, infoPath];

const unbuilt =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="3"><title>svc</title>' +
  '<p>The pages are being built. This page reloads until they are there, usually within half a minute. ' +
  'If this stays so, run npm run web:build and start again. The API is described at ' +
  '<a href="/docs/api">/docs/api</a>.</p></html>';

/** What is given is asked when the first document is: where the chain is may be known later than the pages. */
export function createPages(
  walletConnect: Pages['walletConnect'] = () => null,
  embeddedRpcUrl: Pages['embeddedRpcUrl'] = () => null,
  chain: PagesChain | null = null,
): Pages {
  let built = new Map<string, Reply | string>();
  let documentTexts = new Map<string, string>();
  const buildDocument = (text: string) =>
    buildReply(nameChain(text, chain), createDocumentKind(walletConnect(), embeddedRpcUrl()));
  return {
    walletConnect,
    embeddedRpcUrl,
    find: (path) => {
      const name =
        [path, `${path}.html`, posix.join(path, 'index.html')].find((each) => built.has(each)) ?? path;
      const found = built.get(name);
      if (typeof found !== 'string') return found;
      const reply = buildDocument(found);
      built.set(name, reply);
      return reply;
    },
    findWithHead: (path, head) => {
      const text = documentTexts.get(path);
      return text === undefined ? undefined : buildDocument(fillHead(text, head));
    },
    load: (folder) => {
      built = new Map(readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap(readEntry));
      documentTexts = new Map(
        [...built].flatMap(([path, page]) => (typeof page === 'string' ? [[path, page]] : [])),
      );

      function readEntry(entry: {
        isFile(): boolean;
        parentPath: string;
        name: string;
      }): (readonly [string, Reply | string])[] {
        if (!entry.isFile()) return [];
        const file = join(entry.parentPath, entry.name);
        const path = `/${relative(folder, file).split(sep).join('/')}`;
        if (extname(path) === '.html') return [[path, readFileSync(file, 'utf8')]];
        const kind = kindOf(path);
        return kind === undefined ? [] : [[path, buildReply(readFileSync(file), kind)]];
      }
    },
  };
}

/** Without a chain the page takes the default one: see web/src/data/chain.ts. */
function nameChain(page: string, chain: PagesChain | null): string {
  if (chain === null) return page;
  const { id, name, rpcUrl, explorerUrl } = chain;
  const content = JSON.stringify({ id, name, rpcUrl, explorerUrl });
  const tag = html`<meta name="svc-chain" content="${content}" />`;
  // A function, because a text would be searched for patterns such as $&.
  return page.replace('</head>', () => `${tag.html}</head>`);
}

export function registerPages(
  app: FastifyInstance,
  { pages, info, readTaskHead, context }: PageRoutes,
): void {
  const method = ['GET', 'HEAD'];
  for (const path of documents) {
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const { task } = request.query as { task?: unknown };
        const head = path === taskPath && task !== undefined ? await readTaskHead(task) : null;
        const page = head === null ? pages.find(path) : pages.findWithHead(path, head);
        if (page !== undefined) return send(request, reply, context.headLines, page);
        return reply
          .status(503)
          .headers({
            'Cache-Control': 'no-store',
            'Retry-After': '5',
            'Content-Security-Policy': buildPolicy(null, null),
          })
          .type(documentType)
          .send(unbuilt);
      },
    });
  }
  for (const url of files) {
    app.route({
      method,
      url,
      handler: async (request, reply) => {
        const [path = ''] = request.url.split('?', 1);
        const file = pages.find(path);
        if (file === undefined) throw new SvcError('ROUTE_NOT_FOUND', {});
        send(request, reply, context.headLines, file);
      },
    });
  }
  app.route({
    method,
    url: infoPath,
    handler: async (request, reply) => {
      const walletConnectProjectId = pages.walletConnect()?.projectId ?? null;
      const embeddedRpcUrl = pages.embeddedRpcUrl();
      const text = JSON.stringify({ ...(await info()), walletConnectProjectId, embeddedRpcUrl });
      send(request, reply, context.headLines, buildReply(text, infoKind));
    },
  });
}

/** Files below assets have their hash in their name and never change; all others are revalidated each time. */
function kindOf(path: string) {
  const contentType = contentTypes[extname(path)];
  if (contentType === undefined) return undefined;
  const caching = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  return createReplyKind(contentType, caching, shield);
}
