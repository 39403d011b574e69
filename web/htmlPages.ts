// Vite plugin that builds the one document of the app, and writes it for each page in src/data/pageList.ts: its head, the bar,
// and what stands there until its script has run.
import { join } from 'node:path';
import type { Market } from '@svc/sdk/domain';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';
import { escapeHtml } from './docs/renderGuide.ts';
import { type PageEntry, pageList, pageNameOf, shapeBlocks, type View } from './src/data/pageList.ts';
import { Masthead } from './src/frame/Masthead.tsx';

const file = join(import.meta.dirname, 'index.html');

/** The input of the build; no such file exists. */
export const appFile = file;

/** What differs between the documents: each is the same app. */
const marks = { head: '<!--page-head-->', body: '<!--page-body-->' };

export function htmlPages(): Plugin {
  return {
    name: 'html-pages',
    enforce: 'pre',
    resolveId: (id) => (id === file ? id : undefined),
    load: (id) => (id === file ? document : undefined),
    // The development server would look for files.
    configureServer: ({ middlewares, transformIndexHtml }) => {
      middlewares.use(async (request, response, next) => {
        const path = new URL(request.url ?? '/', 'http://localhost').pathname;
        const name = pageNameOf(path);
        if (name === null) return next();
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.end(await transformIndexHtml(path, fill(document, name)));
      });
    },
    transformIndexHtml: {
      order: 'pre',
      // The template of the guides, a file, gets the same head and bar.
      handler: (html) =>
        html
          .replace('<!--head-->', () => writeHead())
          .replace('<!--masthead-->', () => writeMasthead('/docs')),
    },
    // After Vite has inserted the hashed names of script and style.
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const built = bundle['index.html'];
        if (built?.type !== 'asset') throw new Error('index.html was not built');
        const template = String(built.source);
        for (const name of Object.keys(pageList) as (keyof typeof pageList)[]) {
          const source = fill(template, name);
          if (name === 'index') built.source = source;
          else this.emitFile({ type: 'asset', fileName: `${name}.html`, source });
        }
      },
    },
  };
}

const document = `<!doctype html>
<html lang="en">
  <head>
    ${marks.head}
    <script type="module" src="/src/pages/screens.tsx"></script>
  </head>
  <body>
    ${marks.body}
  </body>
</html>
`;

/** The document of a page: its title and description, its first requests, and its first words. */
function fill(template: string, name: keyof typeof pageList): string {
  const page: PageEntry = pageList[name];
  const { title, description, otherWay = 'The same data is at /docs/api.', feeds = [] } = page;
  const views = Object.entries(page.views);
  const isOne = views.length === 1;
  const first = Object.fromEntries(
    views.flatMap(([view, { first: urls }]) => (urls.length === 0 ? [] : [[isOne ? 'any' : view, urls]])),
  );
  const main = views.map(([view, words]) => writeView(words, isOne ? '' : ` data-view="${view}"`));
  const head = `${writeHead(first)}
    <meta name="description" content="${escapeHtml(description)}" />
    <title>${escapeHtml(title)}</title>${feeds.map(writeFeedLink).join('')}`;
  const body = `<div id="root">${writeMasthead(`/${name}.html`)}<main class="page">${main.join('')}</main></div>
    <noscript>This page needs JavaScript. ${otherWay}</noscript>`;
  return template.replace(marks.head, () => head).replace(marks.body, () => body);
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
  return renderToStaticMarkup(createElement(Masthead, { current }));
}

/** The service puts the words of a public task in place of the mark. */
function writeView({ heading, lead, head, shape }: View, mark: string): string {
  const words =
    heading === ''
      ? '<!--task-->'
      : `<header class="${head}"><div><h1>${escapeHtml(heading)}</h1>${lead === '' ? '' : `<p class="lead">${escapeHtml(lead)}</p>`}</div></header>`;
  const blocks = '<i></i>'.repeat(shapeBlocks.length);
  return `<div class="first"${mark}>${words}<div class="skeleton" data-is="${shape}"><p>Loading…</p>${blocks}</div></div>`;
}
