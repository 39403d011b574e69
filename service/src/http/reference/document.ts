// What the documents that a server makes itself have in common: head, way back and policy.
import { createHash } from 'node:crypto';
import { navigation } from '@svc/sdk/schemas';
import { type Html, html } from './html.ts';
import { style } from './style.ts';

const styleHash = createHash('sha256').update(style).digest('base64');

/** Nothing may be loaded but the one style sheet that a document brings along. */
export const documentPolicy =
  `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'; ` +
  `frame-ancestors 'none'`;

export function renderDocument(title: string, body: Html, head: Html | null = null): string {
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,">${head}<style>${{ html: style }}</style></head>
<body><a class="skip" href="#content">Skip to the content</a>
<header><nav aria-label="Pages"><a href="/"><strong>svc</strong></a>
${navigation.map(([href, name]) => html`<a href="${href}">${name}</a>`)}</nav></header>
${body}</body></html>
`;
  return page.html;
}
