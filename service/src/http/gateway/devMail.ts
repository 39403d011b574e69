// /dev/mail: the e-mails that an embedded market would have sent, for its own machine only.
import { isIP } from 'node:net';
import { SvcError } from '@svc/sdk/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MailCatcher } from '../../notify/mailer.ts';
import { registerGet } from '../app.ts';
import { html } from '../reference/document.ts';

export type DevMailRoutes = {
  /** Null where e-mails are sent, or none are. */
  readonly mailCatcher: Pick<MailCatcher, 'list'> | null;
};

const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

export function registerDevMail(app: FastifyInstance, { mailCatcher }: DevMailRoutes): void {
  if (mailCatcher === null) return;
  registerGet(app, '/dev/mail', async (request, reply) => {
    requireLocal(request);
    const mails = mailCatcher.list().map(
      ({ to, subject, at, html: mail }) => html`<article aria-label="${subject}">
<p>To ${to}, ${new Date(at * 1_000).toLocaleTimeString('en-GB')}</p>${{ html: bodyOf(mail) }}</article>`,
    );
    const none = html`<p>There is no mail yet. Add an e-mail address on the page
<a href="/notifications.html">Notifications</a>, and its confirmation appears here.</p>`;
    const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5"><title>E-mails of this market</title>
<style>body{max-width:720px;margin:0 auto;padding:24px;font:16px/1.5 system-ui,sans-serif;color-scheme:light dark}
article{margin:24px 0;border:1px solid #8886;border-radius:8px;overflow:hidden}article>p{margin:8px 16px}@media(max-width:600px){body{padding:12px}}</style></head>
<body><h1>E-mails of this market</h1><p>The embedded market sends no e-mail. This page shows what it would have sent, newest first.
It is kept in memory and shown on this machine only.</p>
${mails.length === 0 ? none : mails}</body></html>`;
    return reply
      .header('Content-Security-Policy', policy)
      .header('Cache-Control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page.html);
  });
}

/** What a reader of the mail sees, with the looks of its body. Our own markup: everything of others in it is escaped. */
function bodyOf(mail: string): string {
  return mail.replace(/^.*<body/s, '<div').replace(/<\/body>.*$/s, '</div>');
}

const localNames = ['localhost', '127.0.0.1', '[::1]'];

/** Neither another machine, nor one behind a proxy, nor a name that somebody else leads here. */
function requireLocal({ socket, headers, host }: FastifyRequest): void {
  const from = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const isLoopback = isIP(from) === 4 ? from.startsWith('127.') : from === '::1';
  const isNamed = localNames.includes(host.replace(/:[0-9]+$/, ''));
  if (!isLoopback || !isNamed || headers['x-forwarded-for'] !== undefined)
    throw new SvcError('ROUTE_NOT_FOUND', {});
}
