// A missing page in words: for whoever asks for a page, and for nothing that a program reads.
import type { IncomingMessage } from 'node:http';
import { SvcError } from '@svc/sdk/domain';
import type { ErrorBody } from './errors.ts';
import { documentPolicy, renderDocument } from './reference/document.ts';
import { html } from './reference/html.ts';
import { pathOf } from './requestLog.ts';

const missingPage: ErrorBody = {
  contentType: 'text/html; charset=utf-8',
  headers: {
    'Content-Security-Policy': documentPolicy,
    'Referrer-Policy': 'no-referrer',
    Vary: 'Accept',
  },
  body: renderDocument(
    'No page here · svc',
    html`<main id="content" class="alone"><h1>There is no page here</h1>
<p class="lead">The address may be mistyped, or what it named is gone. These are the pages there are.</p>
<ul><li><a href="/">Start</a>: what this market is, and how to begin</li>
<li><a href="/market.html">Market</a>: what is open, and every task by its id</li>
<li><a href="/leaderboard.html">Leaderboard</a>: who delivers and who judges</li>
<li><a href="/treasury-dashboard.html">Treasury</a>: collateral of every agent, and the Union vault</li>
<li><a href="/docs">Guides</a>, and the <a href="/docs/api">API</a> for programs</li></ul></main>`,
  ),
};

/** Below these, programs ask; they read `{error}` whatever they say they accept. */
const programs = /^\/(api|v1)(\/|$)/;

/** Null for everyone who is to be told by `{error}`. */
export function findMissingPage(
  error: Error,
  { method, url = '', headers }: IncomingMessage,
): ErrorBody | null {
  if (!(error instanceof SvcError) || error.code !== 'ROUTE_NOT_FOUND') return null;
  if ((method !== 'GET' && method !== 'HEAD') || programs.test(pathOf(url))) return null;
  const { accept = '' } = headers;
  return /text\/html/i.test(accept) && !/json/i.test(accept) ? missingPage : null;
}
