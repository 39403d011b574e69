// Sends requests as users do, and records each with its reply.
import type { Journal } from './journal.ts';
import type { Server } from './server.ts';

export type Reply = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a parsed answer, whose parts the asker knows
  readonly body: any;
  readonly bytes: Uint8Array;
  readonly headers: Headers | null;
};

/** An object and a text are posted as JSON, bytes are put as they are. */
export type Ask = (
  server: Server,
  path: string,
  body?: object | string | Uint8Array<ArrayBuffer>,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>;

const timeoutMs = 40_000;

export function createAsk(journal: Journal): Ask {
  return async (server, path, body, headers = {}) => {
    const from = journal.now();
    const method = body === undefined ? 'GET' : body instanceof Uint8Array ? 'PUT' : 'POST';
    const what = `${method} ${path.split('?')[0]}`;
    const note = (status: number, detail: string) =>
      void journal.answers.push({ from, to: journal.now(), server: server.name, what, status, detail });
    try {
      const response = await fetch(server.url() + path, {
        signal: AbortSignal.timeout(timeoutMs),
        method,
        headers: { ...(method === 'POST' && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: encode(body) }),
      });
      const bytes = await response.bytes();
      const text = new TextDecoder().decode(bytes);
      note(response.status, response.status >= 500 ? text.slice(0, 300) : '');
      return { status: response.status, body: parse(text), bytes, headers: response.headers };
    } catch (error) {
      const { cause, message } = error as Error;
      note(0, String((cause as Error | undefined)?.message ?? message));
      return { status: 0, body: {}, bytes: new Uint8Array(), headers: null };
    }
  };
}

function encode(body: object | string | Uint8Array<ArrayBuffer>): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
