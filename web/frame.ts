// What all documents have in common: the head, and the frame that is painted before the first script has run.

import { navigation } from '@svc/sdk/schemas';
import type { Plugin } from 'vite';

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

/** Replaced by the same, alive, once the page's script runs. */
const waiting = `${buildMasthead('')}<main class="frame"><p class="notice">Loading…</p></main>`;

const parts: Readonly<Record<string, string>> = {
  '<!--head-->': head,
  '<!--frame-->': waiting,
  '<!--masthead-->': buildMasthead('/docs'),
};

export function sharedFrame(): Plugin {
  return {
    name: 'shared-frame',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => Object.entries(parts).reduce((page, [mark, part]) => page.replace(mark, part), html),
    },
  };
}
