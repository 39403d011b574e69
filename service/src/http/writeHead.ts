// Writes the head of an answer that is ready as text. `ServerResponse.writeHead` checks every name and value again for
// each answer, which costs more than finding the answer; a test compares the output of both ways.
import { ServerResponse, STATUS_CODES } from 'node:http';

/** Lines of a head, each with its line end: `Name: value`. */
export type HeadLines = string;

/** What Node keeps the head in until the first byte of the body is sent. */
type Internals = { _header: string; _hasBody: boolean };

const statusLines = { 200: statusLine(200), 304: statusLine(304) };
let second = 0;
let date = '';

/** `lines` must say Content-Length where a body follows. */
export function writeHead(response: ServerResponse, status: 200 | 304, lines: HeadLines): void {
  if (!isUsual(response)) {
    response.writeHead(status, parseLines(lines));
    return;
  }
  response.statusCode = status;
  const internals = response as unknown as Internals;
  if (status === 304) internals._hasBody = false;
  internals._header = `${statusLines[status]}${lines}Date: ${formatDate()}\r\nConnection: keep-alive\r\n\r\n`;
}

/** A connection that stays open, and nobody's own kind of response, which may want to see its headers. */
function isUsual(response: ServerResponse): boolean {
  const { shouldKeepAlive, req } = response;
  return shouldKeepAlive && req.httpVersionMinor === 1 && response.constructor === ServerResponse;
}

export function formatLines(headers: Readonly<Record<string, string>>): HeadLines {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

function statusLine(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
}

function formatDate(): string {
  const now = Math.floor(Date.now() / 1_000);
  if (now !== second) {
    second = now;
    date = new Date(now * 1_000).toUTCString();
  }
  return date;
}

/** Names and values in turn. */
function parseLines(lines: HeadLines): string[] {
  return lines
    .split('\r\n')
    .slice(0, -1)
    .flatMap((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    });
}
