// /dev/mail: the e-mails that an embedded market would have sent, for its own machine only.
import { isIP } from 'node:net';
import { SvcError } from '@svc/sdk/domain';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MailCatcher } from '#notify/mailer.ts';
import { registerGet } from '../app.ts';
import { html } from '../reference/document.ts';

export type DevMailRoutes = {
  /** Null where e-mails are sent, or none are. */
  readonly mailCatcher: Pick<MailCatcher, 'list'> | null;
};

export const devMailUrls: readonly string[] = ['/dev/mail', '/dev/mail/:id'];

const documentType = 'text/html; charset=utf-8';
const listPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'";
const mailPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";

export function registerDevMail(app: FastifyInstance, { mailCatcher }: DevMailRoutes): void {
  if (mailCatcher === null) return;
  registerGet(app, '/dev/mail', async (request, reply) => {
    requireLocal(request);
    const mails = mailCatcher.list().map(
      ({ id, to, subject, at }) => html`<article><h2>${subject}</h2>
<p>To ${to}, ${new Date(at * 1_000).toLocaleTimeString('en-GB')}</p>
<iframe src="/dev/mail/${id}" title="${subject}"></iframe></article>`,
    );
    const none = html`<p>There is no mail yet. Add an e-mail address on the page
<a href="/notifications.html">Notifications</a>, and its confirmation appears here.</p>`;
    const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5"><title>E-mails of this market</title>
<style>body{max-width:720px;margin:0 auto;padding:24px;font:16px/1.5 system-ui,sans-serif;color-scheme:light dark}
article{margin:24px 0;border:1px solid #8886;border-radius:8px;padding:0 16px 16px}h2{font-size:17px;margin:16px 0 0}
p{margin:0 0 12px}iframe{width:100%;height:500px;border:0;background:#fff;border-radius:4px}@media(max-width:600px){body{padding:12px}iframe{height:680px}}</style></head>
<body><h1>E-mails of this market</h1><p>The embedded market sends no e-mail. This page shows what it would have sent, newest first.
It is kept in memory and shown on this machine only.</p>
${mails.length === 0 ? none : mails}</body></html>`;
    return reply
      .header('Content-Security-Policy', listPolicy)
      .header('Cache-Control', 'no-store')
      .type(documentType)
      .send(page.html);
  });

  registerGet(app, '/dev/mail/:id', async (request, reply) => {
    requireLocal(request);
    const { id } = request.params as { id: string };
    const mail = mailCatcher.list().find((one) => one.id === id);
    if (mail === undefined) throw new SvcError('ROUTE_NOT_FOUND', {});
    // Links open in the window, not in the frame of the list.
    const page = mail.html.replace('<head>', '<head><base target="_top">');
    return reply
      .header('Content-Security-Policy', mailPolicy)
      .header('Cache-Control', 'no-store')
      .type(documentType)
      .send(page);
  });
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
