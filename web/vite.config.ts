// How the pages are built: six documents, hashed assets, nothing inline, so that a strict policy can be served.
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { docsPages } from './docs/plugin.ts';
import { sharedFrame } from './frame.ts';

const pages = ['index', 'market', 'leaderboard', 'treasury-dashboard', 'approve', 'docs'];

/** `npm run web:dev` shows the pages of the sources over a market that runs already; guides come as they were built. */
const service = { target: 'http://127.0.0.1:4020', changeOrigin: true };
const served = ['/api', '/v1', '/health', '/pages.json', '/docs'];

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['@svc/source', ...defaultClientConditions] },
  plugins: [react(), sharedFrame(), docsPages()],
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
