// How the pages are built: five documents, hashed assets, nothing inline, so that a strict policy can be served.
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const pages = ['index', 'market', 'leaderboard', 'treasury-dashboard', 'approve'];

/** `npm run web:dev` shows the pages of the sources over a market that runs already. */
const service = { target: 'http://127.0.0.1:4020', changeOrigin: true };

/** Painted before the first script has run, and then replaced by the same, alive. */
const frame = `<header class="masthead"><div class="frame"><a class="brand" href="/"><img src="/icon.svg" alt="" width="24"
height="24">svc</a><nav aria-label="Pages"><a href="/market.html">Market</a><a href="/leaderboard.html">Leaderboard</a><a
href="/treasury-dashboard.html">Treasury</a></nav></div></header><main class="frame"><p class="notice">Loading…</p></main>`;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), { name: 'frame', transformIndexHtml: (html) => html.replace('<!--frame-->', frame) }],
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
  server: { proxy: { '/api': service, '/v1': service, '/health': service, '/pages.json': service } },
});
