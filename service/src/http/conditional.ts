// Sends a ready reply: not modified, compressed or plain, with or without its body.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isCurrent, type ReadyReply, type ReplyForm, takeForm } from './readyReply.ts';
import type { Stamp } from './stamp.ts';
import { writeHead } from './writeHead.ts';

export function sendReady(
  request: IncomingMessage,
  response: ServerResponse,
  reply: ReadyReply,
  stamp: Stamp,
  requestId: string,
): void {
  const form = takeForm(reply, request.headers['accept-encoding'] as string | undefined);
  if (form instanceof Promise) {
    form.then(
      (ready) => sendForm(request, response, reply, ready, stamp, requestId),
      () => response.destroy(),
    );
  } else sendForm(request, response, reply, form, stamp, requestId);
}

function sendForm(
  request: IncomingMessage,
  response: ServerResponse,
  reply: ReadyReply,
  form: ReplyForm,
  stamp: Stamp,
  requestId: string,
): void {
  const match = request.headers['if-none-match'];
  if (match !== undefined && isCurrent(reply, match)) {
    writeHead(response, 304, stamp(requestId) + form.notModifiedHead);
    response.end();
    return;
  }
  writeHead(response, 200, stamp(requestId) + form.head);
  response.end(request.method === 'HEAD' ? undefined : form.body);
}
