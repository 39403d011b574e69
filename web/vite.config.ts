// Builds the pages: documents with hashed assets and nothing inline, so that a strict content security policy holds.
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { docsPages } from './docs/guidePages.ts';
import { appFile, htmlPages } from './htmlPages.ts';

/** `npm run web:dev` serves the pages from source and asks a running market for data and built guides. */
const service = { target: 'http://127.0.0.1:4020', changeOrigin: true };
const served = ['/api', '/v1', '/health', '/pages.json', '/docs'];

export default defineConfig({
  root: import.meta.dirname,
  resolve: { conditions: ['@svc/source', ...defaultClientConditions] },
  plugins: [react(), htmlPages(), earlyClient(), docsPages()],
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rollupOptions: {
      input: [appFile, join(import.meta.dirname, 'docs.html')],
      // Browsers open six connections: many small files cost more round trips than bytes that a page does not need.
      output: { experimentalMinChunkSize: 20_000, manualChunks: chunkOf },
    },
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, service])) },
});

/**
 * What every page needs, in two scripts; left alone, the schemas would be spread over a dozen that pages load one by one. The
 * ABIs apart, which no page needs at first: left alone, they would be put beside any small file that all pages load.
 */
function chunkOf(id: string): string | undefined {
  if (/node_modules\/(react|react-dom|scheduler)\//.test(id)) return 'react';
  if (id.includes('/contracts/generated/')) return 'abis';
  return id.includes('/sdk/src/schemas/') ? 'schemas' : undefined;
}

/** Every page asks the service at once: its client loads beside the first script, not after it. */
function earlyClient(): Plugin {
  return {
    name: 'early-client',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {}, filename }) => {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const client = chunks.find(({ name }) => name === 'marketClient');
        if (client === undefined || filename.endsWith('/docs.html')) return [];
        const files = [client.fileName, ...client.imports].filter((file) => !html.includes(file));
        return files.map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
          injectTo: 'head' as const,
        }));
      },
    },
  };
}
