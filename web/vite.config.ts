// Builds the pages: ten documents with hashed assets and nothing inline, so that a strict content security policy holds.
import { join } from 'node:path';
import { navigation } from '@svc/sdk/schemas';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { docsPages } from './docs/guidePages.ts';

const pages = [
  'index',
  'market',
  'my',
  'messages',
  'leaderboard',
  'agent',
  'tx',
  'treasury-dashboard',
  'approve',
  'docs',
];

/** `npm run web:dev` serves the pages from source and asks a running market for data and built guides. */
const service = { target: 'http://127.0.0.1:4020', changeOrigin: true };
const served = ['/api', '/v1', '/health', '/pages.json', '/docs'];

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['@svc/source', ...defaultClientConditions] },
  plugins: [react(), sharedFrame(), earlyClient(), docsPages()],
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rollupOptions: {
      input: pages.map((page) => join(import.meta.dirname, `${page}.html`)),
    },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, service])) },
});

const head = `<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="/icon.svg" type="image/svg+xml" />
    <script src="/theme.js"></script>`;

function buildMasthead(current: string): string {
  const links = navigation.map(([href, name]) => {
    const mark = href === current ? ' aria-current="page"' : '';
    return `<a href="${href}"${mark}>${name}</a>`;
  });
  return `<header class="masthead"><div class="frame"><a class="brand" href="/"><img src="/icon.svg" alt="" width="24"
height="24">svc</a><nav aria-label="Pages">${links.join('')}</nav><div class="tools"></div></div></header>`;
}

/** Shown until the page's script has run. */
const placeholder = `${buildMasthead('')}<main class="frame"><p class="notice">Loading…</p></main>`;

const parts: Readonly<Record<string, string>> = {
  '<!--head-->': head,
  '<!--frame-->': placeholder,
  '<!--masthead-->': buildMasthead('/docs'),
};

/** Fills in what all documents share: the head, and a frame that is visible before the first script has run. */
function sharedFrame(): Plugin {
  return {
    name: 'shared-frame',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => Object.entries(parts).reduce((page, [mark, part]) => page.replace(mark, part), html),
    },
  };
}

/** Every page asks the service at once: its client loads beside the first script, not after it. */
function earlyClient(): Plugin {
  return {
    name: 'early-client',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {}, filename }) => {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const client = chunks.find(({ name }) => name === 'marketClient');
        if (client === undefined || filename.endsWith('/docs.html')) return [];
        return [client.fileName, ...client.imports].map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', href: `/${file}` },
          injectTo: 'head' as const,
        }));
      },
    },
  };
}
