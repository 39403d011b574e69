// The web pages: built files, served from memory under a strict content security policy. Ours instead of @fastify/static,
// which does not compress, and whose documents would still need their policy, chain and task filled in.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, posix, relative, sep } from 'node:path';
import { type PublicChain, SvcError } from '@svc/sdk/domain';
import type { FastifyInstance } from 'fastify';
import { registerGet } from './app.ts';
import { type Body, buildBody, jsonType, sendBody } from './body.ts';
import { html } from './reference/document.ts';
import { fillHead, type TaskHead } from './taskHead.ts';

/** What a page must know of the server that sent it. */
type PagesInfo = {
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

export type PagesPlace = {
  /** Without it no page may make an outside request. */
  readonly walletConnect?: WalletConnect | null;
  /** Of the embedded chain alone, where pages offer a visitor's wallet with test money. */
  readonly embeddedRpcUrl?: string | undefined;
  /** Without it pages take the default one: see web/src/data/chain.ts. */
  readonly chain?: PagesChain;
};

export type Pages = {
  readonly place: () => PagesPlace;
  /**
   * By path, with or without `.html`, a folder by its index; a document with the head of one task or listing if given. Undefined where
   * nothing was built of that name.
   */
  readonly find: (path: string, head?: (TaskHead & { readonly picture: string }) | null) => Body | undefined;
  /** Reads what was built, in place of what was read before. */
  readonly load: (folder: string) => void;
};

export type PageRoutes = {
  readonly pages: Pages;
  readonly info: () => Promise<PagesInfo>;
  /** By the id in the address of a task's page; null where the general head stays. */
  readonly readTaskHead: (id: unknown) => Promise<TaskHead | null>;
  /** The same for a listing; only a gateway has them. */
  readonly readListingHead?: (id: unknown) => Promise<TaskHead | null>;
  /** Where others reach this server. */
  readonly publicUrl: () => string;
};

const documents = [
  '/',
  '/market.html',
  '/my.html',
  '/messages.html',
  '/notifications.html',
  '/leaderboard.html',
  '/agent.html',
  '/treasury-dashboard.html',
  '/wallet.html',
  '/approve.html',
  '/connections.html',
  '/docs',
  '/docs/',
];
/** Pages of earlier builds, and where what they showed is now. */
const movedPages = { '/tx.html': '/market.html', '/market-health.html': '/treasury-dashboard.html' };
const taskPath = '/market.html';
/** Of every link preview. */
const picturePath = '/preview.png';
const plainFiles = [
  '/icon.svg',
  picturePath,
  '/GEIST-OFL.txt',
  '/icon-192.png',
  '/icon-512.png',
  '/apple-touch-icon.png',
  '/manifest.webmanifest',
  '/early.js',
  '/notices.js',
  '/llms-full.txt',
];
const relay = 'wss://relay.walletconnect.org';

function buildPolicy({ walletConnect, embeddedRpcUrl }: PagesPlace): string {
  const rpcUrls = [walletConnect?.rpcUrl, embeddedRpcUrl].filter((url) => url !== undefined);
  const origins = rpcUrls.map((url) => new URL(url).origin);
  const outside = new Set(walletConnect ? [relay, ...origins] : origins);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Pages make blobs of pictures only after they have checked the bytes.
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...outside].join(' '),
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const shield = { 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' };
const documentType = 'text/html; charset=utf-8';

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};
const infoPath = '/pages.json';
const files = [...plainFiles, '/assets/:file', '/docs/:name', '/docs/:name/:file'];

/** Every URL that pages are served under; the API's contract describes none of them. */
export const pageUrls: readonly string[] = [...documents, ...Object.keys(movedPages), ...files, infoPath];

const unbuilt =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="3"><title>svc</title>' +
  '<p>The pages are being built. This page reloads until they are there, usually within half a minute. ' +
  'If this stays so, run npm run web:build and start again. The API is described at ' +
  '<a href="/docs/api">/docs/api</a>.</p></html>';

/** The place is asked for with the first document: where the chain is may be known later than the pages. */
export function createPages(place: Pages['place'] = () => ({})): Pages {
  let texts = new Map<string, string>();
  let bodies = new Map<string, Body>();
  const buildDocument = (text: string) =>
    buildBody(nameChain(text, place().chain), documentType, {
      'cache-control': 'no-cache',
      'content-security-policy': buildPolicy(place()),
      'cross-origin-opener-policy': 'same-origin',
      ...shield,
    });
  return {
    place,
    find: (path, head = null) => {
      const names = [path, `${path}.html`, posix.join(path, 'index.html')];
      const name = names.find((each) => texts.has(each) || bodies.has(each)) ?? path;
      const text = texts.get(name);
      if (text !== undefined && head !== null) return buildDocument(fillHead(text, head, head.picture));
      if (text !== undefined && !bodies.has(name)) bodies.set(name, buildDocument(text));
      return bodies.get(name);
    },
    load: (folder) => {
      texts = new Map();
      bodies = new Map();
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const file = join(entry.parentPath, entry.name);
        const path = `/${relative(folder, file).split(sep).join('/')}`;
        const contentType = contentTypes[extname(path)];
        if (extname(path) === '.html') texts.set(path, readFileSync(file, 'utf8'));
        else if (contentType !== undefined)
          bodies.set(path, buildBody(readFileSync(file), contentType, { ...cachingOf(path), ...shield }));
      }
    },
  };
}

function nameChain(page: string, chain: PagesChain | undefined): string {
  if (chain === undefined) return page;
  const { id, name, rpcUrl, explorerUrl } = chain;
  const content = JSON.stringify({ id, name, rpcUrl, explorerUrl });
  const tag = html`<meta name="svc-chain" content="${content}" />`;
  // A function, because a text would be searched for patterns such as $&.
  return page.replace('</head>', () => `${tag.html}</head>`);
}

export function registerPages(
  app: FastifyInstance,
  { pages, info, readTaskHead, readListingHead = async () => null, publicUrl }: PageRoutes,
): void {
  const readHead = async (query: unknown): Promise<TaskHead | null> => {
    const { task, listing } = query as { task?: unknown; listing?: unknown };
    if (task !== undefined) return readTaskHead(task);
    return listing === undefined ? null : readListingHead(listing);
  };
  for (const path of documents) {
    registerGet(app, path, async (request, reply) => {
      const head = path === taskPath ? await readHead(request.query) : null;
      const page = pages.find(path, head && { ...head, picture: `${publicUrl()}${picturePath}` });
      if (page !== undefined) return sendBody(request, reply, page);
      return reply
        .status(503)
        .headers({ 'Retry-After': '5', 'Content-Security-Policy': buildPolicy({}) })
        .type(documentType)
        .send(unbuilt);
    });
  }
  for (const [path, place] of Object.entries(movedPages))
    registerGet(app, path, async ({ url }, reply) =>
      reply.redirect(place + new URL(url, 'http://of').search, 308),
    );
  for (const url of files) {
    registerGet(app, url, async (request, reply) => {
      const [path = ''] = request.url.split('?', 1);
      const file = pages.find(path);
      if (file === undefined) throw new SvcError('ROUTE_NOT_FOUND', {});
      return sendBody(request, reply, file);
    });
  }
  registerGet(app, infoPath, async (request, reply) => {
    const { walletConnect, embeddedRpcUrl = null } = pages.place();
    const walletConnectProjectId = walletConnect?.projectId ?? null;
    const text = JSON.stringify({ ...(await info()), walletConnectProjectId, embeddedRpcUrl });
    return sendBody(request, reply, buildBody(text, jsonType, { 'cache-control': 'no-cache' }));
  });
}

/** Files below assets have their hash in their name and never change; all others are revalidated each time. */
function cachingOf(path: string) {
  const isHashed = path.startsWith('/assets/');
  return { 'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache' };
}
