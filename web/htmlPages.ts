// Vite plugin that writes the document of each page in src/data/pageList.ts: its head, the frame, and what stands there
// until its script has run.
import { join } from 'node:path';
import type { Market } from '@svc/sdk/domain';
import { navigation } from '@svc/sdk/internal/schemas/pageFrame';
import type { Plugin } from 'vite';
import { escapeHtml } from './docs/renderGuide.ts';
import { type PageEntry, pageList, shapeBlocks, type View } from './src/data/pageList.ts';

const fileOf = (name: string) => join(import.meta.dirname, `${name}.html`);

/** The inputs of the build; no such files exist. */
export const htmlFiles: readonly string[] = Object.keys(pageList).map(fileOf);

export function htmlPages(): Plugin {
  const written = new Map(Object.entries(pageList).map(([name, page]) => [fileOf(name), write(name, page)]));
  return {
    name: 'html-pages',
    enforce: 'pre',
    resolveId: (id) => (written.has(id) ? id : undefined),
    load: (id) => written.get(id),
    // The development server would look for files.
    configureServer: ({ middlewares, transformIndexHtml }) => {
      middlewares.use(async (request, response, next) => {
        const path = new URL(request.url ?? '/', 'http://localhost').pathname;
        const html = written.get(fileOf(path === '/' ? 'index' : path.slice(1).replace(/\.html$/, '')));
        if (html === undefined) return next();
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.end(await transformIndexHtml(path, html));
      });
    },
    transformIndexHtml: {
      order: 'pre',
      // The template of the guides, a file, gets the same head and frame.
      handler: (html) =>
        html
          .replace('<!--head-->', () => writeHead())
          .replace('<!--masthead-->', () => writeMasthead('/docs')),
    },
  };
}

function write(name: string, page: PageEntry): string {
  const { script, description, otherWay = 'The same data is at /docs/api.', feeds = [] } = page;
  const views = Object.entries(page.views);
  const isOne = views.length === 1;
  const title = page.title ?? `${views[0]?.[1].heading} · svc`;
  const first = Object.fromEntries(
    views.flatMap(([view, { first: urls }]) => (urls.length === 0 ? [] : [[isOne ? 'any' : view, urls]])),
  );
  const main = views.map(([view, words]) => writeView(words, isOne ? '' : ` data-view="${view}"`));
  return `<!doctype html>
<html lang="en">
  <head>
    ${writeHead(first)}
    <meta name="description" content="${escapeHtml(description)}" />
    <title>${escapeHtml(title)}</title>${feeds.map(writeFeedLink).join('')}
    <script type="module" src="/src/pages/${script}.tsx"></script>
  </head>
  <body>
    <div id="root">${writeMasthead(`/${name}.html`)}<main class="frame">${main.join('')}</main></div>
    <noscript>This page needs JavaScript. ${otherWay}</noscript>
  </body>
</html>
`;
}

function writeFeedLink(market: Market): string {
  const href = `/api/market/feed?market=${market}`;
  return `
    <link rel="alternate" type="application/atom+xml" title="Open tasks, ${market} market" href="${href}" />`;
}

function writeHead(first: Readonly<Record<string, readonly string[]>> = {}): string {
  const requests =
    Object.keys(first).length === 0 ? '' : ` data-first="${escapeHtml(JSON.stringify(first))}"`;
  return `<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="/icon.svg" type="image/svg+xml" />
    <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
    <link rel="manifest" href="/manifest.webmanifest" />
    <script src="/early.js"${requests}></script>`;
}

function writeMasthead(current: string): string {
  const links = navigation.map(([href, name]) => {
    const mark = href === current ? ' aria-current="page"' : '';
    return `<a href="${href}"${mark}>${name}</a>`;
  });
  return `<header class="masthead"><div class="frame"><a class="brand" href="/"><img src="/icon.svg" alt="" width="24"
height="24">svc</a><nav aria-label="Pages">${links.join('')}</nav><div class="tools"></div></div></header>`;
}

/** The service puts the words of a public task in place of the mark. */
function writeView({ heading, lead, head, shape }: View, mark: string): string {
  const words =
    heading === ''
      ? '<!--task-->'
      : `<header class="${head}"><div><h1>${escapeHtml(heading)}</h1><p class="lead">${escapeHtml(lead)}</p></div></header>`;
  const blocks = '<i></i>'.repeat(shapeBlocks.length);
  return `<div class="first"${mark}>${words}<div class="skeleton" data-is="${shape}"><p>Loading…</p>${blocks}</div></div>`;
}
