// A real SMTP server that keeps what it gets, parsed as far as tests look at it.
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export type ReceivedMail = {
  readonly to: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parts, decoded: text and HTML. */
  readonly text: string;
  readonly html: string;
};

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/**
 * `refuse` gives the code of an answer to a recipient, or null to take the mail; `received` is of a server before it. A mail is
 * accepted once `accept` resolves.
 */
export async function startMailServer(
  refuse: (address: string) => number | null = () => null,
  port = 0,
  received: ReceivedMail[] = [],
  accept: () => Promise<void> = async () => undefined,
) {
  let onMail = (): void => undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, done) => {
      const code = refuse(address);
      if (code === null) return done();
      done(Object.assign(new Error(`<${address}> is refused`), { responseCode: code }));
    },
    onData: (stream, { envelope }, done) => {
      text(stream).then((raw) => {
        received.push(parseMail(envelope.rcptTo[0]?.address ?? '', raw));
        onMail();
        accept().then(() => done());
      }, done);
    },
  });
  // A sender that is killed in the middle is no mistake.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    port: (server.server.address() as AddressInfo).port,
    received,
    /** Resolves with the next mail, while the sender waits for the answer or has just got it. */
    take: () =>
      new Promise<void>((resolve) => {
        onMail = resolve;
      }),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function parseMail(to: string, raw: string): ReceivedMail {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const headers = parseHeaders(head);
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const parts = rest.join('\r\n\r\n').split(`--${boundary}`).slice(1, -1);
  const find = (type: string) => {
    const part = parts.find((one) => one.includes(`Content-Type: ${type}`)) ?? '';
    const [partHead = '', ...body] = part.trimStart().split('\r\n\r\n');
    return decode(parseHeaders(partHead)['content-transfer-encoding'] ?? '', body.join('\r\n\r\n'));
  };
  return { to, headers, text: find('text/plain'), html: find('text/html') };
}

function parseHeaders(head: string): Record<string, string> {
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), decodeWords(line.slice(at + 1).trim())];
    }),
  );
}

/** RFC 2047, in UTF-8. */
function decodeWords(value: string): string {
  return value
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, how: string, word: string) =>
      how.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('latin1')
        : decodeQuoted(word.replaceAll('_', ' ')),
    )
    .replace(/[\u0080-\u00ff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'));
}

function decode(how: string, body: string): string {
  if (how === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (how !== 'quoted-printable') return body;
  return Buffer.from(decodeQuoted(body.replace(/=\r\n/g, '')), 'latin1').toString('utf8');
}

/** Bytes as characters. */
function decodeQuoted(text: string): string {
  return text.replace(/=([0-9A-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
